"""Batch normalization in training and its gradient (two launches each: sums, then numbers), and in inference (one)."""

import numpy as np

from minispore.devices.cuda.launch import (
    THREADS,
    all_float32,
    ceil_div,
    counters_for,
    kernel,
    row_by_row,
    slices_of,
    takes,
)

__all__ = []

_MOST = 4096  # blocks of an elementwise launch


@row_by_row
def batch_norm(xp, x, scale, bias, moving_mean, moving_var, eps, momentum):
    """(new moving mean, new moving variance, y, mean, biased variance, both again); None for arrays not taken."""
    if not takes(x) or not all_float32(scale, bias, moving_mean, moving_var):
        return None
    channels, count = x.shape[1], x.size // x.shape[1]
    outs = [xp.empty(channels, np.float32) for _ in range(6)]  # mean, var, both again, the moving ones
    slices = slices_of(xp, channels, count)
    partial, counters = xp.empty((channels, slices, 2), np.float64), counters_for(xp, channels)
    sizes = np.int32(channels), np.int32(count // len(x)), np.int64(count)
    arguments = x, moving_mean, moving_var, np.float32(momentum), *sizes, partial, counters, *outs
    kernel(xp, "batch_norm", "statistics", x.dtype)((slices, channels), (THREADS,), arguments)
    mean, var, mean_again, var_again, new_mean, new_var = outs
    return new_mean, new_var, _normalized(xp, x, (scale, bias), (mean, var), eps), mean, var, mean_again, var_again


@row_by_row
def batch_norm_inference(xp, x, scale, bias, mean, var, eps):
    """Y by a given mean and variance (C,); None likewise."""
    if not takes(x) or not all_float32(scale, bias, mean, var):
        return None
    return _normalized(xp, x, (scale, bias), (mean, var), eps)


def _normalized(xp, x, affine, moments, eps):
    """Y by the pairs (scale, bias) and (mean, variance)."""
    y = xp.empty(x.shape, x.dtype)
    sizes = np.int32(x.shape[1]), np.int32(x.size // (len(x) * x.shape[1])), np.int64(x.size)
    arguments = x, *affine, *moments, np.float32(eps), *sizes, y
    kernel(xp, "batch_norm", "normalize", x.dtype)((_blocks(x),), (THREADS,), arguments)
    return y


@row_by_row
def batch_norm_grad(xp, dy, x, scale, mean, var, eps):
    """(dx, dscale, dbias) from the batch's mean and biased variance; None likewise."""
    if not takes(dy, x) or dy.dtype != x.dtype or not all_float32(scale, mean, var):
        return None
    channels, count = x.shape[1], x.size // x.shape[1]
    dx, dscale, dbias = xp.empty(x.shape, x.dtype), xp.empty(channels, np.float32), xp.empty(channels, np.float32)
    slices = slices_of(xp, channels, count)
    partial, counters = xp.empty((channels, slices, 2), np.float32), counters_for(xp, channels)
    sizes = np.int32(channels), np.int32(count // len(x)), np.int64(count)
    sums = dy, x, mean, var, np.float32(eps), *sizes, partial, counters, dscale, dbias
    kernel(xp, "batch_norm", "grad_sums", x.dtype)((slices, channels), (THREADS,), sums)
    arguments = dy, x, scale, mean, var, np.float32(eps), dscale, dbias, *sizes, np.int64(x.size), dx
    kernel(xp, "batch_norm", "normalize_grad", x.dtype)((_blocks(x),), (THREADS,), arguments)
    return dx, dscale, dbias


def _blocks(x):
    return min(_MOST, ceil_div(x.size, THREADS))
