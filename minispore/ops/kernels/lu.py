"""Triangular factors of matrices by elimination with row pivots, a stack of matrices at once."""

import numpy as np

from minispore.ops.kernels.select import select


def swapped(xp, rows, k, pivots):
    """The order of rows in which row ``k`` and row ``pivots`` of each matrix change places."""
    pivots = pivots[:, None]
    return select(xp, rows == k, pivots, select(xp, rows == pivots, k, rows))


def lu(xp, x):
    """``(factors, pivots)`` of matrices: U with L below its diagonal, and the row that each row was exchanged with.

    Args:
        xp (module): The array module.
        x (array): Shape ``(n, rows, columns)``, float32 or float64.
    """
    count, height, width = x.shape
    out, rows, pivots = x.copy(), xp.arange(height)[None, :], []
    for k in range(min(height, width)):
        pivots.append(xp.argmax(xp.abs(out[:, k:, k]), axis=1) + k)
        out = xp.take_along_axis(out, swapped(xp, rows, k, pivots[-1])[:, :, None], 1)
        top = out[:, k : k + 1, k]
        factors = out[:, k + 1 :, k] / select(xp, top == 0, 1, top).astype(x.dtype)
        out[:, k + 1 :, k] = factors
        out[:, k + 1 :, k + 1 :] -= factors[:, :, None] * out[:, k : k + 1, k + 1 :]
    found = xp.stack(pivots, 1) if pivots else xp.zeros((count, 0), np.int64)
    return out, found.astype(np.int32)


def row_order(xp, pivots, height):
    """The order of rows that exchanges, counted from 0, lead to: ``x[order]`` is what was factored."""
    rows = xp.arange(height)[None, :]
    order = xp.broadcast_to(rows, (len(pivots), height))
    for k in range(pivots.shape[1]):
        order = xp.take_along_axis(order, swapped(xp, rows, k, pivots[:, k]), 1)
    return order
