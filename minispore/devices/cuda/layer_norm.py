"""Layer normalization (one launch) and its gradient (two: by the rows, and by the weights)."""

import numpy as np

from minispore.devices.cuda.launch import THREADS, ceil_div, counters_for, kernel, row_by_row, row_threads, takes

__all__ = []

_COLUMNS, _ROWS = 32, 8  # of a block's threads, where columns are summed


@row_by_row
def layer_norm(xp, x, gamma, beta, begin_axis, eps, dtype=None):
    """(y, mean, biased variance) over the axes from ``begin_axis`` on; None for arrays that are not taken.

    y is of x's dtype, or of ``dtype``.
    """
    if not takes(x, gamma, beta) or gamma.dtype != beta.dtype or not _fit(x, gamma):
        return None
    kept = x.shape[:begin_axis] + (1,) * (x.ndim - begin_axis)
    y, mean, var = xp.empty(x.shape, dtype or x.dtype), xp.empty(kept, np.float32), xp.empty(kept, np.float32)
    arguments = x, gamma, beta, np.float32(eps), np.int32(gamma.size), y, mean, var
    kernel(xp, "layer_norm", "layer_norm", x.dtype, gamma.dtype, y.dtype)(
        (mean.size,), (row_threads(gamma.size),), arguments
    )
    return y, mean, var


@row_by_row
def layer_norm_grad(xp, dy, x, gamma, mean, var, eps):
    """(dx, dgamma, dbeta) from the rows' means and variances; None likewise."""
    if not takes(dy, x, gamma, mean, var) or dy.dtype != x.dtype or not _fit(x, gamma):
        return None
    size, rows = gamma.size, mean.size
    dx, dgamma, dbeta = (xp.empty(like.shape, like.dtype) for like in (x, gamma, gamma))
    by_row = dy, x, gamma, mean, var, np.float32(eps), np.int32(size), dx
    kernel(xp, "layer_norm", "layer_norm_grad", x.dtype, gamma.dtype)((rows,), (row_threads(size),), by_row)
    columns = ceil_div(size, _COLUMNS)
    slices = max(1, min(32, rows // (8 * _ROWS)))
    partial, counters = xp.empty((slices, 2, size), np.float32), counters_for(xp, columns)
    by_column = dy, x, mean, var, np.float32(eps), np.int32(rows), np.int32(size), partial, counters, dgamma, dbeta
    kernel(xp, "layer_norm", "layer_norm_grad_weights", x.dtype, gamma.dtype)((columns, slices), (THREADS,), by_column)
    return dx, dgamma, dbeta


def _fit(x, gamma):
    """True if gamma is of x's dtype, or of float32."""
    return gamma.dtype in (x.dtype, np.float32)
