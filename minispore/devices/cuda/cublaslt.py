"""cuBLASLt by ctypes: products of eight-bit floats on tensor cores, for what has one scale a tensor.

===========================  =======================================  ==========================================
scale                        cuBLASLt's mode, compute capability      here
===========================  =======================================  ==========================================
one of a tensor              SCALAR_32F, from 8.9 on                  a product of codes
blocks of 128                VEC128_32F, BLK128x128_32F, 9.0          exact values, multiplied in float32
MX, blocks of 32             VEC32_UE8M0, from 10.0 on                exact values, multiplied in float32
NVFP4, blocks of 16          VEC16_UE4M3, from 10.0 on                exact values, multiplied in float32
===========================  =======================================  ==========================================

The library takes a product ``A.T B`` of column-major matrices alone, of which at most one is e5m2. Its sizes are
multiples of 16. Anything else is left to the emulation, which is its reference: sums in float32, multiplied by both
scales, and rounded once. A device sums in an order of its own, and Hopper's units keep fewer bits while they sum. Where
the product of both scales is no normal float32, a result may be zero or not finite.

It has been tried on the CPU's CUDA (``tests/cpucuda``), not on a device. So before the first product a device
multiplies two small matrices whose result is known. Where that is wrong, a warning says so and the emulation stays.
"""

import ctypes
import functools
import importlib
import logging
import threading

import numpy as np

from minispore.devices.cuda import cublas
from minispore.devices.cuda.launch import current_stream

__all__ = []

_LEAST_CAPABILITY = 89
_TYPES = {"float8_e4m3fn": 28, "float8_e5m2": 29, "float32": 0, "float16": 2, "bfloat16": 14}  # cudaDataType
_COMPUTE_32F, _SCALE_TYPE = 68, 0
_TURN_A, _SCALE_A, _SCALE_B, _MOST_WORKSPACE = 3, 17, 18, 1  # attributes of a product, and of what is asked of one
_WRONG = "cuBLASLt's product of eight-bit floats is wrong on this device. It is not used: such products are emulated."
_ONE, _ZERO = ctypes.c_float(1), ctypes.c_float(0)
_INT, _PLACE, _SIZE = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
_ARGUMENTS = {
    "cublasLtCreate": (_PLACE,),
    "cublasLtMatmulDescCreate": (_PLACE, _INT, _INT),
    "cublasLtMatmulDescSetAttribute": (_PLACE, _INT, _PLACE, _SIZE),
    "cublasLtMatrixLayoutCreate": (_PLACE, _INT, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64),
    "cublasLtMatmulPreferenceCreate": (_PLACE,),
    "cublasLtMatmulPreferenceSetAttribute": (_PLACE, _INT, _PLACE, _SIZE),
    "cublasLtMatmulAlgoGetHeuristic": (*[_PLACE] * 7, _INT, _PLACE, _PLACE),
    "cublasLtMatmul": (*[_PLACE] * 14, _SIZE, _PLACE),
}


class _Found(ctypes.Structure):
    """An algorithm that the library offers."""

    _fields_ = (
        *(("algorithm", ctypes.c_uint64 * 8), ("workspace", _SIZE), ("status", _INT), ("waves", ctypes.c_float)),
        ("reserved", _INT * 4),
    )


class _Plan:
    """A product of given sizes and types: its description, the layouts of a, b and out, and the algorithm."""

    def __init__(self, library, formats, sizes, out):
        rows, columns, length = sizes
        self.description = _made(library.cublasLtMatmulDescCreate, _COMPUTE_32F, _SCALE_TYPE)
        _set(library.cublasLtMatmulDescSetAttribute, self.description, _TURN_A, _INT(1))
        # The library counts by columns: it sees b as (length, columns), a as (length, rows), and out as (columns, rows)
        shapes = (formats[1], length, columns), (formats[0], length, rows), (out, columns, rows)
        self.layouts = [_made(library.cublasLtMatrixLayoutCreate, _TYPES[t], m, n, m) for t, m, n in shapes]
        self.found, self.lock = _Found(), threading.Lock()

    def search(self, library, handle, most):
        """True if the library has an algorithm for it with a workspace of so many bytes."""
        asked, count = _made(library.cublasLtMatmulPreferenceCreate), _INT()
        _set(library.cublasLtMatmulPreferenceSetAttribute, asked, _MOST_WORKSPACE, ctypes.c_uint64(most))
        b, a, out = self.layouts
        status = library.cublasLtMatmulAlgoGetHeuristic(
            *(handle, self.description, b, a, out, out, asked, 1, ctypes.byref(self.found), ctypes.byref(count))
        )
        return not status and count.value > 0 and not self.found.status


