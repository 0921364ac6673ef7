"""Broadcast of few numbers over many: NumPy is twice as fast with an array as with a column, or with one number."""

import math

import numpy as np

from minispore.ops.kernels.blocking import aligned

_MOST = 256 << 10  # bytes of one image, up to which it stays in the cache
_SMALL = 64 << 10  # bytes of a batch for which spreading costs more than it saves
_LONG = 256 << 10  # bytes from which short rows cost more than writing a row several times
_ROW = 1 << 13
_ZEROS = {np.dtype(dtype): np.zeros(_ROW, dtype) for dtype in (np.float32, np.float64)}


def spread(xp, v, x):
    """``v`` (C,), to be broadcast against x (N, C, pixels)."""
    if xp is np and x.shape[2] > 1 and x.nbytes >= _SMALL and x[:1].nbytes <= _MOST:
        image = aligned.empty(np, x.shape[1:], v.dtype)
        image[...] = v[:, None]
        return image
    return v[:, None]


def along_rows(function, xp, x, v, out):
    """``function(x, v, out=out)`` for ``v`` (C,) along the last axis of x, all of one dtype."""
    if xp is np and x.nbytes >= _LONG and x.flags.c_contiguous and out.flags.c_contiguous:
        row = np.empty((_repeats(x, v), v.size), v.dtype)
        row[...] = v
        rows = out.reshape(-1, row.size)
        return function(x.reshape(rows.shape), row.reshape(-1), out=rows).reshape(x.shape)
    return function(x, v, out=out)


def _repeats(x, v):
    """The times to write ``v`` side by side, so that rows are long and x has a whole number of them."""
    return math.gcd(x.size // v.size, 1 << max(1, _ROW // v.size).bit_length() - 1)


def not_negative(xp, x, out=None):
    """``max(x, 0)``, into ``out`` if it is given; NaN stays NaN."""
    if (
        xp is np
        and x.size >= _ROW
        and x.dtype in _ZEROS
        and all(y.flags.c_contiguous for y in (x, out) if y is not None)
    ):
        out = aligned.empty(np, x.shape, x.dtype) if out is None else out
        (rows, rest), (out_rows, out_rest) = _in_rows(x), _in_rows(out)
        np.maximum(rows, _ZEROS[x.dtype], out=out_rows)
        np.maximum(rest, x.dtype.type(0), out=out_rest)
        return out
    return xp.maximum(x, x.dtype.type(0), out=out)


def _in_rows(x):
    """Views of a contiguous array as rows of one length, and what is left."""
    flat, whole = x.reshape(-1), x.size - x.size % _ROW
    return flat[:whole].reshape(-1, _ROW), flat[whole:]
