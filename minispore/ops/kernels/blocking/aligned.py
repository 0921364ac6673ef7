"""Memory that begins at a cache line: AVX-512 writes there twice as fast as 16 bytes beyond, where malloc gives it.

And memory in huge pages: each pass over an array looks up fewer of them.
"""

import ctypes
import math
import os
from pathlib import Path

import numpy as np

from minispore.core import _startup

_ENABLED, _MADV_HUGEPAGE = Path("/sys/kernel/mm/transparent_hugepage/enabled"), 14
_HEAP = (1 << 30) - (1 << 20)  # bytes: a larger block would not lie in the heap
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


def _has_huge_pages():
    """True if the system gives huge pages to a process that asks."""
    try:
        return "[never]" not in _ENABLED.read_text()
    except OSError:
        return False


def _ask_for_huge_pages():
    """Have the heap's first gibibyte lie in pages of 2 MiB, once it is used; True if the system has them.

    Only the addresses are taken here, where they are not limited. ``NUMPY_MADVISE_HUGEPAGE=0`` switches it off, as for
    NumPy's own large arrays.
    """
    import resource  # here, since only some systems have it

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY or os.environ.get("NUMPY_MADVISE_HUGEPAGE") == "0" or not _has_huge_pages():
        return False
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.madvise.argtypes, libc.free.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int], [ctypes.c_void_p]
    block = libc.malloc(_HEAP)
    if block is None:
        return False
    start = block + -block % os.sysconf("SC_PAGE_SIZE")
    asked = libc.madvise(start, block + _HEAP - start, _MADV_HUGEPAGE) == 0
    libc.free(block)
    return asked


if _startup.REPORT.get("allocator") == _startup.KEPT and _ask_for_huge_pages():
    _startup.REPORT["allocator"] += ", in huge pages"
