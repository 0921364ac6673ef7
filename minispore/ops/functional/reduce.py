"""Functional wrappers of the reductions: sums, products, all and any, extremes and their positions."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_int
from minispore.core.dtype import as_dtype, int32
from minispore.core.errors import value_error
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.array import creation
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.reduce import minmax, reduction

__all__ = [
    "all",
    "amax",
    "amin",
    "aminmax",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "max",
    "mean",
    "median",
    "min",
    "nansum",
    "prod",
    "reduce_all",
    "reduce_any",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "sum",
]
METHODS = "amax amin argmin median nansum prod"

_BOOL, _INT32, _INT64 = (np.dtype(kind) for kind in (np.bool_, np.int32, np.int64))


def reduce_sum(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Sum over axes: ``ReduceSum(keep_dims)(x, axis)``."""
    return make(reduction.ReduceSum, keep_dims)(x, () if axis is None else axis)


def reduce_mean(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Mean over axes: ``ReduceMean(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMean, keep_dims)(x, () if axis is None else axis)


def reduce_max(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Largest over axes: ``ReduceMax(keep_dims)(x, axis)``."""
    return make(minmax.ReduceMax, keep_dims)(x, () if axis is None else axis)


def reduce_min(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Smallest over axes: ``ReduceMin(keep_dims)(x, axis)``."""
    return make(minmax.ReduceMin, keep_dims)(x, () if axis is None else axis)


def reduce_prod(x, axis=None, keep_dims: bool = False) -> Tensor:
    """Product over axes: ``ReduceProd(keep_dims)(x, axis)``."""
    return make(reduction.ReduceProd, keep_dims)(x, () if axis is None else axis)


def reduce_all(x, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements over the axes are true: ``ReduceAll(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAll, keep_dims)(x, () if axis is None else axis)


def reduce_any(x, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element over the axes is true: ``ReduceAny(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAny, keep_dims)(x, () if axis is None else axis)


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


# Extremes


def _masked(name, input, initial, where):
    """The input, with ``initial`` where the mask ``where`` is False."""
    if where is None or where is True:
        return input
    if initial is None:
        raise value_error(name, "an 'initial' must be given with 'where'", "None")
    return make(Select)(where, input, initial)


def amax(input, axis=None, keepdims: bool = False, *, initial=None, where=None) -> Tensor:
    """Largest over axes of the elements that the mask ``where`` selects, and of ``initial``, if they are given."""
    out = reduce_max(_masked("amax", input, initial, where), axis, keepdims)
    return out if initial is None else out.maximum(initial)


def amin(input, axis=None, keepdims: bool = False, *, initial=None, where=None) -> Tensor:
    """Smallest over axes of the elements that the mask ``where`` selects, and of ``initial``, if they are given."""
    out = reduce_min(_masked("amin", input, initial, where), axis, keepdims)
    return out if initial is None else out.minimum(initial)


def aminmax(input, *, axis=0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest along an axis, or of all for None: ``(amin, amax)``."""
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def _with_index(name, kind, reduce, x, axis, keepdims):
    check_bool(name, "keepdims", keepdims)
    if axis is None:
        return reduce(x), make(creation.Zeros)((), _INT32)
    check_int(name, "axis", axis)
    check_tensors(name, input=x)
    if x.ndim == 0:
        index, value = make(kind, axis, False)(x.reshape(1))
        return value, index
    index, value = make(kind, axis, keepdims)(x)
    return value, index


def max(input, axis=None, keepdims: bool = False, *, initial=None, where=None) -> tuple[Tensor, Tensor]:
    """Largest along an axis and its first position: ``(value, index)``; of all elements, with index 0, for None.

    ``initial`` is a least value, which replaces the elements outside the mask ``where``.
    """
    x = _masked("max", input, initial, where)
    value, index = _with_index("max", minmax.ArgMaxWithValue, reduce_max, x, axis, keepdims)
    return (value if initial is None or axis is None else value.maximum(initial)), index


def min(input, axis=None, keepdims: bool = False, *, initial=None, where=None) -> tuple[Tensor, Tensor]:
    """Smallest along an axis and its first position: ``(value, index)``; of all elements, with index 0, for None.

    ``initial`` is a largest value, which replaces the elements outside the mask ``where``.
    """
    x = _masked("min", input, initial, where)
    value, index = _with_index("min", minmax.ArgMinWithValue, reduce_min, x, axis, keepdims)
    return (value if initial is None or axis is None else value.minimum(initial)), index


def _position(kind, output_type, x, axis, keepdims):
    check_tensors(kind.__name__, input=x)
    check_bool(kind.__name__, "keepdims", keepdims)
    if x.array.dtype == _BOOL:
        x = cast(x, _INT32)
    if axis is None or x.ndim == 0:
        return make(kind, -1, output_type)(x.reshape(-1))
    out = make(kind, axis, output_type)(x)
    return out.expand_dims(axis) if keepdims else out


def argmax(input, dim=None, keepdim: bool = False) -> Tensor:
    """Position of the first largest element along an axis, or of all elements in a row for None, as int64."""
    return _position(minmax.Argmax, _INT64, input, dim, keepdim)


def argmin(input, axis=None, keepdims: bool = False) -> Tensor:
    """Position of the first smallest element along an axis, or of all elements in a row for None, as int32."""
    return _position(minmax.Argmin, _INT32, input, axis, keepdims)


def median(input, axis=-1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Middle element along an axis, the lower of two, and its position: ``Median(False, axis, keepdims)(input)``."""
    return make(minmax.Median, False, axis, keepdims)(input)
