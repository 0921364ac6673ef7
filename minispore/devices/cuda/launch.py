"""Compilation and launch of kernels: through the classes of CuPy, the array module ``xp`` of the caller.

A kernel is compiled when it is first used with its types (about 0.1 s), and kept by CuPy in its cache of files.
"""

import functools
import math
import re
import threading
from pathlib import Path

import numpy as np

__all__ = []

TYPES = {"float32": "float", "float16": "float16", "bfloat16": "bfloat16"}  # CUDA's names, the latter two by CuPy
_HERE = Path(__file__).parent
_INCLUDED = re.compile(r'^#include "(\w+)\.cu"$', re.MULTILINE)
_SINGLE = np.dtype(np.float32)
THREADS = 256  # of a block


def takes(*arrays):
    """True if the kernels take these arrays: float32, float16 or bfloat16, not empty, laid out row by row."""
    return takes_or_empty(*arrays) and all(x.size for x in arrays)


def takes_any_order(*arrays):
    """True if kernels made by ``elementwise`` take these arrays; their layout is CuPy's affair."""
    return all(x.dtype.name in TYPES and x.size for x in arrays)


def takes_or_empty(*arrays):
    """True if the kernels take these arrays, empty ones aside."""
    return all(x.dtype.name in TYPES and x.flags.c_contiguous for x in arrays)


def all_float32(*arrays):
    """True if the arrays are laid out row by row and of float32."""
    return all(x.dtype == _SINGLE and x.flags.c_contiguous for x in arrays)


def row_by_row(function):
    """Decorate a function: its arrays are laid out row by row. Others are copied first, a launch each.

    Examples are a gradient of one number for all, and a transposed array.
    """

    @functools.wraps(function)
    def of_laid_out(xp, *arguments, **named):
        return function(xp, *[_laid_out(xp, x) for x in arguments], **named)

    return of_laid_out


def _laid_out(xp, x):
    if not isinstance(x, xp.ndarray) or x.flags.c_contiguous or x.dtype.name not in TYPES:
        return x
    return xp.ascontiguousarray(x)


@functools.cache
def elementwise(xp, name, inputs, outputs, body, before=""):
    """CuPy's ElementwiseKernel, made once; ``before`` is further CUDA text for its file."""
    return xp.ElementwiseKernel(inputs, outputs, body, name, preamble=before)


@functools.cache
def kernel(xp, file, name, *dtypes, before=""):
    """The kernel template ``name`` of the file ``file``.cu, for dtypes or CUDA's names of types.

    ``before`` is further CUDA text for the file, beside the text that all kernels share.
    """
    types = ", ".join(TYPES.get(getattr(t, "name", t), t) for t in dtypes)
    text = with_common(before + text_of(file))
    module = xp.RawModule(code=text, options=options(xp), name_expressions=(f"{name}<{types}>",))
    return module.get_function(f"{name}<{types}>")


def text_of(file):
    """The text of a file, with the included files in their places."""
    return _INCLUDED.sub(lambda found: text_of(found[1]), (_HERE / f"{file}.cu").read_text())


def with_common(text):
    """A text of CUDA after the code that all kernels share."""
    return (_HERE / "common.cu").read_text() + "\n" + text


def options(xp):
    """The compiler's options: C++17, with CuPy's headers."""
    return "--std=c++17", "-I" + xp._core.core._get_header_dir_path()


def row_threads(size):
    """Threads for a row of ``size`` numbers: a warp for short ones."""
    return 32 if size <= 128 else 128 if size <= 1024 else THREADS


def ceil_div(a, b):
    """``a / b``, rounded up."""
    return -(-a // b)


def slices_of(xp, rows, length):
    """The number of blocks that share one sum of ``length`` numbers, if ``rows`` sums are taken side by side.

    Enough for the whole device, none with fewer than a thousand numbers: more than one makes a second round of adding.
    """
    return max(1, min(ceil_div(_BLOCKS, rows), length // 1024, 64))


_BLOCKS = 256  # about two for each multiprocessor of a large device


def current_stream(xp):
    """A key of the current stream: its pointer, and the thread if that has a default stream."""
    stream = xp.cuda.get_current_stream().ptr
    return stream, threading.get_ident() if stream == xp.cuda.runtime.streamPerThread else None


@functools.cache
def counters(xp, device, stream, thread, count):
    return xp.zeros(count, np.uint32)


def counters_for(xp, count):
    """At least ``count`` zeros of the current stream and thread: the counters of finished blocks.

    The block that ends last sets its counter to zero again. Other streams and threads have other counters: their
    launches may run at the same time, or between two launches of this one.
    """
    at_least = 1 << max(10, math.ceil(math.log2(count)))
    stream = xp.cuda.get_current_stream().ptr
    return counters(xp, xp.cuda.runtime.getDevice(), stream, threading.get_ident(), at_least)
