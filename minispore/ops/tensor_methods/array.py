"""Tensor's methods on elements, whose arguments or names are not their function's; ``operators.py`` installs them."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice, is_int
from minispore.core.dtype import DTypeLike
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.dtype_promotion import promote
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_number

__all__ = []


def _cumsum(self, axis=None, dtype: DTypeLike | None = None) -> Tensor:
    """The running sum, without an axis of all elements in a row; narrow ints and bools in int32, as MindSpore.

    Shapes: any, kept; (number of elements,) without an axis. Dtypes: floats, int32, int64, uint32, uint64 and complex,
    kept; int8, int16, uint8, uint16 and bools give int32.

    Raises:
        TypeError: If ``axis`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).cumsum(axis=1))
        [[1 3]
         [3 7]]
    """
    x = self.ravel() if axis is None else self
    narrow = x.array.dtype == np.bool_ or (x.array.dtype.kind in "iu" and x.itemsize < 4)
    x = cast(x, np.dtype(np.int32)) if narrow and dtype is None else x
    return F.cumsum(x, 0 if axis is None else axis, dtype)


def _take(self, indices, axis=None, mode: str = "clip") -> Tensor:
    """Elements at indices along an axis, without one of all in a row; those outside the nearest, or going around.

    Shapes: the axis gives way to the axes of ``indices``; without an axis the shape of ``indices``. Dtypes: any, kept.

    Raises:
        TypeError: If ``indices`` does not hold ints, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([10.0, 20.0, 30.0]).take(ms.Tensor([0, 5])))  # 5 is outside: the nearest is taken
        [10. 30.]
    """
    check_choice("take", "mode", mode, ("clip", "wrap"))
    if not isinstance(indices, Tensor):
        raise type_error("take", "the 'indices' must be a Tensor", type(indices).__name__)
    x = self.ravel() if axis is None else self
    axis = 0 if axis is None else as_axis("take", axis, x.ndim)
    length = x.shape[axis]
    last = F.select(indices < 0, indices + length, indices)
    places = indices % length if mode == "wrap" else F.clip_by_value(last, 0, length - 1)
    return F.gather(x, places, axis)


def _repeat(self, repeats, axis=None) -> Tensor:
    """Each element as often as ``repeats`` says, an int or a list of them, in a row along an axis.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``repeats`` is not an int, or a tuple or list of ints, or ``axis`` is not an int.
        ValueError: If ``repeats`` is not an int of at least 0 or one for each element, or ``axis`` is no axis of the
            input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).repeat(2, axis=0))
        [[1 2]
         [1 2]
         [3 4]
         [3 4]]
    """
    each = repeats if isinstance(repeats, (tuple, list)) else (repeats,)
    for n in each:
        if not is_int(n):
            raise type_error("repeat", "the 'repeats' must be an int, or a tuple or list of ints", shown(n))
    return F.repeat_interleave(self, tuple(each), axis)


def _repeat_interleave(self, repeats, dim=None) -> Tensor:
    """Each element ``repeats`` times in a row along an axis, or, without one, of all elements in a row.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``repeats`` is neither an int nor ints, or ``dim`` is not an int.
        ValueError: If ``repeats`` is not above 0, or ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x.repeat_interleave(2, 1))
        [[1. 1. 2. 2.]
         [3. 3. 4. 4.]]
    """
    return F.repeat_interleave(self, repeats, dim)


def _diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of two axes, as the last axis; above the main one for an ``offset`` above 0: ``ops.diagonal``.

    Shapes: without the two axes, and with the diagonal's length at the end. Dtypes: any, kept.

    Raises:
        TypeError: If ``offset``, ``axis1`` or ``axis2`` is not an int.
        ValueError: If ``axis1`` or ``axis2`` is no axis of the input, or ``axis1`` and ``axis2`` are not two axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2, 3], [4, 5, 6]]).diagonal(offset=1))
        [2 6]
    """
    return F.diagonal(self, offset, axis1, axis2)


def _fill(self, value) -> Tensor:
    """A Tensor of one value, of this one's shape and dtype.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``value`` is not a number.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 2.0]).fill(7))
        [7. 7.]
    """
    return F.full_like(self, value)


def _searchsorted(self, v, side: str = "left", sorter=None) -> Tensor:
    """Places of ``v`` in this ascending row, as int32; ``sorter`` is an order that makes it ascending.

    Tensors of two types are compared in the wider one.

    Dtypes: floats and ints; the answer is int32; TypeError for bools and complex.

    Raises:
        TypeError: If ``v`` holds no numbers, or ``sorter`` is not a Tensor.
        ValueError: If ``side`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 3.0, 5.0]).searchsorted([0.0, 3.0, 9.0]))
        [0 1 3]
    """
    check_choice("searchsorted", "side", side, ("left", "right"))
    row = self if sorter is None else F.gather(self, sorter, 0)
    v = v if isinstance(v, Tensor) else Tensor(v, self.dtype)
    row, v = (cast(x, promote(row.array.dtype, v.array.dtype)) for x in (row, v))
    return F.searchsorted(row, v, out_int32=True, right=side == "right")


def _index_add(self, dim, index: Tensor, source: Tensor, *, alpha=1) -> Tensor:
    """``alpha * source`` added into this Tensor along an axis.

    Shapes: kept; ``y`` is as the Tensor, with as many elements along the axis as there are indices. Dtypes: floats and
    ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``dim`` is not an int, ``index`` or ``source`` is not a Tensor, or ``source`` has another dtype
            than the Tensor. Also if ``alpha`` is not a number.
        ValueError: If ``dim`` is no axis of the input, or ``source`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x.index_add(1, ms.Tensor([0], ms.int32), ms.Tensor([[10.0], [10.0]])))
        [[11.  2.]
         [13.  4.]]
    """
    if not isinstance(alpha, Tensor):
        check_number("index_add", "alpha", alpha)
    check_tensors("index_add", source=source)
    return F.index_add(self, index, source * alpha, dim)


def _reverse_sequence(self, seq_lengths, seq_dim: int = 0, batch_dim: int = 0) -> Tensor:
    """The first elements of each sequence in reverse order: ``ops.reverse_sequence``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``seq_lengths`` is not a Tensor, or ``seq_dim`` or ``batch_dim`` is not an int.
        ValueError: If ``seq_lengths`` has a shape that does not fit, or ``seq_dim`` or ``batch_dim`` is no axis of the
            input. Also if ``batch_dim`` is the ``seq_dim``.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).reverse_sequence(ms.Tensor([2, 3]), seq_dim=1))
        [[2. 1. 3.]
         [6. 5. 4.]]
    """
    return F.reverse_sequence(self, seq_lengths, seq_dim, batch_dim)


def _select(self, condition, y) -> Tensor:
    """This Tensor where the condition holds, else ``y``.

    Shapes: those of the three broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([-1.0, 2.0])
        >>> print(x.select(x > 0, ms.Tensor([0.0, 0.0])))
        [0. 2.]
    """
    return F.select(condition, self, y)


def _where(self, condition, y) -> Tensor:
    """This Tensor where the condition holds, else ``y``.

    Shapes: those of the three broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([-1.0, 2.0])
        >>> print(x.where(x > 0, ms.Tensor([0.0, 0.0])))
        [0. 2.]
    """
    return F.where(condition, self, y)


METHODS_OF_ARRAYS = {
    **{f"scatter_{kind}": getattr(F, f"tensor_scatter_{kind}") for kind in ["add", "sub", "mul", "div", "max", "min"]},
    "copy": F.identity_copy,
    "cumsum": _cumsum,
    "diagonal": _diagonal,
    "fill": _fill,
    "index_add": _index_add,
    "repeat": _repeat,
    "repeat_interleave": _repeat_interleave,
    "reverse_sequence": _reverse_sequence,
    "searchsorted": _searchsorted,
    "select": _select,
    "take": _take,
    "where": _where,
}
