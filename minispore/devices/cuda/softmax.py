"""Softmax along the last axis, and its gradient: one launch each."""

import numpy as np

from minispore.devices.cuda.launch import kernel, row_by_row, row_threads, takes

__all__ = []


@row_by_row
def softmax(xp, x):
    """``e ** x / sum of e ** x`` along the last axis; None for arrays that the kernel does not take."""
    if not takes(x):
        return None
    y, size = xp.empty(x.shape, x.dtype), x.shape[-1]
    kernel(xp, "softmax", "softmax", x.dtype)((x.size // size,), (row_threads(size),), (x, np.int64(size), y))
    return y


@row_by_row
def softmax_grad(xp, dy, y):
    """``y * (dy - m)`` along the last axis, where m is the mean of dy weighted by y; None likewise."""
    if not takes(dy, y) or dy.dtype != y.dtype:
        return None
    dx, size = xp.empty(y.shape, y.dtype), y.shape[-1]
    kernel(xp, "softmax", "softmax_grad", y.dtype)((y.size // size,), (row_threads(size),), (dy, y, np.int64(size), dx))
    return dx
