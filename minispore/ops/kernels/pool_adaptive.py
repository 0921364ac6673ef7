"""Adaptive pooling of planes: the mean or the maximum of windows that share a plane evenly.

Along an axis of ``length`` pixels, the window i of ``count`` has those from ``floor(i * length / count)`` to
``ceil((i + 1) * length / count)``. Some lie in two windows if count does not divide length.
"""

import numpy as np

from minispore.ops.kernels.errstate import quiet


def windows(length, count):
    """The slice of each window along one axis."""
    return [slice(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


@quiet
def adaptive_avg_pool2d(xp, x, out):
    """``y[r, c] = mean of the window at (r, c)``: along the rows, and then along the columns."""
    return _means(xp, _means(xp, x, out[1], 3), out[0], 2)


@quiet
def adaptive_avg_pool2d_grad(xp, dy, x_shape):
    """dx: each pixel gathers ``dy / number of pixels`` from every window that it is in."""
    return _shared(xp, _shared(xp, dy, x_shape[2], 2), x_shape[3], 3)


def _means(xp, x, count, axis):
    lead = (slice(None),) * axis
    y = xp.empty((*x.shape[:axis], count, *x.shape[axis + 1 :]), x.dtype)
    for i, window in enumerate(windows(x.shape[axis], count)):
        y[(*lead, i)] = x[(*lead, window)].mean(axis=axis)
    return y


def _shared(xp, dy, length, axis):
    """The adjoint of :func:`_means`."""
    lead = (slice(None),) * axis
    dx = xp.zeros((*dy.shape[:axis], length, *dy.shape[axis + 1 :]), dy.dtype)
    for i, window in enumerate(windows(length, dy.shape[axis])):
        dx[(*lead, window)] += dy[(*lead, slice(i, i + 1))] / dy.dtype.type(window.stop - window.start)
    return dx


def adaptive_max_pool2d(xp, x, out):
    """(largest of each window, the position of the first such in its plane, row by row); nan counts as largest."""
    n, c, height, width = x.shape
    positions = xp.empty((n, c, *out), np.int64)
    for i, rows in enumerate(windows(height, out[0])):
        for j, columns in enumerate(windows(width, out[1])):
            window = x[:, :, rows, columns]
            across = window.shape[3]
            first = window.reshape(n, c, window.shape[2] * across).argmax(axis=2)
            positions[:, :, i, j] = (first // across + rows.start) * width + first % across + columns.start
    flat = x.reshape(n, c, height * width), positions.reshape(n, c, out[0] * out[1])
    return xp.take_along_axis(*flat, 2).reshape(positions.shape), positions
