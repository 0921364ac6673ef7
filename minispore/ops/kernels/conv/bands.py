"""Convolution by bands (NumPy only): each row of the kernel as a matrix that takes rows of x to rows of y.

Row q of such a matrix is the kernel's row, at the window q of a row of x, and 0 elsewhere::

    kernel row (a, b), 4 pixels, stride 1:    a b 0 0
                                              0 a b 0
                                              0 0 a b

Nothing is unrolled along the rows. This is the form of kernels about as wide as their input, whose bands have few
zeros, and of groups of few channels.
"""

import math

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import share, sum_of
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv.geometry import batches, pad, unpad
from minispore.ops.kernels.conv.grad_columns import parts
from minispore.ops.kernels.conv.work import Work, loop, of_moves, of_products, of_sums, total

SPREADS = "forward", "grad_input"
_CACHED = 1 << 20  # bytes of the rows that windows meet, at a time: they stay in the L2 cache
_FAR = 1 << 19  # bytes of a group's bands from which on these do not: then they are read for more rows at a time
_AGAIN = 4  # bytes of these rows, to each byte of the bands
_LARGEST = 1 << 22  # numbers of the bands, at most
_CALLS = 4  # of NumPy for each piece
_FILLS = 3  # how often the bands are moved: the system clears them, they are set to 0, and read
_ADDS = 2  # how often these rows are moved, once they are written: read, and added


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): the rows that each output row meets, times the bands."""
    n, made, (oh, ow) = x.shape[0], w.shape[0], geometry.out
    y = aligned.empty(xp, (n, group, made // group, oh, ow), x.dtype)
    bands = _bands(w, x.shape[3], pads, geometry, group).swapaxes(1, 2)

    def convolve(piece):
        rows = np.matmul(_rows_met(x[slice(*piece)], pads, geometry, group), bands)
        y[slice(*piece)] = rows.reshape(group, -1, oh, made // group, ow).transpose(1, 0, 3, 2, 4)

    share(xp, convolve, _pieces(x.shape, w.shape, geometry, group, x.itemsize))
    return y.reshape(n, made, oh, ow)


@small_buffers
def grad_input(xp, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W): the rows of dy times the bands, added to the rows of x that they met."""
    (n, c, _, width), (kh, _), (oh, _) = x_shape, geometry.kernel, geometry.out
    padded = aligned.zeros(xp, (n, group, c // group, geometry.padded[0], width), dy.dtype)
    bands = _bands(w, width, pads, geometry, group)

    def gather(piece):
        rows = np.matmul(_rows_made(dy[slice(*piece)], group), bands)
        rows = rows.reshape(group, -1, oh, c // group, kh, width).transpose(1, 0, 3, 4, 2, 5)
        image = padded[slice(*piece)]
        for of_rows, those in parts(kh, oh, geometry.stride[0], geometry.dilation[0]):
            image[:, :, :, those] += rows[(slice(None),) * 3 + of_rows]

    share(xp, gather, _pieces(x_shape, w.shape, geometry, group, dy.itemsize))
    return np.ascontiguousarray(unpad(padded.reshape(n, c, -1, width), (*pads[:2], 0, 0)))


@small_buffers
def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): the bands' gradient, dy times the rows that it met, summed along the diagonals."""
    made, taken, kh, kw = w_shape
    (_, ow), width = geometry.out, x.shape[3]

    def gradient(piece):
        some = slice(*piece)
        return np.matmul(_rows_made(dy[some], group).swapaxes(1, 2), _rows_met(x[some], pads, geometry, group))

    nbytes = made * ow * taken * kh * width * x.itemsize
    bands = sum_of(xp, gradient, _pieces(x.shape, w_shape, geometry, group, x.itemsize), nbytes)
    bands = bands.reshape(made, ow, taken, kh, width)
    dw = np.zeros((made, taken, kh, kw), x.dtype)
    for q, taps, pixels in geometry.windows(1, width, pads[2]):
        dw[..., taps] += bands[:, q, :, :, pixels]
    return dw


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None where the bands would be too large."""
    work = _work_of_products(x_shape, w_shape, pads, geometry, group)
    return work and total(work, of_moves(_numbers_met(x_shape, geometry), _run(x_shape, geometry)))


def _work_of_products(x_shape, w_shape, pads, geometry, group):
    """The work of the bands, of the products with them, and of the rows of y or dy; None where they are too large."""
    (n, _, _, width), (made, taken, kh, kw), (oh, ow) = x_shape, w_shape, geometry.out
    size = made * ow * taken * kh * width
    if size > _LARGEST:
        return None
    pieces = _number_of_pieces(x_shape, w_shape, geometry, group)
    products = of_products(group * pieces, n * oh // pieces, taken * kh * width, made // group * ow)
    edges = len({(taps.start, taps.stop) for _, taps, _ in geometry.windows(1, width, pads[2])})
    row = taken * kh * width
    filled = of_moves(_FILLS * size, row)
    kernels = of_moves(made * edges * taken * kh * kw, row if kw == width else loop(kw, kh))
    steps = Work(steps=ow + _CALLS * pieces)
    return total(products, filled, kernels, of_moves(n * made * oh * ow, loop(ow, made // group, oh)), steps)


def _numbers_met(x_shape, geometry):
    """The numbers of the rows that each output row meets."""
    return x_shape[0] * x_shape[1] * geometry.out[0] * geometry.kernel[0] * x_shape[3]


def _run(x_shape, geometry):
    """The number of neighbours among the numbers that one window meets."""
    return x_shape[3] * geometry.kernel[0] if geometry.dilation[0] == 1 else loop(x_shape[3], geometry.kernel[0])


def grad_input_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_input`: as much, but the rows are added where they would be copied."""
    work, (kh, _), (oh, _) = _work_of_products(x_shape, w_shape, pads, geometry, group), geometry.kernel, geometry.out
    if work is None:
        return None
    numbers, run = _numbers_met(x_shape, geometry), _run(x_shape, geometry) if kh > oh else loop(x_shape[3], oh)
    steps = Work(steps=_number_of_pieces(x_shape, w_shape, geometry, group) * min(kh, oh))
    return total(work, of_sums(_ADDS * numbers, _ADDS * run), of_moves(math.prod(x_shape), run), steps)


def grad_weight_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_weight`: as much, but the bands are added over the pieces, and then along the diagonals.

    None where the bands would be too large.
    """
    work, (made, taken, kh, kw), ow = forward_work(x_shape, w_shape, pads, geometry, group), w_shape, geometry.out[1]
    if work is None:
        return None
    size, pieces = made * ow * taken * kh * x_shape[3], _number_of_pieces(x_shape, w_shape, geometry, group)
    return total(work, of_moves(pieces * size, size), of_moves(made * ow * taken * kh * kw, loop(kw, kh)))


def _bands(w, width, pads, geometry, group):
    """(group, O/group * OW, C/group * KH * W)."""
    made, taken, kh, _ = w.shape
    bands = np.zeros((made, geometry.out[1], taken, kh, width), w.dtype)
    flat, stride, last = bands.reshape(made, geometry.out[1], -1), geometry.stride[1], None
    for q, taps, pixels in geometry.windows(1, width, pads[2]):
        if last == (q - 1, taps):  # the last band, a stride further: what leaves a row at its end are zeros
            flat[:, q, stride:] = flat[:, q - 1, :-stride]
        else:
            bands[:, q, :, :, pixels] = w[..., taps]
        last = q, taps
    return bands.reshape(group, made // group * geometry.out[1], -1)


def _rows_met(x, pads, geometry, group):
    """(group, N * OH, C/group * KH * W): the rows of x that each output row meets."""
    padded = pad(np, x, (*pads[:2], 0, 0))
    n, c, _, width = padded.shape
    image, channel, row, column = padded.strides
    met = np.lib.stride_tricks.as_strided(
        padded,
        (group, n, geometry.out[0], c // group, geometry.kernel[0], width),
        (c // group * channel, image, row * geometry.stride[0], channel, row * geometry.dilation[0], column),
    )
    return met.reshape(group, n * geometry.out[0], -1)


def _rows_made(dy, group):
    """(group, N * OH, O/group * OW)."""
    n, made, oh, ow = dy.shape
    return dy.reshape(n, group, made // group, oh, ow).transpose(1, 0, 3, 2, 4).reshape(group, n * oh, -1)


def _pieces(x_shape, w_shape, geometry, group, itemsize):
    """(start, stop) of the images at a time; by sizes alone, so that sums do not depend on the workers."""
    row = geometry.kernel[0] * x_shape[3] * itemsize
    bands = w_shape[0] // group * geometry.out[1] * w_shape[1] * row
    return batches(x_shape[0], x_shape[1] * row * geometry.out[0], _CACHED if bands < _FAR else _AGAIN * bands)


def _number_of_pieces(x_shape, w_shape, geometry, group):
    return len(list(_pieces(x_shape, w_shape, geometry, group, 4)))
