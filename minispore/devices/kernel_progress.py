"""A line on the terminal while CuPy compiles kernels: the first step of a network takes seconds, later ones do not.

CuPy keeps compiled kernels in files: so the line appears once for each kind of kernel.
"""

import functools
import os
import sys

__all__ = ["tell"]

_ONE = "_compile_using_nvrtc_no_warning"  # CuPy's function for a kernel that is in no cache
_CLEAR = "\r\x1b[K"


def tell(cupy):
    """Show the kernel being compiled in a line, on a terminal only. A CuPy that compiles otherwise says nothing."""
    compiler = getattr(cupy.cuda, "compiler", None)
    plain = getattr(compiler, _ONE, None)
    if plain is None or hasattr(plain, "__wrapped__"):
        return
    count = 0

    @functools.wraps(plain)
    def with_progress(*arguments, **keywords):
        nonlocal count
        count += 1
        if not sys.stderr.isatty():
            return plain(*arguments, **keywords)
        print(f"{_CLEAR}{_sentence(count)}", end="", file=sys.stderr, flush=True)
        try:
            return plain(*arguments, **keywords)
        finally:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    setattr(compiler, _ONE, with_progress)


def _sentence(count):
    folder = os.environ.get("CUPY_CACHE_DIR") or os.path.join("~", ".cupy", "kernel_cache")
    return f"minispore: compiling kernel {count} for the GPU, to be kept in {folder}"
