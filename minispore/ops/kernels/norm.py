"""Batch and layer normalization with their gradients: ``y = (x - mean) / sqrt(var + eps) * scale + bias``.

Sums run as matrix products with a vector of ones, which is several times faster than NumPy's reductions. The variance
is summed over centred numbers, and the mean is corrected once by what they still sum to, so that a mean far larger
than the standard deviation costs no digits.
"""

import numpy as np

from minispore.ops.kernels.conv_geometry import batches
from minispore.ops.kernels.quiet import quiet

_CACHED = 768 << 10  # bytes that are worked on at a time: they stay in the L2 cache
_DEVICE = 1 << 40  # other devices take all at once
_LONG = 32  # pixels from which on a sum per plane is worth its call


@quiet
def batch_norm(xp, x, scale, bias, eps):
    """Normalize each channel (axis 1) over all other axes; returns (y, mean, biased variance), the last two (C,)."""
    grouped, count = _by_channel(x), _count(x)
    mean = _channel_sums(xp, grouped) / count
    y = grouped - mean[:, None]
    rest = _channel_sums(xp, y) / count
    var = _channel_dots(xp, y, y) / count - rest * rest
    factor = scale / xp.sqrt(var + x.dtype.type(eps))
    y *= factor[:, None]
    y += (bias - rest * factor)[:, None]
    return y.reshape(x.shape), mean + rest, var


@quiet
def batch_norm_grad(xp, dy, x, scale, mean, var, eps):
    """(dx, dscale, dbias) of :func:`batch_norm` as a function of x, scale and bias, from its mean and variance."""
    dy_, x_, count = _by_channel(dy), _by_channel(x), _count(x)
    dx = x_ - mean[:, None]
    rstd = 1 / xp.sqrt(var + x.dtype.type(eps))
    dbias = _channel_sums(xp, dy_)
    dscale = _channel_dots(xp, dy_, dx) * rstd
    a = (scale * rstd)[:, None]  # dx = a * dy + b * (x - mean) - c, per channel
    b, c = -a * (rstd * dscale / count)[:, None], a * (dbias / count)[:, None]
    for start, stop in batches(x.shape[0], 3 * x[:1].nbytes, _CACHED if xp is np else _DEVICE):
        part = dx[start:stop]
        part *= b
        part += dy_[start:stop] * a
        part -= c
    return dx.reshape(x.shape), dscale, dbias


@quiet
def batch_norm_inference(xp, x, scale, bias, mean, var, eps):
    """Normalize each channel of x by a given mean and variance (C,)."""
    factor = scale / xp.sqrt(var + var.dtype.type(eps))
    y = _by_channel(x) - mean[:, None]
    y *= factor[:, None]
    y += bias[:, None]
    return y.reshape(x.shape)


@quiet
def layer_norm(xp, x, gamma, beta, begin_axis, eps):
    """Normalize over the axes from ``begin_axis`` on; gamma and beta have their shape.

    Returns (y, mean, biased variance); the last two keep the normalized axes, with size 1.
    """
    rows = _rows(x, begin_axis)
    centred, mean, var = _centred(xp, rows)
    centred *= 1 / xp.sqrt(var + x.dtype.type(eps))[:, None]
    centred *= gamma.reshape(-1)
    centred += beta.reshape(-1)
    kept = _kept_shape(x, begin_axis)
    return centred.reshape(x.shape), mean.reshape(kept), var.reshape(kept)


@quiet
def layer_norm_grad(xp, dy, x, gamma, mean, var, begin_axis, eps):
    """(dx, dgamma, dbeta) of :func:`layer_norm` as a function of x, gamma and beta, from its mean and variance."""
    rows, drows = _rows(x, begin_axis), _rows(dy, begin_axis)
    rstd = 1 / xp.sqrt(var.reshape(-1, 1) + x.dtype.type(eps))
    normal = (rows - mean.reshape(-1, 1)) * rstd
    dgamma = _ones(xp, x, rows.shape[0]) @ (drows * normal)
    dbeta = _ones(xp, x, rows.shape[0]) @ drows
    dx = drows * gamma.reshape(-1)
    size = float(rows.shape[1])
    dmean = _row_sums(xp, dx) / size
    normal *= (_row_dots(xp, dx, normal) / size)[:, None]
    dx -= normal
    dx -= dmean[:, None]
    dx *= rstd
    return dx.reshape(x.shape), dgamma.reshape(gamma.shape), dbeta.reshape(gamma.shape)


def _centred(xp, rows):
    """(rows - mean, mean, variance) per row; the mean is taken twice, the second time of the first time's error."""
    size = float(rows.shape[1])
    mean = _row_sums(xp, rows) / size
    centred = rows - mean[:, None]
    rest = _row_sums(xp, centred) / size
    centred -= rest[:, None]
    return centred, mean + rest, _row_dots(xp, centred, centred) / size


def _by_channel(x):
    """View x (N, C, ...) as (N, C, pixels)."""
    return x.reshape(*x.shape[:2], -1) if x.size else x.reshape(*x.shape[:2], 0)


def _count(x):
    """Numbers per channel, as a float: float32 divided by an int above 65535 would be float64 in NumPy 1."""
    return x.size / max(1, x.shape[1])


def _rows(x, begin_axis):
    """View x as (rows, size of what is normalized)."""
    begin_axis %= x.ndim
    size = int(np.prod(x.shape[begin_axis:]))
    return x.reshape(int(np.prod(x.shape[:begin_axis])), size)


def _kept_shape(x, begin_axis):
    begin_axis %= x.ndim
    return x.shape[:begin_axis] + (1,) * (x.ndim - begin_axis)


def _ones(xp, x, size):
    return xp.ones(size, x.dtype)


def _row_sums(xp, rows):
    return rows @ _ones(xp, rows, rows.shape[1])


def _row_dots(xp, a, b):
    return xp.einsum("rl,rl->r", a, b)


def _channel_sums(xp, x):
    """The sum of each channel of (N, C, pixels): over the longer of its two other axes first."""
    n, channels, pixels = x.shape
    if pixels >= _LONG:
        return _ones(xp, x, n) @ _row_sums(xp, x.reshape(n * channels, pixels)).reshape(n, channels)
    return _row_sums(xp, (_ones(xp, x, n) @ x.reshape(n, channels * pixels)).reshape(channels, pixels))


def _channel_dots(xp, a, b):
    """The sum of ``a * b`` of each channel of (N, C, pixels)."""
    n, channels, pixels = a.shape
    if pixels >= _LONG:
        rows = _row_dots(xp, a.reshape(n * channels, pixels), b.reshape(n * channels, pixels))
        return _ones(xp, a, n) @ rows.reshape(n, channels)
    return _channel_sums(xp, a * b)
