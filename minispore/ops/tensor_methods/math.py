"""Tensor's mathematical methods whose arguments are not their function's; ``operators.py`` installs them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import FLOATS, DTypeLike
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.casting import cast
from minispore.ops.functional.linalg_matrix import trace_along
from minispore.ops.number_checks import check_no_complex, check_number

__all__ = []


def _widened(x):
    """A Tensor of bools as int32, which can be added up."""
    return cast(x, np.dtype(np.int32)) if x.array.dtype == np.bool_ else x


def _sum(self, axis=None, dtype: DTypeLike | None = None, keepdims: bool = False, initial=None) -> Tensor:
    """Sum over axes, by default of all elements: ``out = initial + sum of self``.

    With ``dtype`` the elements are cast to it, and the sum is of it.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; bools give
    int32.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, ``keepdims`` is not a bool, or ``dtype`` is not a
            dtype. Also if an input is neither a Tensor nor a number.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x.sum())
        10.0
        >>> print(x.sum(axis=1, keepdims=True))
        [[3.]
         [7.]]
    """
    out = F.reduce_sum(_widened(self if dtype is None else cast(self, dtype)), axis, keepdims)
    out = out if dtype is None else cast(out, dtype)
    check_no_complex("sum", "initial", initial)
    return out if initial is None else out + initial


def _mean(self, axis=None, keep_dims: bool = False) -> Tensor:
    """Mean over axes, by default of all elements: ``out = sum of self / number of elements``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 6.0]])
        >>> print(x.mean())
        3.0
        >>> print(x.mean(axis=1))
        [1.5 4.5]
    """
    return F.reduce_mean(self, axis, keep_dims)


def _all(self, axis=None, keep_dims: bool = False) -> Tensor:
    """True where all elements along the axes are true: ``ops.reduce_all``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[True, False], [True, True]]).all(axis=1))
        [False  True]
    """
    return F.reduce_all(self, axis, keep_dims)


def _any(self, axis=None, keep_dims: bool = False) -> Tensor:
    """True where any element along the axes is true: ``ops.reduce_any``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[True, False], [False, False]]).any(axis=1))
        [ True False]
    """
    return F.reduce_any(self, axis, keep_dims)


def _argmax(self, axis=None, keepdims: bool = False) -> Tensor:
    """Position of the first largest element along an axis, or of all elements in a row for None, as int64.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and bools; the answer is
    int64; TypeError for complex.

    Raises:
        TypeError: If ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 5.0], [7.0, 7.0]])
        >>> print(x.argmax())
        2
        >>> print(x.argmax(axis=1))
        [1 0]
    """
    return F.argmax(self, axis, keepdims)


def _extreme(with_index, alone):
    """Tensor's ``max`` or ``min``: the value, with ``return_indices`` its first position too."""

    def method(
        self, axis=None, keepdims: bool = False, *, initial=None, where=True, return_indices: bool = False
    ) -> Any:
        """The largest element (``max``) or the smallest (``min``): of all, or along an axis.

        With ``return_indices`` it is the pair of the value and its first position. ``initial`` is another element, and
        ``where`` a mask of those that count.

        Shapes: without the axis, or with ``keepdims`` of length 1 there.

        Raises:
            TypeError: If ``axis`` is not an int or a tuple of ints, ``return_indices`` is not a bool, or an input is
                neither a Tensor nor a number.
            ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

        Examples:
            >>> import minispore as ms
            >>> x = ms.Tensor([[1.0, 5.0, 5.0], [3.0, 2.0, 0.0]])
            >>> print(x.max())
            5.0
            >>> print(x.min(axis=1))
            [1. 0.]
            >>> print(*x.max(axis=1, return_indices=True))
            [5. 3.] [1 0]
        """
        check_bool("max", "return_indices", return_indices)
        if return_indices or isinstance(axis, int):
            value, index = with_index(self, axis, keepdims, initial=initial, where=where)
            return (value, index) if return_indices else value
        return alone(self, axis, keepdims, initial=initial, where=where)

    return method


