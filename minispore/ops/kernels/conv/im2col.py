"""Convolution as im2col and a matrix product: right for every stride, dilation and group, on every device.

The windows are copied side by side into columns, and the kernel meets them in one product per image and group.
"""

import math

import numpy as np

from minispore.ops.kernels.blocking.batch_pieces import share, sum_of
from minispore.ops.kernels.conv.geometry import batches, number_of_batches, pad
from minispore.ops.kernels.conv.work import Work, loop, of_moves, of_products, total
from minispore.ops.kernels.matmul import product, product_into

_CACHED = 768 << 10  # bytes of columns at a time on the CPU: they are read back from the L2 cache
_CALLS = 4  # of NumPy, for each of these pieces
_DEVICE = 256 << 20  # and on other devices, where few big launches are better


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): weights times columns."""
    n, made = x.shape[0], w.shape[0]
    y = xp.empty((n, group, made // group, geometry.out[0] * geometry.out[1]), x.dtype)
    weights = w.reshape(group, made // group, -1)

    def convolve(piece):
        columns = _columns(xp, pad(xp, x[slice(*piece)], pads), geometry, group)
        product_into(xp, weights, columns, y[slice(*piece)])

    share(xp, convolve, _pieces(xp, x, geometry))
    return y.reshape(n, made, *geometry.out)


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): dy times transposed columns, summed over the images."""
    n, made = dy.shape[:2]
    rows = dy.reshape(n, group, made // group, -1)

    def gradient(piece):
        columns = _columns(xp, pad(xp, x[slice(*piece)], pads), geometry, group)
        return product(xp, rows[slice(*piece)], columns.swapaxes(2, 3)).sum(axis=0)

    nbytes = w_shape[0] * w_shape[1] * w_shape[2] * w_shape[3] * dy.itemsize
    return sum_of(xp, gradient, _pieces(xp, x, geometry), nbytes).reshape(w_shape)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`."""
    terms, pixels = w_shape[1] * w_shape[2] * w_shape[3], geometry.out[0] * geometry.out[1]
    products = of_products(x_shape[0] * group, w_shape[0] // group, terms, pixels)
    if geometry.kernel == geometry.stride == (1, 1):
        return total(products, Work(steps=1))
    steps = _CALLS * number_of_batches(x_shape[0], 4 * group * terms * pixels, _CACHED)
    columns, run = x_shape[0] * group * terms * pixels, loop(*geometry.out[::-1]) // 2
    return total(products, of_moves(columns, run, geometry.stride[1]), Work(steps=steps))


def grad_weight_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_weight`: its columns are transposed, and the products summed over the images."""
    own = geometry.kernel == geometry.stride == (1, 1)  # x itself, which is not copied
    columns = 0 if own else x_shape[1] * math.prod((*geometry.kernel, *geometry.out)) // 2
    moved = of_moves(x_shape[0] * (columns + math.prod(w_shape)), math.prod(w_shape))
    return total(forward_work(x_shape, w_shape, pads, geometry, group), moved)


def _pieces(xp, x, geometry):
    (kh, kw), (oh, ow) = geometry.kernel, geometry.out
    bytes_each = x.shape[1] * kh * kw * oh * ow * x.dtype.itemsize
    return batches(x.shape[0], bytes_each, _budget(xp))


def _budget(xp):
    """The largest number of bytes of columns for a piece of the batch."""
    if xp is np:
        return _CACHED
    return _DEVICE


def _columns(xp, padded, geometry, group):
    """(N, group, C/group * KH * KW, OH * OW): the pixel that each kernel element meets at each output pixel."""
    n, c = padded.shape[:2]
    if geometry.kernel == geometry.stride == (1, 1):
        return padded.reshape(n, group, c // group, -1)  # each pixel is a column already
    image, channel, row, column = padded.strides
    (down, across), (row_step, column_step) = geometry.stride, geometry.dilation
    taps = xp.lib.stride_tricks.as_strided(
        padded,
        (n, c, *geometry.kernel, *geometry.out),
        (image, channel, row * row_step, column * column_step, row * down, column * across),
    )
    return taps.reshape(n, group, -1, geometry.out[0] * geometry.out[1])
