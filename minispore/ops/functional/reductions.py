"""Faces of the reductions."""

import numpy as np

from minispore.ops import reduction
from minispore.ops.functional.faces import make

__all__ = [
    "argmax",
    "argmin",
    "mean",
    "reduce_all",
    "reduce_any",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "sum",
]


def reduce_sum(x, axis=None, keep_dims=False):
    """Sum over axes: ``ReduceSum(keep_dims)(x, axis)``."""
    return make(reduction.ReduceSum, keep_dims)(x, () if axis is None else axis)


def reduce_mean(x, axis=None, keep_dims=False):
    """Mean over axes: ``ReduceMean(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMean, keep_dims)(x, () if axis is None else axis)


def reduce_max(x, axis=None, keep_dims=False):
    """Largest over axes: ``ReduceMax(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMax, keep_dims)(x, () if axis is None else axis)


def reduce_min(x, axis=None, keep_dims=False):
    """Smallest over axes: ``ReduceMin(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMin, keep_dims)(x, () if axis is None else axis)


def reduce_prod(x, axis=None, keep_dims=False):
    """Product over axes: ``ReduceProd(keep_dims)(x, axis)``."""
    return make(reduction.ReduceProd, keep_dims)(x, () if axis is None else axis)


def reduce_all(x, axis=None, keep_dims=False):
    """Whether all are true over axes: ``ReduceAll(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAll, keep_dims)(x, () if axis is None else axis)


def reduce_any(x, axis=None, keep_dims=False):
    """Whether any is true over axes: ``ReduceAny(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAny, keep_dims)(x, () if axis is None else axis)


mean = reduce_mean


def sum(x, axis=None, keepdim=False):
    """Sum over axes: :func:`reduce_sum`."""
    return reduce_sum(x, axis, keepdim)


def argmax(x, axis=-1):
    """Position of the first largest element along an axis, as int64."""
    return make(reduction.Argmax, axis, np.dtype(np.int64))(x)


def argmin(x, axis=-1):
    """Position of the first smallest element along an axis, as int64."""
    return make(reduction.Argmin, axis, np.dtype(np.int64))(x)
