"""Process set-up that must precede NumPy: OpenBLAS's kernels, its thread count, and glibc's handling of large blocks.

Measured on AVX-512 machines, these switches are worth more than any single kernel. Each one is left alone where
the user has set it, where the processor or the C library differs, and altogether under ``MINISPORE_STARTUP=0``.

BLAS is limited to one thread, since minispore's own workers share the large operations: see ``workers.py``. Where NumPy
was imported first, ``threads.py`` does so at run time.
"""

import ctypes
import gc
import os
import platform
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _MADV_HUGEPAGE = -1, -3, 14
_HEAP = (1 << 30) - (1 << 20)  # bytes: a larger block would not lie in the heap
_AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}


def _processor_flags():
    try:
        with open("/proc/cpuinfo") as lines:
            return next((set(line.split()) for line in lines if line.startswith("flags")), set())
    except OSError:
        return set()


def _blas_environment():
    """The environment variables for OpenBLAS: AVX-512 kernels where the processor has them, and one thread."""
    chosen = {"OPENBLAS_NUM_THREADS": "1"}
    if "OPENBLAS_CORETYPE" not in os.environ and _processor_flags() >= _AVX512:
        chosen["OPENBLAS_CORETYPE"] = "SkylakeX"
    return chosen


def _import_numpy():
    """Import NumPy under the chosen variables, which OpenBLAS reads as it loads, and put the user's own back."""
    chosen = _blas_environment()
    before = {name: os.environ.get(name) for name in chosen}
    os.environ.update(chosen)
    try:
        import numpy  # noqa: F401
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return ", ".join(f"{name}={value}" for name, value in chosen.items())


def _keep_freed_blocks():
    """Keep glibc from returning large freed blocks to the system, which costs a page fault per page on each reuse."""
    if platform.libc_ver()[0] != "glibc" or "MALLOC_MMAP_THRESHOLD_" in os.environ:
        return False
    libc = ctypes.CDLL(None)
    return bool(libc.mallopt(_M_MMAP_THRESHOLD, 1 << 30) and libc.mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))


def _ask_for_huge_pages():
    """Have the heap's first gibibyte lie in pages of 2 MiB, once it is used: each pass over memory looks up fewer.

    Only the addresses are taken here, where they are not limited. ``NUMPY_MADVISE_HUGEPAGE=0`` switches it off, as for
    NumPy's own large arrays.
    """
    import resource  # here, since only some systems have it

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY or os.environ.get("NUMPY_MADVISE_HUGEPAGE") == "0":
        return False
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.madvise.argtypes, libc.free.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int], [ctypes.c_void_p]
    block = libc.malloc(_HEAP)
    start = (block or 0) + -(block or 0) % os.sysconf("SC_PAGE_SIZE")
    asked = block is not None and libc.madvise(start, block + _HEAP - start, _MADV_HUGEPAGE) == 0
    libc.free(block)
    return asked


def _allocator():
    """Set up the allocator, and describe it."""
    if not _keep_freed_blocks():
        return "as the C library has it"
    return "freed blocks are kept" + (", in huge pages" if _ask_for_huge_pages() else "")


def start():
    """Apply the set-up, import NumPy under it, and return ``{switch: its state}``."""
    if os.environ.get("MINISPORE_STARTUP") == "0":
        return {"startup": "off (MINISPORE_STARTUP=0)"}
    blas = "NumPy, imported before, chose its kernels; one thread" if NUMPY_CAME_FIRST else _import_numpy()
    return {"blas": blas, "allocator": _allocator()}


def resume_gc():
    """Let Python collect garbage again: the import of hundreds of modules makes none. Its last line calls this.

    All that was imported counts as old from now on. Otherwise a first collection looks it over: 20 milliseconds.
    """
    if _COLLECTS:
        if not gc.get_freeze_count():  # a user's own frozen objects stay frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()


_COLLECTS = gc.isenabled()
gc.disable()
NUMPY_CAME_FIRST = "numpy" in sys.modules
REPORT = start()
