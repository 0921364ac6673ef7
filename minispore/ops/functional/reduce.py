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


def reduce_sum(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Sum over axes: ``ReduceSum(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_sum(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    return make(reduction.ReduceSum, keep_dims)(x, () if axis is None else axis)


def reduce_mean(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Mean over axes: ``ReduceMean(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 6.0]])
        >>> print(ops.mean(x))
        3.0
        >>> print(ops.mean(x, -1, keep_dims=True))
        [[1.5]
         [4.5]]
    """
    return make(reduction.ReduceMean, keep_dims)(x, () if axis is None else axis)


def reduce_prod(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Product over axes: ``ReduceProd(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_prod(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
    """
    return make(ReduceProd, keep_dims)(x, () if axis is None else axis)


def reduce_all(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements over the axes are true: ``ReduceAll(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_all(ms.Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """
    return make(quantifiers.ReduceAll, keep_dims)(x, () if axis is None else axis)


def reduce_any(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element over the axes is true: ``ReduceAny(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_any(ms.Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    return make(quantifiers.ReduceAny, keep_dims)(x, () if axis is None else axis)


mean = reduce_mean


def prod(input: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Product over axes, all of them by default: ``ReduceProd(keep_dims)(input, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a
            bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.prod(x))
        24.0
        >>> print(ops.prod(x, 1))
        [ 2. 12.]
    """
    return reduce_prod(input, axis, keep_dims)


def sum(input: Tensor, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """Sum over axes, of the input cast to ``dtype`` if one is given: :func:`reduce_sum`.

    Shapes: without the axes, or with ``keepdim`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``dim`` is not an int or a tuple of ints, ``keepdim`` is not a bool, or
            ``dtype`` is not a dtype.
        ValueError: If ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.sum(x))
        10.0
        >>> print(ops.sum(x, 1, keepdim=True))
        [[3.]
         [7.]]
    """
    return _sum_in(dtype, input, dim, keepdim)


def _sum_in(dtype, input, axis, keepdims):
    """Sum of the input cast to ``dtype``; the sum has this dtype even in a cell that lowers it; None: in its own."""
    if dtype is None:
        return reduce_sum(input, axis, keepdims)
    return cast(reduce_sum(cast(input, dtype), axis, keepdims), dtype)


def _truth(x):
    return cast(x, _BOOL) if isinstance(x, Tensor) and x.array.dtype != _BOOL else x


def all(input: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements over the axes are other than 0.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a
            bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.all(ms.Tensor([[1, 0], [2, 3]]), 1))
        [False  True]
    """
    return reduce_all(_truth(input), axis, keep_dims)


def any(input: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element over the axes is other than 0.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a
            bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.any(ms.Tensor([[1, 0], [0, 0]]), 1))
        [ True False]
    """
    return reduce_any(_truth(input), axis, keep_dims)


def count_nonzero(x: Tensor, axis=(), keep_dims: bool = False, dtype=int32) -> Tensor:
    """Number of elements other than 0 over axes, in ``dtype``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there; () is all of them. Dtypes: any; the answer is
    int32.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, ``keep_dims`` is not a bool, or
            ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.count_nonzero(ms.Tensor([[1, 0, 2], [0, 0, 3]]), axis=1))
        [2 1]
    """
    check_tensors("count_nonzero", x=x)
    return reduce_sum(cast(x != 0, dtype), axis, keep_dims)


def nansum(input: Tensor, axis=None, keepdims: bool = False, *, dtype=None) -> Tensor:
    """Sum over axes, in which nan counts as 0, in ``dtype`` if one is given; bools give int64.

    The elements are cast to ``dtype`` and summed; floats that shall become integers are summed first.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; bools give
    int64.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, ``keepdims`` is not a bool,
            or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.nansum(ms.Tensor([1.0, np.nan, 2.0])))
        3.0
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
