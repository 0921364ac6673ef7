"""Process set-up that must precede NumPy: OpenBLAS's kernels, its thread count, and glibc's handling of large blocks.

Measured on AVX-512 machines, these three switches are worth more than any single kernel. Each one is left alone where
the user has set it, where the processor or the C library differs, and altogether under ``MINISPORE_STARTUP=0``.

With BLAS limited to one thread, minispore's own workers share the large operations instead: see ``workers.py``.
"""

import ctypes
import gc
import os
import platform
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}
_NEIGHBOURS = ("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE")  # the number of MPI's processes on this machine
_THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


def _processor_flags():
    try:
        with open("/proc/cpuinfo") as lines:
            return next((set(line.split()) for line in lines if line.startswith("flags")), set())
    except OSError:
        return set()


def _blas_environment():
    """The environment variables for OpenBLAS: AVX-512 kernels where the processor has them, and one thread."""
    chosen = {}
    if "OPENBLAS_CORETYPE" not in os.environ and _processor_flags() >= _AVX512:
        chosen["OPENBLAS_CORETYPE"] = "SkylakeX"
    if not any(name in os.environ for name in _THREAD_VARIABLES):
        chosen["OPENBLAS_NUM_THREADS"] = "1"
    return chosen


def _keep_freed_blocks():
    """Keep glibc from returning large freed blocks to the system, which costs a page fault per page on each reuse."""
    if platform.libc_ver()[0] != "glibc" or "MALLOC_MMAP_THRESHOLD_" in os.environ:
        return False
    libc = ctypes.CDLL(None)
    return bool(libc.mallopt(_M_MMAP_THRESHOLD, 1 << 30) and libc.mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))


def _cores():
    """The processor cores that this process may use; its share of them where MPI has started several processes."""
    every = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else every
    told = [os.environ.get(name, "") for name in _NEIGHBOURS]
    processes = max([int(count) for count in told if count.isdecimal()], default=1)
    return min(usable, max(1, every // max(1, processes)))


def start():
    """Apply the set-up, import NumPy under it, and return ``({switch: its state}, number of workers)``."""
    if os.environ.get("MINISPORE_STARTUP") == "0":
        return {"startup": "off (MINISPORE_STARTUP=0)"}, 1
    report, workers = {}, 1
    if "numpy" in sys.modules:
        report["blas"] = "as NumPy was imported before minispore"
    else:
        chosen = _blas_environment()
        os.environ.update(chosen)
        try:
            import numpy  # noqa: F401 - imported here, once, because OpenBLAS reads these variables as it loads
        finally:
            for name in chosen:
                del os.environ[name]
        report["blas"] = ", ".join(f"{k}={v}" for k, v in chosen.items()) or "as the environment says"
        workers = _cores() if "OPENBLAS_NUM_THREADS" in chosen else 1
    report["allocator"] = "freed blocks are kept" if _keep_freed_blocks() else "as the C library has it"
    return report, workers


def resume_gc():
    """Let Python collect garbage again: the import of hundreds of modules makes none. Its last line calls this."""
    if _COLLECTS:
        gc.enable()


_COLLECTS = gc.isenabled()
gc.disable()
REPORT, WORKERS = start()  # WORKERS is the default of the context's ``runtime_num_threads``
