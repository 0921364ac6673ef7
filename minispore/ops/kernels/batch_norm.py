"""Batch normalization with its gradient: ``y = (x - mean) / sqrt(var + eps) * scale + bias``.

Sums run as matrix products with a vector of ones, which is several times faster than NumPy's reductions. The variance
is summed over centred numbers, and the mean is corrected once by their remaining mean. So a mean far larger than the
standard deviation costs no digits.
"""

import itertools

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
_PIECE = 2 << 20  # bytes of the images that one thread sums at a time
_SHARE = 2 << 20  # bytes that a worker must have for its share to be worth the handing over
_RUN = 1 << 10  # bytes of one image that lie together, at least
_LONG = 128  # with so many pixels a sum per plane is worth its call


@quiet
@small_buffers
def batch_norm(xp, x, scale, bias, eps):
    """Normalize each channel (axis 1) over all other axes; returns (y, mean, biased variance), the last two (C,)."""
    x_, y = _by_channel(x), aligned.empty(xp, x.shape, x.dtype)
    out = _by_channel(y)

    def normalize(some):
        return _normalize(xp, x_[:, some], scale[some], bias[some], eps, out[:, some])

    return y, *_joined(xp, share(xp, normalize, _channels(xp, x)))


def _normalize(xp, x, scale, bias, eps, out):
    """Normalize x (N, C, pixels) into ``out``; the mean and the variance of each channel."""
    count = _count(x)
    mean = _totals(xp, lambda few: (_sums(xp, few),), x)[0] / count
    centre = spread(xp, mean, x)

    def centred_sums(few, part):
        xp.subtract(few, centre, out=part)
        return _sums(xp, part), _dots(xp, part, part)

    rest, squares = (total / count for total in _totals(xp, centred_sums, x, out))
    var = squares - rest * rest
    factor = scale / xp.sqrt(var + x.dtype.type(eps))
    slope, offset = (spread(xp, v, x) for v in (factor, bias - rest * factor))
    out *= slope
    out += offset
    return mean + rest, var


@quiet
@small_buffers
def batch_norm_grad(xp, dy, x, scale, mean, var, eps):
    """(dx, dscale, dbias) of :func:`batch_norm` as a function of x, scale and bias, from its mean and variance."""
    dx = aligned.empty(xp, x.shape, x.dtype)
    images, out = (_by_channel(dy), _by_channel(x)), _by_channel(dx)

    def gradient(some):
        parts = (each[:, some] for each in images)
        return _gradient(xp, *parts, scale[some], mean[some], var[some], eps, out[:, some])

    return dx, *_joined(xp, share(xp, gradient, _channels(xp, x)))


def _gradient(xp, dy, x, scale, mean, var, eps, out):
    """Write the gradient of x (N, C, pixels) into ``out``; those of each channel's scale and bias."""
    count, centre = _count(x), spread(xp, mean, x)

    def centred_sums(few, dfew, part):
        xp.subtract(few, centre, out=part)
        return _sums(xp, dfew), _dots(xp, dfew, part)

    dbias, dots = _totals(xp, centred_sums, x, dy, out)
    rstd = 1 / xp.sqrt(var + x.dtype.type(eps))
    dscale = dots * rstd
    a = scale * rstd  # dx = a * dy + b * (x - mean) - c, per channel
    b, c = -a * (rstd * dscale / count), a * (dbias / count)
    a, b, c = (spread(xp, v, x) for v in (a, b, c))
    for few, dfew in _blocks(xp, _CACHED // 3, out, dy):
        few *= b
        few += xp.multiply(dfew, a, out=aligned.empty(xp, few.shape, few.dtype))
        few -= c
    return dscale, dbias


def _channels(xp, x):
    """Slices of the channels of x, one for each worker, so that few calls wait for Python's lock."""
    channels, sharing = x.shape[1], _sharing(xp, x)
    number = min(channels, sharing, max(1, x[:1].nbytes // _RUN))
    if number == 1:
        return [slice(None)]
    cuts = [i * channels // number for i in range(number + 1)]
    return [slice(*pair) for pair in itertools.pairwise(cuts)]


def _sharing(xp, x):
    """The number of workers that share x."""
    if xp is np:
        return workers.useful(x.nbytes, _SHARE)
    return 1


def _joined(xp, parts):
    """The arrays that the groups of channels have each a part of."""
    return parts[0] if len(parts) == 1 else tuple(map(xp.concatenate, zip(*parts, strict=True)))


def _blocks(xp, most, *arrays):
    """Some images of the arrays, up to so many bytes of each; all of them where workers share x."""
    if xp is np and arrays[0].nbytes > most and not (workers.at_work() and workers.count() > 1):
        cuts = batches(arrays[0].shape[0], arrays[0][:1].nbytes, most)
        return [[array[start:stop] for array in arrays] for start, stop in cuts]
    return [arrays]


def _totals(xp, work, *arrays):
    """The sum of each channel over the images, of what ``work`` returns for some images of the arrays: (images, C)."""
    blocks = _blocks(xp, _PIECE, *arrays) if arrays[0].shape[2] >= _LONG else [arrays]
    found = zip(*(work(*some) for some in blocks), strict=True)
    rows = (parts[0] if len(parts) == 1 else xp.concatenate(parts) for parts in found)
    return [_row_sums(xp, xp.ascontiguousarray(each.T)) for each in rows]


@quiet
@small_buffers
def batch_norm_inference(xp, x, scale, bias, mean, var, eps):
    """Normalize each channel of x by a given mean and variance (C,)."""
    factor = scale / xp.sqrt(var + var.dtype.type(eps))
    y = aligned.empty(xp, x.shape, x.dtype)
    x_, out = _by_channel(x), _by_channel(y)

    def normalize(some):
        part, few = out[:, some], x_[:, some]
        xp.subtract(few, spread(xp, mean[some], few), out=part)
        part *= spread(xp, factor[some], few)
        part += spread(xp, bias[some], few)

    share(xp, normalize, _channels(xp, x))
    return y


def _by_channel(x):
    """View x (N, C, ...) as (N, C, pixels)."""
    return x.reshape(*x.shape[:2], -1) if x.size else x.reshape(*x.shape[:2], 0)


def _count(x):
    """Numbers per channel, as a float: float32 divided by an int above 65535 would be float64 in NumPy 1."""
    return x.size / max(1, x.shape[1])


def _sums(xp, x):
    """The sums of x (N, C, pixels) over the pixels, (N, C); over the images too if there are few pixels, (1, C).

    On NumPy no sum depends on the other channels, as the rows of a matrix in a product of BLAS may do.
    """
    n, channels, pixels = x.shape
    if pixels >= _LONG:
        return _row_sums(xp, x)
    return _row_sums(xp, _totals_of_images(xp, x.reshape(n, channels * pixels)).reshape(1, channels, pixels))


def _totals_of_images(xp, columns):
    """The sum of each column of a matrix."""
    if xp is np:
        return columns.sum(axis=0)
    return column_sums(xp, columns)


def _dots(xp, a, b):
    """The sums of ``a * b``, likewise."""
    return _row_dots(xp, a, b) if a.shape[2] >= _LONG else _sums(xp, a * b)


def _row_sums(xp, x):
    """The sum of each row of (..., rows, length) by a product, however long it is."""
    return _row_dots(xp, x, xp.ones(x.shape[-1], x.dtype))


def _row_dots(xp, a, b):
    """The sum of ``a * b`` of each row, by the BLAS: faster than einsum."""
    return xp.matmul(a[..., None, :], b[..., None])[..., 0, 0]
