"""Functional wrappers of the reductions: sums, products, all and any."""

from __future__ import annotations

import numpy as np

from minispore.core.dtype import as_dtype, int32
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.reduce import quantifiers, reduction
from minispore.ops.operations.reduce.product import ReduceProd

__all__ = [
    "all",
    "any",
    "count_nonzero",
    "mean",
    "nansum",
    "prod",
    "reduce_all",
    "reduce_any",
    "reduce_mean",
    "reduce_prod",
    "reduce_sum",
    "sum",
]
METHODS = "nansum prod"

_BOOL, _INT64 = np.dtype(np.bool_), np.dtype(np.int64)


def reduce_sum(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Sum over axes: ``ReduceSum(keep_dims)(x, axis)``."""
    return make(reduction.ReduceSum, keep_dims)(x, () if axis is None else axis)


def reduce_mean(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Mean over axes: ``ReduceMean(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMean, keep_dims)(x, () if axis is None else axis)


def reduce_prod(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Product over axes: ``ReduceProd(keep_dims)(x, axis)``."""
    return make(ReduceProd, keep_dims)(x, () if axis is None else axis)


def reduce_all(x, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements over the axes are true: ``ReduceAll(keep_dims)(x, axis)``."""
    return make(quantifiers.ReduceAll, keep_dims)(x, () if axis is None else axis)


def reduce_any(x, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element over the axes is true: ``ReduceAny(keep_dims)(x, axis)``."""
    return make(quantifiers.ReduceAny, keep_dims)(x, () if axis is None else axis)


mean = reduce_mean


def prod(input, axis=None, keep_dims: bool = False) -> Tensor:
    """Product over axes, all of them by default: ``ReduceProd(keep_dims)(input, axis)``."""
    return reduce_prod(input, axis, keep_dims)


def sum(input, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """Sum over axes, of the input cast to ``dtype`` if one is given: :func:`reduce_sum`."""
    return _sum_in(dtype, input, dim, keepdim)


def _sum_in(dtype, input, axis, keepdims):
    """Sum of the input cast to ``dtype``; the sum has this dtype even in a cell that lowers it; None: in its own."""
    if dtype is None:
        return reduce_sum(input, axis, keepdims)
    return cast(reduce_sum(cast(input, dtype), axis, keepdims), dtype)


def _truth(x):
    return cast(x, _BOOL) if isinstance(x, Tensor) and x.array.dtype != _BOOL else x


def all(input, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements over the axes are other than 0."""
    return reduce_all(_truth(input), axis, keep_dims)


def any(input, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element over the axes is other than 0."""
    return reduce_any(_truth(input), axis, keep_dims)


def count_nonzero(x: Tensor, axis=(), keep_dims: bool = False, dtype=int32) -> Tensor:
    """Number of elements other than 0 over axes, in ``dtype``."""
    check_tensors("count_nonzero", x=x)
    return reduce_sum(cast(x != 0, dtype), axis, keep_dims)


def nansum(input: Tensor, axis=None, keepdims: bool = False, *, dtype=None) -> Tensor:
    """Sum over axes, in which nan counts as 0, in ``dtype`` if one is given; bools give int64.

    The elements are cast to ``dtype`` and summed; floats that shall become integers are summed first.
    """
    check_tensors("nansum", input=input)
    if input.array.dtype == _BOOL:
        return reduce_sum(cast(input, _INT64 if dtype is None else dtype), axis, keepdims)
    numbers = make(Select)(input == input, input, 0)
    if dtype is None:
        return reduce_sum(numbers, axis, keepdims)
    if is_differentiable(input) and not as_dtype(dtype, "nansum").is_float:
        return cast(reduce_sum(numbers, axis, keepdims), dtype)
    return _sum_in(dtype, numbers, axis, keepdims)
