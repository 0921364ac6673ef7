"""CuPy's module ``cupy.cuda.thrust`` on NumPy: sorts are stable and put nan last, as CuPy's own do.

A sort is work of the current stream, a function of the host: a capture records it, and a graph sorts again.
"""

import ctypes

import cupy
import numpy as np

available = True
_KNOWN = set("?bBhHiIlLqQefdFD")
_DRIVER = ctypes.CDLL("libcuda.so.1")
_Work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_captured = []  # the work of graphs, which must outlive them


def get_build_version():
    return 300000


def _at(dtype, pointer, shape):
    dtype = np.dtype(dtype)
    if dtype.char not in _KNOWN:
        raise NotImplementedError(f"Sorting arrays with dtype '{dtype}' is not supported")
    count = int(np.prod(shape))
    buffer = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer) if count else b""
    return np.frombuffer(buffer, dtype, count).reshape(shape)


def _submit(function, *arrays):
    """Have the current stream call the function with the arrays."""
    stream, work = cupy.cuda.get_current_stream(), _Work(lambda _: function(*arrays))
    if stream.is_capturing():
        _captured.append(work)
    error = _DRIVER.cudaLaunchHostFunc(ctypes.c_void_p(stream.ptr), work, None)
    if error:
        raise RuntimeError(f"cudaLaunchHostFunc: error {error}")


def _sort(a):
    a[...] = np.sort(a, axis=-1, kind="stable")


def _argsort(a, order):
    order[...] = np.argsort(a, axis=-1, kind="stable")
    a[...] = np.take_along_axis(a, order, -1)


def _lexsort(keys, order):
    order[...] = np.lexsort(tuple(keys))


def sort(dtype, data_start, keys_start, shape):
    if np.prod(shape):
        _submit(_sort, _at(dtype, data_start, tuple(shape)))


def argsort(dtype, idx_start, data_start, keys_start, shape):
    if np.prod(shape):
        _submit(_argsort, _at(dtype, data_start, tuple(shape)), _at(np.int64, idx_start, tuple(shape)))


def lexsort(dtype, idx_start, keys_start, k, n):
    _submit(_lexsort, _at(dtype, keys_start, (k, n)), _at(np.int64, idx_start, (n,)))
