"""Memory that begins at a cache line: AVX-512 writes there twice as fast as 16 bytes beyond, where malloc gives it."""

import math

import numpy as np

_LINE = 64
_SMALL = 1 << 20  # bytes below which little is gained, and odd sizes would leave the heap in pieces


def empty(xp, shape, dtype):
    """``xp.empty(shape, dtype)``, beginning at a cache line; NumPy alone does not ensure that."""
    if xp is np:
        return _at_a_line(np.empty, shape, dtype)
    return xp.empty(shape, dtype)


def zeros(xp, shape, dtype):
    """``xp.zeros(shape, dtype)``, beginning at a cache line; NumPy alone does not ensure that."""
    if xp is np:
        return _at_a_line(np.zeros, shape, dtype)
    return xp.zeros(shape, dtype)


def _at_a_line(make, shape, dtype):
    size = math.prod(shape) * dtype.itemsize
    if size < _SMALL:
        return make(shape, dtype)
    block = make(size + _LINE, np.uint8)
    start = -block.__array_interface__["data"][0] % _LINE
    return np.ndarray(shape, dtype, block, start)
