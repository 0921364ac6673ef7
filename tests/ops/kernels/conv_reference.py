"""Convolution by its definition, one output position at a time: the slow truth that the fast kernels are held to."""

import numpy as np

from minispore.ops.kernels.conv.geometry import geometry_of, pad


def _positions(geometry):
    """Yield each output position with the slices of the padded image that its window reads."""
    for row in range(geometry.out[0]):
        for column in range(geometry.out[1]):
            yield row, column, geometry.window(row, column)


def _groups(group, x_channels, out_channels):
    """Yield, per group, the slice of the image's channels and the slice of the output's channels."""
    taken, made = x_channels // group, out_channels // group
    for g in range(group):
        yield slice(g * taken, (g + 1) * taken), slice(g * made, (g + 1) * made)


def conv2d_reference(x, w, stride, pads, dilation, group):
    """``y[n, o, r, c] = sum over the window at (r, c) of padded x times w[o]``."""
    geometry = geometry_of(x.shape, w.shape, stride, pads, dilation)
    padded = pad(np, x, pads)
    y = np.zeros((x.shape[0], w.shape[0], *geometry.out), x.dtype)
    for taken, made in _groups(group, x.shape[1], w.shape[0]):
        for row, column, (rows, columns) in _positions(geometry):
            window = padded[:, taken, rows, columns]
            y[:, made, row, column] = np.tensordot(window, w[made], axes=((1, 2, 3), (1, 2, 3)))
    return y


def conv2d_grad_input_reference(dy, w, x_shape, stride, pads, dilation, group):
    """Each window of the padded dx gathers ``dy[n, o, r, c] * w[o]``."""
    geometry = geometry_of(x_shape, w.shape, stride, pads, dilation)
    top, bottom, left, right = pads
    n, c, h, w_ = x_shape
    dx = np.zeros((n, c, h + top + bottom, w_ + left + right), dy.dtype)
    for taken, made in _groups(group, c, w.shape[0]):
        for row, column, (rows, columns) in _positions(geometry):
            dx[:, taken, rows, columns] += np.tensordot(dy[:, made, row, column], w[made], axes=1)
    return dx[:, :, top : top + h, left : left + w_]


def conv2d_grad_weight_reference(dy, x, w_shape, stride, pads, dilation, group):
    """``dw[o] = sum over images and positions of dy[n, o, r, c] * the window at (r, c)``."""
    geometry = geometry_of(x.shape, w_shape, stride, pads, dilation)
    padded = pad(np, x, pads)
    dw = np.zeros(w_shape, dy.dtype)
    for taken, made in _groups(group, x.shape[1], w_shape[0]):
        for row, column, (rows, columns) in _positions(geometry):
            dw[made] += np.tensordot(dy[:, made, row, column].T, padded[:, taken, rows, columns], axes=1)
    return dw