def product(xp, formats, codes, numbers, dtype):
    """``a b.T`` times both numbers, rounded to ``dtype`` once; None where the device or the library cannot.

    Args:
        xp (module): CuPy.
        formats (tuple): The formats of a and b.
        codes (tuple): Their codes, uint8, a of (m, k) and b of (n, k), laid out row by row.
        numbers (tuple): The factors of their values, float32 arrays of one number on the device.
        dtype (dtype): The type of the result.
    """
    (rows, length), columns = codes[0].shape, codes[1].shape[0]
    plan = _plan(xp, formats, (rows, columns, length), dtype.name)
    if plan is None:
        return None
    out = xp.empty((rows, columns), dtype)
    _run(xp, plan, codes, numbers, out)
    return out


def takes(xp, formats, sizes, dtype):
    """True if the device multiplies matrices of these formats and sizes (m, n, k) into a ``dtype``."""
    return _is_right(xp, xp.cuda.runtime.getDevice()) and _plan(xp, formats, sizes, dtype.name) is not None


def _run(xp, plan, codes, numbers, out):
    """Multiply on the current stream. A plan's description holds the places of the scales for one call at a time."""
    library, device, stream = _library(), xp.cuda.runtime.getDevice(), current_stream(xp)
    workspace = cublas.workspace(xp, device, stream)
    b, a, d = plan.layouts
    with plan.lock:
        for attribute, number in ((_SCALE_A, numbers[1]), (_SCALE_B, numbers[0])):
            _set(library.cublasLtMatmulDescSetAttribute, plan.description, attribute, _PLACE(number.data.ptr))
        cublas.call(
            *(library.cublasLtMatmul, _handle(xp, device), plan.description, ctypes.byref(_ONE)),
            *(codes[1].data.ptr, b, codes[0].data.ptr, a, ctypes.byref(_ZERO), out.data.ptr, d, out.data.ptr, d),
            *(ctypes.addressof(plan.found), workspace.data.ptr, workspace.nbytes, stream[0]),
        )


def _plan(xp, formats, sizes, out):
    """The plan of a product; None unless its sizes are multiples of 16 and the library has an algorithm."""
    if any(size % 16 or not size for size in sizes) or out not in _TYPES:
        return None
    if not set(formats) <= {"float8_e4m3fn", "float8_e5m2"} or set(formats) == {"float8_e5m2"}:
        return None
    return _made_plan(xp, xp.cuda.runtime.getDevice(), formats, sizes, out)


@functools.cache
def _made_plan(xp, device, formats, sizes, out):
    """The plan of a product, made once, outside of captures; None if the library has no algorithm for it."""
    plan = _Plan(_library(), formats, sizes, out)
    return plan if plan.search(_library(), _handle(xp, device), cublas.workspace_size(xp, device)) else None


@functools.cache
def _is_right(xp, device):
    """True if the device has such units, and a product of small integers is right."""
    if int(xp.cuda.Device(device).compute_capability) < _LEAST_CAPABILITY or _library() is None:
        return False
    a, b = (np.random.default_rng(seed).integers(0x38, 0x40, (16, 32), np.uint8) for seed in (0, 1))
    values = [1 + (codes % 8) / 8 for codes in (a, b)]  # the codes 0x38 to 0x3F of e4m3 are 1, 1.125, ..., 1.875
    numbers = [xp.asarray([number], np.float32) for number in (0.5, 2.0**-3)]
    codes = xp.asarray(a), xp.asarray(b)
    made = product(xp, ("float8_e4m3fn",) * 2, codes, numbers, np.dtype(np.float32))
    right = made is not None and np.array_equal(made.get(), (values[0] @ values[1].T / 16).astype(np.float32))
    if not right:
        logging.getLogger("minispore").warning(_WRONG)
    return right


@functools.cache
def _library():
    """The library that belongs to CuPy's CUDA; None where there is none, or it lacks a function."""
    try:
        found = importlib.import_module("cuda.pathfinder").load_nvidia_dynamic_lib("cublasLt")
        library = ctypes.CDLL(found.abs_path)
        for name, arguments in _ARGUMENTS.items():
            getattr(library, name).argtypes = arguments
    except (ImportError, OSError, RuntimeError, AttributeError):
        return None
    return library


@functools.cache
def _handle(xp, device):
    """The library's handle on the device, the current one."""
    return _made(_library().cublasLtCreate)


def _made(function, *arguments):
    """The object that a function of the library makes; it lives as long as the process."""
    made = ctypes.c_void_p()
    cublas.call(function, ctypes.byref(made), *arguments)
    return made


def _set(function, what, attribute, value):
    cublas.call(function, what, attribute, ctypes.byref(value), ctypes.sizeof(value))
