"""Layer normalization and its gradient, a cache-sized block of rows at a time.

``y = (x - mean) / sqrt(var + eps) * gamma + beta`` in each row. The mean is taken twice, the second time of the centred
numbers. So a mean far larger than the standard deviation costs no digits. The second mean is not subtracted if it is
too small beside the deviation to change a float32.
"""

import math

import numpy as np

from minispore.ops.kernels.blocking.cache_blocks import by_rows
from minispore.ops.kernels.broadcast import along_rows
from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.reduce import column_sums, row_sums

_UNSEEN = 2.0**-23  # beside 1


@quiet
def layer_norm(xp, x, gamma, beta, begin_axis, eps):
    """Normalize over the axes from ``begin_axis`` on; gamma and beta have their shape.

    Returns (y, mean, biased variance); the last two keep the normalized axes, with size 1.
    """
    rows, gamma, beta = _rows(x, begin_axis), gamma.reshape(-1), beta.reshape(-1)
    y, (mean, var) = xp.empty(rows.shape, x.dtype), xp.empty((2, len(rows)), x.dtype)

    def normalize(block):
        mean[block], var[block] = _write_normal(xp, rows[block], y[block], eps)
        along_rows(xp.multiply, xp, y[block], gamma, out=y[block])
        along_rows(xp.add, xp, y[block], beta, out=y[block])

    by_rows(xp, normalize, *rows.shape)
    begin_axis %= x.ndim
    kept = x.shape[:begin_axis] + (1,) * (x.ndim - begin_axis)
    return y.reshape(x.shape), mean.reshape(kept), var.reshape(kept)


def _write_normal(xp, rows, out, eps):
    """(mean, variance) per row; the rows with mean 0 and variance 1 are written into ``out``."""
    size = float(rows.shape[1])
    mean = row_sums(xp, rows) / size
    xp.subtract(rows, mean[:, None], out=out)
    rest = row_sums(xp, out) / size
    var = xp.einsum("rl,rl->r", out, out) / size - rest * rest
    rstd = 1 / xp.sqrt(var + rows.dtype.type(eps))
    if _shows(xp, rest, rstd):
        out -= rest[:, None]
    out *= rstd[:, None]
    return mean + rest, var


def _shows(xp, rest, rstd):
    """True if some row's rest is visible beside its deviation; a GPU is never asked, since that would wait for it."""
    if xp is np:
        return not (np.abs(rest) * rstd <= _UNSEEN).all()
    return True


@quiet
def layer_norm_grad(xp, dy, x, gamma, mean, var, begin_axis, eps):
    """(dx, dgamma, dbeta) of :func:`layer_norm` as a function of x, gamma and beta, from its mean and variance.

    In a row, with ``n = (x - mean) / deviation`` and ``d = dy * gamma``:
    ``dx = (d - mean of d - n * mean of d * n) / deviation``. Over the rows, dgamma is the sum of ``dy * n``, and dbeta
    the sum of ``dy``.
    """
    rows, drows, row, size = _rows(x, begin_axis), _rows(dy, begin_axis), gamma.reshape(-1), float(gamma.size)
    mean, rstd = mean.reshape(-1, 1), 1 / xp.sqrt(var.reshape(-1) + x.dtype.type(eps))
    dx = xp.empty(rows.shape, x.dtype)

    def gradient(block):
        dy, scale = drows[block], rstd[block]
        centred = rows[block] - mean[block]
        products = dy * centred
        of_normal = products @ row * scale / size
        out = along_rows(xp.multiply, xp, dy, row, out=dx[block])
        centred *= (of_normal * scale)[:, None]
        out -= centred
        out -= (dy @ row / size)[:, None]
        out *= scale[:, None]
        return scale @ products, column_sums(xp, dy)

    dgamma, dbeta = (xp.stack(parts).sum(axis=0) for parts in zip(*by_rows(xp, gradient, *rows.shape), strict=True))
    return dx.reshape(x.shape), dgamma.reshape(gamma.shape), dbeta.reshape(gamma.shape)


def _rows(x, begin_axis):
    """View x as (rows, numbers that are normalized together)."""
    begin_axis %= x.ndim
    return x.reshape(math.prod(x.shape[:begin_axis]), math.prod(x.shape[begin_axis:]))
