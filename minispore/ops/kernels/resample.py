"""Resampling along an axis: each output is a weighted sum of a few inputs, and the adjoint of that.

``taps`` is a list of pairs (indices, weights). Output i is the sum of ``weights[i] * x[indices[i]]`` over the pairs;
weights of None count as 1. Indices and weights are made on the host, from lengths alone.
"""

import numpy as np

from minispore.core import backend
from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.matmul import product


@quiet
def resample(xp, x, axis, taps):
    """The weighted sum of x at the taps along ``axis``, in x's dtype."""
    total = None
    for indices, weights in taps:
        term = xp.take(x, backend.constant(xp, indices), axis=axis)
        if weights is not None:
            row = backend.constant(xp, weights.astype(x.dtype))
            term = term * row.reshape((-1,) + (1,) * (x.ndim - axis - 1))
        total = term if total is None else total + term
    return total


@quiet
def resample_grad(xp, dy, axis, length, taps):
    """The adjoint: each dy goes back to the inputs of its taps, as a product with the matrix of their weights."""
    matrix = np.zeros((dy.shape[axis], length))
    rows = np.arange(dy.shape[axis])
    for indices, weights in taps:
        np.add.at(matrix, (rows, indices), 1.0 if weights is None else weights)
    rows = xp.moveaxis(dy, axis, -1)
    turned = product(xp, rows.reshape(-1, rows.shape[-1]), backend.constant(xp, matrix.astype(dy.dtype)))
    return xp.ascontiguousarray(xp.moveaxis(turned.reshape(*rows.shape[:-1], length), -1, axis))


def _positions(length, count, align_corners, half_pixel_centers):
    """The outputs' positions among the inputs, as float64."""
    at = np.arange(count, dtype=np.float64)
    if align_corners:
        return at * ((length - 1) / (count - 1)) if count > 1 else at * 0.0
    return (at + 0.5) * (length / count) - 0.5 if half_pixel_centers else at * (length / count)


def nearest_taps(length, count, align_corners=False, half_pixel_centers=False):
    """The nearest input: rounded half up with ``align_corners``, else the one before or at the position."""
    if half_pixel_centers:
        at = np.floor((np.arange(count) + 0.5) * length / count)
    else:
        at = _positions(length, count, align_corners, False)
        at = np.floor(at + 0.5) if align_corners else np.arange(count) * length // count
    return [(np.clip(at, 0, length - 1).astype(np.int64), None)]


def linear_taps(length, count, align_corners=False, half_pixel_centers=False):
    """The two inputs around the position, weighted by distance; outside, the last one."""
    at = np.clip(_positions(length, count, align_corners, half_pixel_centers), 0, length - 1)
    low = np.floor(at).astype(np.int64)
    weight = at - low
    return [(low, 1 - weight), (np.minimum(low + 1, length - 1), weight)]


def cubic_taps(length, count, align_corners=False, half_pixel_centers=False):
    """The four inputs around the position, by Keys's cubic kernel.

    With ``half_pixel_centers`` its slope is -0.5 and positions outside do not count; else -0.75, and the last input
    counts in their place. (MindSpore's and TensorFlow's choice; PyTorch's is the latter always.)
    """
    at = _positions(length, count, align_corners, half_pixel_centers)
    low = np.floor(at)
    places = [low + step for step in (-1, 0, 1, 2)]
    weights = [_cubic(np.abs(at - place), -0.5 if half_pixel_centers else -0.75) for place in places]
    if half_pixel_centers:
        weights = [w * ((place >= 0) & (place < length)) for w, place in zip(weights, places, strict=True)]
        total = sum(weights)
        weights = [w / total for w in weights]
    indices = [np.clip(place, 0, length - 1).astype(np.int64) for place in places]
    return list(zip(indices, weights, strict=True))


def _cubic(d, slope):
    near = ((slope + 2) * d - (slope + 3)) * d * d + 1
    far = ((slope * d - 5 * slope) * d + 8 * slope) * d - 4 * slope
    return np.where(d <= 1, near, np.where(d < 2, far, 0.0))


def border_taps(length, before, after, mode):
    """The inputs of an axis padded by NumPy's mode "reflect", "symmetric", "edge" or "wrap"."""
    return [(np.pad(np.arange(length), (before, after), mode), None)]
