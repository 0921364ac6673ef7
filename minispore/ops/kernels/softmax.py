"""Softmax along the last axis, and its gradient, a cache-sized block of rows at a time.

``e ** x`` needs no shift by the row's maximum unless it overflows, or underflows in the whole row. The row's sum shows
this, so only such rows are computed again, with the shift.
"""

import numpy as np

from minispore.ops.kernels.blocking.cache_blocks import by_rows
from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.reduce import row_sums

_SMALL = 1 << 12  # elements up to which nothing is gained
_LEAST, _MOST = 2.0**-10, 2.0**96  # between these sums only quotients below 2 ** -116 lose digits to underflow


@quiet
def softmax(xp, x, axis=-1):
    """``e ** x / sum of e ** x`` along an axis, for float32 or float64."""
    if xp is np and x.size >= _SMALL and axis in (-1, x.ndim - 1):
        rows = _rows(x)
        out = np.empty(rows.shape, x.dtype)
        by_rows(np, lambda block: _write_softmax(out[block], rows[block]), *rows.shape)
        return out.reshape(x.shape)
    return _shifted(xp, x, axis) if x.size else x


def _write_softmax(out, rows):
    np.exp(rows, out=out)
    sums = row_sums(np, out)
    beyond = np.flatnonzero(~((sums > _LEAST) & (sums < _MOST)))  # also where the sum is NaN
    if beyond.size:
        out[beyond], sums[beyond] = _shifted(np, rows[beyond]), 1
    out /= sums[:, None]


@quiet
def softmax_grad(xp, dy, y):
    """``y * (dy - m)`` along the last axis, where m is the mean of ``dy`` weighted by y.

    It is ``sum of dy * y`` where y sums to 1, as a softmax does before it is rounded to float16.
    """
    if xp is np and y.size >= _SMALL:
        dy, y_ = _rows(dy), _rows(y)
        out = np.empty(y_.shape, y.dtype)
        by_rows(np, lambda block: _write_grad(out[block], dy[block], y_[block]), *y_.shape)
        return out.reshape(y.shape)
    return (dy - (dy * y).sum(axis=-1, keepdims=True) / y.sum(axis=-1, keepdims=True)) * y


def _write_grad(out, dy, y):
    np.multiply(dy, y, out=out)
    mean = row_sums(np, out) / row_sums(np, y)
    np.subtract(dy, mean[:, None], out=out)
    out *= y


def _shifted(xp, x, axis=-1):
    powers = x - x.max(axis=axis, keepdims=True)
    xp.exp(powers, out=powers)
    powers /= powers.sum(axis=axis, keepdims=True)
    return powers


def _rows(x):
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1])
