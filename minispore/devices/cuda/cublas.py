"""cuBLAS by ctypes: products of matrices in a captured stream, where CuPy's own binding refuses.

A handle belongs to one device and one stream, and has a workspace of its own. A graph's scratch memory must not be
shared with work that the graph does not know of.
"""

import ctypes
import functools
import importlib

import numpy as np

from minispore.core.errors import runtime_error
from minispore.devices.cuda.launch import current_stream

__all__ = []

_CUDA_TYPES = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 14}  # cudaDataType: CUDA_R_32F, 64F, 16F, 16BF
_COMPUTE_32F, _COMPUTE_64F, _DEFAULT_ALGORITHM = 68, 70, -1
_SCALARS = {
    0: (np.array(0, np.float32), np.array(0, np.float64)),
    1: (np.array(1, np.float32), np.array(1, np.float64)),
}
_SMALL, _LARGE = 4 << 20, 32 << 20  # bytes of workspace that NVIDIA recommends: before Hopper, and from it on
_INT, _LONG, _PLACE = ctypes.c_int, ctypes.c_longlong, ctypes.c_void_p
_OPERAND = _PLACE, _INT, _INT, _LONG  # place, type, numbers from one column to the next, numbers to the next matrix
_ARGUMENTS = {
    "cublasCreate_v2": (_PLACE,),
    "cublasSetStream_v2": (_PLACE, _PLACE),
    "cublasSetWorkspace_v2": (_PLACE, _PLACE, ctypes.c_size_t),
    "cublasGemmStridedBatchedEx": (
        *(_PLACE, _INT, _INT, _INT, _INT, _INT, _PLACE),
        *(*_OPERAND, *_OPERAND, _PLACE, *_OPERAND, _INT, _INT, _INT),
    ),
}


def takes(*arrays):
    """True if the products take these arrays' dtypes."""
    return all(x.dtype.name in _CUDA_TYPES for x in arrays)


def gemm_strided_batched(xp, turned, sizes, a, b, c, add, count):
    """``c = a b``, or ``c += a b``, by columns, for ``count`` matrices, on the current stream.

    ``turned`` is a pair of bools: True if a, or b, is transposed; ``sizes`` are c's rows, its columns, and the length
    of the sums. a, b and c are (array, numbers from one column to the next, numbers from one matrix to the next).
    Narrow floats and float32 are accumulated in float32.
    """
    wide = a[0].dtype.itemsize == 8
    alpha, beta = _SCALARS[1][wide], _SCALARS[int(add)][wide]
    operands = [(x.data.ptr, _CUDA_TYPES[x.dtype.name], lead, step) for x, lead, step in (a, b, c)]
    call(
        *(_library(xp).cublasGemmStridedBatchedEx, _handle(xp), *map(int, turned), *sizes, alpha.ctypes.data),
        *(*operands[0], *operands[1], beta.ctypes.data, *operands[2]),
        *(count, _COMPUTE_64F if wide else _COMPUTE_32F, _DEFAULT_ALGORITHM),
    )


def call(function, *arguments):
    """Call a function of the library; RuntimeError if it fails."""
    status = function(*arguments)
    if status:
        raise runtime_error("matmul", f"cuBLAS's {function.__name__} must succeed", f"its status {status}")


@functools.cache
def _library(xp):
    """The library that CuPy loads."""
    xp.cuda.device.get_cublas_handle()  # CuPy knows which one belongs to its version of CUDA
    found = importlib.import_module("cuda.pathfinder").load_nvidia_dynamic_lib("cublas")
    library = ctypes.CDLL(found.abs_path)
    for name, arguments in _ARGUMENTS.items():
        getattr(library, name).argtypes = arguments
    return library


def _handle(xp):
    return _made_handle(xp, xp.cuda.runtime.getDevice(), current_stream(xp))


@functools.cache
def workspace(xp, device, stream):
    """The workspace of a device and a stream, whose products use it one after the other."""
    return xp.empty(workspace_size(xp, device), np.uint8)


def workspace_size(xp, device):
    """The bytes of a workspace on a device."""
    return _LARGE if int(xp.cuda.Device(device).compute_capability) >= 90 else _SMALL


@functools.cache
def _made_handle(xp, device, stream):
    """The handle of a device and a stream: made once, outside of captures."""
    library, handle = _library(xp), ctypes.c_void_p()
    call(library.cublasCreate_v2, ctypes.addressof(handle))
    call(library.cublasSetStream_v2, handle, stream[0])
    own = workspace(xp, device, stream)
    call(library.cublasSetWorkspace_v2, handle, own.data.ptr, own.nbytes)  # after the stream, which resets it
    return handle
