"""Convolution of a few output rows at a time (NumPy only), for groups of one output channel, as depthwise ones have.

One row of weights would make a product that does nothing but read. So each kernel becomes a matrix of some rows: in
each row it stands a stride further, with 0 elsewhere; it meets unrolled rows (KW copies of the image).
"""

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share
from minispore.ops.kernels.conv.geometry import blocks
from minispore.ops.kernels.conv.work import Work, of_moves, of_products, total

SPREADS = ("forward",)
_MOST = 6  # output rows at a time
_CACHED = 1 << 21  # bytes of unrolled rows at a time: smaller pieces would cost more calls than the caches save


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW), where O is ``group``: blocks of kernels times unrolled rows."""
    n, taken, (oh, ow) = x.shape[0], w.shape[1], geometry.out
    weights, images = _weights(w, min(_MOST, oh), geometry), x.reshape(n, group, taken, *x.shape[2:])
    y = aligned.empty(np, (n, group, oh, ow), x.dtype)
    pieces = list(blocks(n, group, _bytes(x.shape, geometry, group, x.itemsize), _CACHED))
    most = [max(stop - start for start, stop in each) for each in zip(*pieces, strict=True)]
    tall = _reach(oh, geometry)
    arrays = WorkArrays(lambda: np.zeros((*most, tall, taken, geometry.kernel[1], ow), x.dtype))

    def convolve(piece):
        some, groups = (slice(*each) for each in piece)
        with arrays.one() as work:
            unrolled = work[: some.stop - some.start, : groups.stop - groups.start]
            _fill(unrolled, images[some, groups], pads, geometry)
            _multiply(weights[groups], unrolled, geometry, out=y[some, groups])

    share(np, convolve, pieces)
    return y


def _multiply(weights, unrolled, geometry, out):
    """Write all blocks of rows into ``out`` (N, group, OH, OW), and then the rest, which is a lower block."""
    height, rows = weights.shape[2], out.shape[2]
    whole = rows - rows % height
    for start, stop, size in ((0, whole, height), (whole, rows, rows - whole)):
        if start < stop:
            met = _met(unrolled[:, :, start * geometry.stride[0] :], size, (stop - start) // size, geometry)
            blocks = out[:, :, start:stop].reshape(*out.shape[:2], -1, size, out.shape[3])
            np.matmul(weights[:, :, :size, : met.shape[3]], met, out=blocks)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None where a group has more than one output channel."""
    if w_shape[0] != group:
        return None
    (n, taken, kw), (oh, ow) = (x_shape[0], *w_shape[1::2]), geometry.out
    height = min(_MOST, oh)
    works = [
        of_products(n * group * count, size, _reach(size, geometry) * taken * kw, ow)
        for size, count in ((height, oh // height), (oh % height, 1))
        if size
    ]
    unrolled = of_moves(n * group * _reach(oh, geometry) * taken * kw * ow, ow, geometry.stride[1])
    pieces = blocks(n, group, _bytes(x_shape, geometry, group, 4), _CACHED)
    steps = Work(steps=height + (kw + 2) * len(list(pieces)))
    return total(*works, unrolled, steps, of_moves(group * height * _reach(height, geometry) * taken * kw, kw))


def _reach(rows, geometry):
    """The number of padded rows of x that some output rows meet."""
    return (rows - 1) * geometry.stride[0] + (geometry.kernel[0] - 1) * geometry.dilation[0] + 1


def _bytes(x_shape, geometry, group, itemsize):
    """Bytes of the unrolled rows of one group of one image."""
    numbers = x_shape[1] // group * geometry.kernel[1] * geometry.out[1]
    return numbers * _reach(geometry.out[0], geometry) * itemsize


def _weights(w, height, geometry):
    """(group, 1, rows of a block, rows that they meet * C/group * KW)."""
    group, taken, kh, kw = w.shape
    weights = np.zeros((group, 1, height, _reach(height, geometry), taken, kw), w.dtype)
    for r in range(height):
        start = r * geometry.stride[0]
        stop = start + (kh - 1) * geometry.dilation[0] + 1
        weights[:, 0, r, start : stop : geometry.dilation[0]] = w.swapaxes(1, 2)
    return weights.reshape(group, 1, height, -1)


def _fill(unrolled, x, pads, geometry):
    """Copy x (N, group, C/group, H, W), for each kernel column, into unrolled rows, whose margins stay 0."""
    top, height = pads[0], x.shape[3]
    rows = min(height, unrolled.shape[2] - top)
    if rows > 0:
        for j, columns, to_columns in geometry.met_by_tap(1, x.shape[4], pads[2]):
            unrolled[:, :, top : top + rows, :, j, to_columns] = x[:, :, :, :rows, columns].swapaxes(2, 3)


def _met(unrolled, height, blocks, geometry):
    """(N, group, blocks, rows that a block meets * C/group * KW, OW): a view."""
    n, group, _, taken, kw, ow = unrolled.shape
    image, channel, row, _, column, pixel = unrolled.strides
    shape = (n, group, blocks, _reach(height, geometry) * taken * kw, ow)
    strides = (image, channel, row * geometry.stride[0] * height, column, pixel)
    return np.lib.stride_tricks.as_strided(unrolled, shape, strides)
