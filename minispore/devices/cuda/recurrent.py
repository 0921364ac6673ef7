"""A step of an LSTM, a GRU or a plain cell, its gates' gradients, and sums over steps of products.

A step of a small cell is one launch, its products included; of a large one two products and a launch.
"""

import numpy as np

from minispore.devices.cuda.gemm import by_rows, gemm
from minispore.devices.cuda.launch import THREADS, TYPES, ceil_div, kernel, row_by_row, takes
from minispore.devices.cuda.multi_tensor import Rule, launch

__all__ = []


def lstm_step(xp, x, h, c, w_ih, w_hh, *b):
    """``(h', c', the open gates i f g o and tanh(c'))``; None for arrays that are not taken."""
    if not _fit(x, h, c, w_ih, w_hh, *b):
        return None
    samples, width = h.shape
    saved = xp.empty((samples, 5 * width), np.float32)
    new_h, new_c = xp.empty(h.shape, h.dtype), xp.empty(c.shape, c.dtype)
    if _is_small(x, w_ih, w_hh):
        arguments = *_rows(x), h, c, w_ih, w_hh, *_biases(b, c), *_sizes(h, x), saved, new_h, new_c
        _launch_tiles(xp, "lstm_whole_step", h, arguments)
        return new_h, new_c, saved
    shape = samples, 4 * width
    gemm(xp, x, w_ih, saved, *shape, x.shape[1], b_turned=True, gaps=(by_rows(x), None, 5 * width))
    gemm(xp, h, w_hh, saved, *shape, width, b_turned=True, gaps=(None, None, 5 * width), add=True)
    _launch_tiles(xp, "lstm_step", h, (c, *_biases(b, c), *_sizes(h), saved, new_h, new_c))
    return new_h, new_c, saved


def gru_step(xp, x, h, w_ih, w_hh, *b):
    """``(h', r u n and the state's part of n)``; None likewise."""
    if not _fit(x, h, w_ih, w_hh, *b):
        return None
    samples, width = h.shape
    saved, new_h = xp.empty((samples, 4 * width), np.float32), xp.empty(h.shape, h.dtype)
    if _is_small(x, w_ih, w_hh):
        arguments = *_rows(x), h, w_ih, w_hh, *_biases(b, h), *_sizes(h, x), saved, new_h
        _launch_tiles(xp, "gru_whole_step", h, arguments)
        return new_h, saved
    with_x, with_h = (xp.empty((samples, 3 * width), np.float32) for _ in range(2))
    gemm(xp, x, w_ih, with_x, *with_x.shape, x.shape[1], b_turned=True, gaps=(by_rows(x), None, None))
    gemm(xp, h, w_hh, with_h, *with_h.shape, width, b_turned=True)
    _launch_tiles(xp, "gru_step", h, (with_x, with_h, h, *_biases(b, h), *_sizes(h), saved, new_h))
    return new_h, saved


@row_by_row
def gru_slopes(xp, dh, h, saved):
    """The gradients of the products with x and with h, and of h by its direct path; None likewise."""
    if not takes(dh, h, saved) or dh.dtype != h.dtype:
        return None
    by_input, by_state = (xp.empty((len(h), 3 * h.shape[1]), h.dtype) for _ in range(2))
    direct = xp.empty(h.shape, h.dtype)
    _launch(xp, "gru_slopes", h, dh, h, saved, h.size, np.int32(h.shape[1]), by_input, by_state, direct)
    return by_input, by_state, direct


@row_by_row
def lstm_slopes(xp, dh, dc, c, saved):
    """The gradients of the gates' pre-activations and of the old c; None likewise."""
    if not takes(dh, dc, c, saved) or not dh.dtype == dc.dtype == c.dtype:
        return None
    width = c.shape[1]
    dz, before = xp.empty((len(c), 4 * width), c.dtype), xp.empty(c.shape, c.dtype)
    _launch(xp, "lstm_slopes", c, dh, dc, c, saved, c.size, np.int32(width), dz, before)
    return dz, before


