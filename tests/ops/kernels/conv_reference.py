"""Convolution by its definition, one output position at a time: the slow truth that the fast kernels are held to."""

import numpy as np
from hypothesis import strategies as st

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


def pair(low, high):
    return st.tuples(st.integers(low, high), st.integers(low, high))


@st.composite
def convolutions(draw):
    """(x, w, dy, arguments) of a convolution with at least one output pixel, or an empty batch."""
    group, taken, made = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    kernel, dilation, stride = draw(pair(1, 4)), draw(pair(1, 4)), draw(pair(1, 4))
    pads = draw(st.tuples(*[st.integers(0, 5)] * 4))
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    smallest = [max(1, r - sum(p)) for r, p in zip(reach, (pads[:2], pads[2:]), strict=True)]
    size = [draw(st.integers(s, s + 8)) for s in smallest]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    x = random.standard_normal((draw(st.integers(0, 3)), group * taken, *size))
    w = random.standard_normal((group * made, taken, *kernel))
    arguments = (stride, pads, dilation, group)
    dy = random.standard_normal(conv2d_reference(x, w, *arguments).shape)
    return x, w, dy, arguments
