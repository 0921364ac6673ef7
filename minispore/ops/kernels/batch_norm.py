"""Batch normalization with its gradient: ``y = (x - mean) / sqrt(var + eps) * scale + bias``.

Sums run as matrix products with a vector of ones, which is several times faster than NumPy's reductions. The variance
is summed over centred numbers, and the mean is corrected once by their remaining mean. So a mean far larger than the
standard deviation costs no digits.
"""

import functools
import operator

import numpy as np

from minispore.ops.kernels import workers
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import share
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.channel_broadcast import spread
from minispore.ops.kernels.conv.geometry import batches
from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.reduce import column_sums

_CACHED = 768 << 10  # bytes that are worked on at a time: they stay in the L2 cache
_PIECE = 2 << 20  # bytes of a batch that a worker normalizes at a time
_LONG = 32  # with so many pixels a sum per plane is worth its call


@quiet
@small_buffers
def batch_norm(xp, x, scale, bias, eps):
    """Normalize each channel (axis 1) over all other axes; returns (y, mean, biased variance), the last two (C,)."""
    x_, y, pieces, count = _by_channel(x), aligned.empty(xp, x.shape, x.dtype), _pieces(xp, x), _count(x)
    out = _by_channel(y)
    mean = _totals(xp, lambda piece: (_channel_sums(xp, x_[piece]),), pieces)[0] / count
    centre = spread(xp, mean, x_)

    def centred_sums(piece):
        part = xp.subtract(x_[piece], centre, out=out[piece])
        return _channel_sums(xp, part), _channel_dots(xp, part, part)

    rest, squares = (total / count for total in _totals(xp, centred_sums, pieces))
    var = squares - rest * rest
    factor = scale / xp.sqrt(var + x.dtype.type(eps))
    slope, offset = (spread(xp, v, x_) for v in (factor, bias - rest * factor))

    def normalize(piece):
        part = out[piece]
        part *= slope
        part += offset

    share(xp, normalize, pieces)
    return y, mean + rest, var


@quiet
@small_buffers
def batch_norm_grad(xp, dy, x, scale, mean, var, eps):
    """(dx, dscale, dbias) of :func:`batch_norm` as a function of x, scale and bias, from its mean and variance."""
    x_, dx, pieces, count = _by_channel(x), aligned.empty(xp, x.shape, x.dtype), _pieces(xp, x), _count(x)
    dy_, out, centre = _by_channel(dy), _by_channel(dx), spread(xp, mean, x_)

    def centred_sums(piece):
        part = xp.subtract(x_[piece], centre, out=out[piece])
        return _channel_sums(xp, dy_[piece]), _channel_dots(xp, dy_[piece], part)

    dbias, dots = _totals(xp, centred_sums, pieces)
    rstd = 1 / xp.sqrt(var + x.dtype.type(eps))
    dscale = dots * rstd
    a = scale * rstd  # dx = a * dy + b * (x - mean) - c, per channel
    b, c = -a * (rstd * dscale / count), a * (dbias / count)
    a, b, c = (spread(xp, v, x_) for v in (a, b, c))

    def gradient(piece):
        part, dpart = out[piece], dy_[piece]
        for few, dfew in _blocks(xp, part, dpart):
            few *= b
            few += xp.multiply(dfew, a, out=aligned.empty(xp, few.shape, few.dtype))
            few -= c

    share(xp, gradient, pieces)
    return dx, dscale, dbias


def _pieces(xp, x):
    """Slices of the batch: long, as workers want them, and the same for any number of workers."""
    if xp is np and x.nbytes > _PIECE:
        return [slice(*piece) for piece in batches(x.shape[0], x.nbytes // x.shape[0], _PIECE)]
    return [slice(None)]


def _blocks(xp, *arrays):
    """Parts of the arrays that fit the L2 cache together with one array more; the whole arrays for several workers."""
    if xp is np and arrays[0].nbytes > _CACHED // 3 and not (workers.at_work() and workers.count() > 1):
        cuts = batches(arrays[0].shape[0], 3 * arrays[0][:1].nbytes, _CACHED)
        return [[array[start:stop] for array in arrays] for start, stop in cuts]
    return [arrays]


def _totals(xp, work, pieces):
    """The sums, over the pieces in their order, of the arrays that ``work(piece)`` returns."""
    first, *others = share(xp, work, pieces)
    return [functools.reduce(operator.add, parts) for parts in zip(first, *others, strict=True)] if others else first


@quiet
@small_buffers
def batch_norm_inference(xp, x, scale, bias, mean, var, eps):
    """Normalize each channel of x by a given mean and variance (C,)."""
    factor = scale / xp.sqrt(var + var.dtype.type(eps))
    x_, y = _by_channel(x), aligned.empty(xp, x.shape, x.dtype)
    centre, slope, offset, out = *(spread(xp, v, x_) for v in (mean, factor, bias)), _by_channel(y)

    def normalize(piece):
        part = xp.subtract(x_[piece], centre, out=out[piece])
        part *= slope
        part += offset

    pieces = _pieces(xp, x)
    share(xp, normalize, pieces)
    return y


def _by_channel(x):
    """View x (N, C, ...) as (N, C, pixels)."""
    return x.reshape(*x.shape[:2], -1) if x.size else x.reshape(*x.shape[:2], 0)


def _count(x):
    """Numbers per channel, as a float: float32 divided by an int above 65535 would be float64 in NumPy 1."""
    return x.size / max(1, x.shape[1])


def _row_sums(xp, rows):
    """The sum of each row by a product, however long it is; :func:`reduce.row_sums` sums long rows pairwise."""
    return rows @ xp.ones(rows.shape[1], rows.dtype)


def _channel_sums(xp, x):
    """The sum of each channel of (N, C, pixels): over the longer of its two other axes first."""
    n, channels, pixels = x.shape
    if pixels >= _LONG:
        return column_sums(xp, _row_sums(xp, x.reshape(n * channels, pixels)).reshape(n, channels))
    return _row_sums(xp, column_sums(xp, x.reshape(n, channels * pixels)).reshape(channels, pixels))


def _channel_dots(xp, a, b):
    """The sum of ``a * b`` of each channel of (N, C, pixels)."""
    n, channels, pixels = a.shape
    if pixels < _LONG:
        return _channel_sums(xp, a * b)
    rows = xp.matmul(a.reshape(-1, 1, pixels), b.reshape(-1, pixels, 1))  # by the BLAS, faster than einsum
    return column_sums(xp, rows.reshape(n, channels))