def plain_step(xp, relu, x, h, w_ih, w_hh, *b):
    """``(h', h' before it is rounded)``; None likewise."""
    if not _fit(x, h, w_ih, w_hh, *b):
        return None
    saved, new_h = xp.empty(h.shape, np.float32), xp.empty(h.shape, h.dtype)
    if _is_small(x, w_ih, w_hh):
        arguments = *_rows(x), h, w_ih, w_hh, *_biases(b, h), *_sizes(h, x), saved, new_h
        _launch_tiles(xp, "plain_whole_step", h, arguments, _BOOL[relu])
        return new_h, saved
    gemm(xp, x, w_ih, saved, *h.shape, x.shape[1], b_turned=True, gaps=(by_rows(x), None, None))
    gemm(xp, h, w_hh, saved, *h.shape, h.shape[1], b_turned=True, add=True)
    _launch_tiles(xp, "plain_step", h, (*_biases(b, h), *_sizes(h), saved, new_h), _BOOL[relu])
    return new_h, saved


@row_by_row
def plain_slopes(xp, relu, dh, saved):
    """The gradient of the products, in a tuple; None likewise."""
    if not takes(dh, saved):
        return None
    dz = xp.empty(dh.shape, dh.dtype)
    _launch(xp, "plain_slopes", dh, dh, saved, np.int64(dh.size), dz, types=(_BOOL[relu],))
    return (dz,)


def sum_of_products(xp, a, b, dtype):
    """``sum over k of a[k].T @ b[k]``, as one product of all one below another; None likewise."""
    if dtype.name not in ("float32", a[0].dtype.name) or a[0].dtype != b[0].dtype:
        return None
    a, b = _one_below_another(xp, a), _one_below_another(xp, b)
    if a is None or b is None:
        return None
    out = xp.empty((a.shape[1], b.shape[1]), dtype)
    return gemm(xp, a, b, out, *out.shape, len(a), a_turned=True)


def sum_of_columns(xp, a, dtype):
    """The sum of all rows of all of a; None likewise."""
    a = _one_below_another(xp, a)
    return None if a is None else a.sum(axis=0, dtype=np.float32).astype(dtype, copy=False)


def _one_below_another(xp, arrays):
    """The matrices as one, in one launch; None for float64, and unless the gaps between rows are the same in all."""
    first = arrays[0]
    gap = by_rows(first)
    if gap is None or first.dtype.name not in TYPES or gap >= 1 << 24:  # the launch takes its numbers as floats
        return None
    if any(by_rows(x) != gap or x.dtype != first.dtype or x.shape != first.shape for x in arrays):
        return None
    if len(arrays) == 1 and first.flags.c_contiguous:
        return first
    out = xp.empty((len(arrays), *first.shape), first.dtype)
    launch(xp, _COPY, list(zip(out, arrays, strict=True)), (), (first.shape[1], gap))
    return out.reshape(-1, first.shape[1])


_COPY = Rule("by_rows", ("y", "x"), (), ("width", "gap"), "", "y[i] = x[i / (int)width * (int)gap + i % (int)width];")


def _fit(x, *others):
    """True if the kernels take the arrays; rows of x may have gaps between them."""
    return by_rows(x) is not None and takes(*others) and all(y.dtype == x.dtype for y in others)


# Multiplications below which a launch of our own does the products, faster than two of cuBLAS's begin and end. On no
# device measured: 2 ** 23 take such a kernel some microseconds.
_SMALL = 1 << 23
_TILE, _SAMPLES = 32, 8  # of a block; recurrent.cu has them too
_BOOL = {False: "false", True: "true"}  # as CUDA writes it


def _is_small(x, w_ih, w_hh):
    return len(x) * (w_ih.size + w_hh.size) <= _SMALL


def _rows(x):
    """A matrix, and the numbers from one of its rows to the next."""
    return x, np.int64(by_rows(x))


def _biases(b, like):
    """The biases, and True if there are any; without them the kernel reads neither."""
    return *(b or (like, like)), np.int32(len(b) > 0)


def _sizes(h, x=None):
    """Samples, units, and, where x is given, the length of its rows."""
    return [np.int32(size) for size in (*h.shape, *(x.shape[1:] if x is not None else ()))]


def _launch_tiles(xp, name, h, arguments, *types):
    """A block for each tile of samples and units."""
    grid = ceil_div(len(h), _SAMPLES), ceil_div(h.shape[1], _TILE)
    kernel(xp, "recurrent", name, h.dtype, *types)(grid, (_TILE * _SAMPLES,), arguments)


def _launch(xp, name, like, *arguments, types=()):
    """A thread for each number of ``like``."""
    kernel(xp, "recurrent", name, like.dtype, *types)((ceil_div(like.size, THREADS),), (THREADS,), arguments)