def _var(self, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Variance over axes: ``out = sum of (self - mean) ** 2 / (count - ddof)``.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, ``ddof`` is not a number, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 3.0], [2.0, 8.0]])
        >>> print(x.var(axis=1, ddof=1))
        [ 2. 18.]
        >>> print(x.var(axis=1))
        [1. 9.]
    """
    check_number("var", "ddof", ddof)
    if self.array.dtype in FLOATS:
        return F.var(self, axis, ddof, keepdims)
    centred = self - F.reduce_mean(self, axis, True)
    count = self.size // max(F.reduce_mean(self, axis).size, 1)
    return F.reduce_sum(centred * centred, axis, keepdims) / (count - ddof)


def _std(self, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes: the square root of :meth:`var`.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, kept; ints and complex give
    float32; TypeError for bools.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, ``ddof`` is not a number, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]).std(axis=1))
        [1. 3.]
    """
    check_number("std", "ddof", ddof)
    if self.array.dtype in FLOATS:
        return F.std(self, axis, ddof, keepdims)
    return F.sqrt(cast(_var(self, axis, ddof, keepdims), np.dtype(np.float32)))


def _logsumexp(self, axis, keepdims: bool = False) -> Tensor:
    """Logarithm of the sum of powers: ``out = ln(sum of e ** self)`` over axes, without overflow on the way.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, or ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1000.0, 1000.0]).logsumexp(0))
        1000.6932
    """
    return F.logsumexp(self, axis, keepdims)


def _of_vectors(function):
    """Tensor's ``addmv`` or ``addr``, whose factors need not be named."""

    def method(self, first, second, beta=1, alpha=1) -> Tensor:
        """A product added to the Tensor: with ``addmv`` of a matrix and a vector, with ``addr`` of two vectors.

        ``out = beta * self + alpha * (first @ second)``, or ``beta * self + alpha * outer(first, second)``.

        Shapes: with (N, M) and (M,) the Tensor broadcasts to (N,), with (N,) and (M,) to (N, M).

        Any dtype of numbers is kept.

        Raises:
            TypeError: If ``first`` or ``second`` is not a Tensor of numbers, or the two differ in dtype. Also if
                ``beta`` or ``alpha`` is not a number.
            ValueError: If ``first`` or ``second`` does not have one axis.

        Examples:
            >>> import minispore as ms
            >>> x, matrix, vector = ms.Tensor([1.0, 2.0]), ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 10.0])
            >>> print(x.addmv(matrix, vector))
            [22. 45.]
            >>> print(ms.Tensor([[0.0]]).addr(vector, vector))
            [[  1.  10.]
             [ 10. 100.]]
        """
        return function(self, first, second, beta=beta, alpha=alpha)

    return method


def _with_value(function):
    """Tensor's ``argmax_with_value`` or ``argmin_with_value``: ``(value, index)``."""

    def method(self, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        """Largest elements along an axis with their places; ``argmin_with_value`` gives the smallest.

        Shapes: without the axis, or with ``keep_dims`` of length 1 there, twice. Dtypes: floats and ints, kept;
        TypeError for bools and complex.

        Raises:
            TypeError: If ``axis`` is not an int.
            ValueError: If ``axis`` is no axis of the input.

        Examples:
            >>> import minispore as ms
            >>> x = ms.Tensor([[1.0, 5.0], [7.0, 2.0]])
            >>> print(*x.argmin_with_value(axis=1))
            [1. 2.] [0 1]
            >>> print(*x.argmax_with_value(axis=1))
            [5. 7.] [1 0]
        """
        return function(self, axis, keep_dims)

    return method


METHODS_OF_MATH = {
    "addmv": _of_vectors(F.addmv),
    "addr": _of_vectors(F.addr),
    "all": _all,
    "any": _any,
    "argmax": _argmax,
    "argmax_with_value": _with_value(F.max),
    "argmin_with_value": _with_value(F.min),
    "logsumexp": _logsumexp,
    "max": _extreme(F.max, F.amax),
    "mean": _mean,
    "min": _extreme(F.min, F.amin),
    "std": _std,
    "sum": _sum,
    "trace": trace_along,
    "var": _var,
}
