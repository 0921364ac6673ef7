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
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_number

__all__ = []


def _cumsum(self, axis=None, dtype: DTypeLike | None = None) -> Tensor:
    """The running sum, without an axis of all elements in a row; narrow ints and bools in int32, as MindSpore."""
    x = self.ravel() if axis is None else self
    narrow = x.array.dtype == np.bool_ or (x.array.dtype.kind in "iu" and x.itemsize < 4)
    x = cast(x, np.dtype(np.int32)) if narrow and dtype is None else x
    return F.cumsum(x, 0 if axis is None else axis, dtype)


def _take(self, indices, axis=None, mode: str = "clip") -> Tensor:
    """Elements at indices along an axis, without one of all in a row; those outside the nearest, or going around."""
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
    """Each element as often as ``repeats`` says, an int or a list of them, in a row along an axis."""
    each = repeats if isinstance(repeats, (tuple, list)) else (repeats,)
    for n in each:
        if not is_int(n):
            raise type_error("repeat", "the 'repeats' must be an int, or a tuple or list of ints", shown(n))
    return F.repeat_interleave(self, tuple(each), axis)


def _repeat_interleave(self, repeats, dim=None) -> Tensor:
    return F.repeat_interleave(self, repeats, dim)


def _diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return F.diagonal(self, offset, axis1, axis2)


def _fill(self, value) -> Tensor:
    """A Tensor of one value, of this one's shape and dtype."""
    return F.full_like(self, value)


def _searchsorted(self, v, side: str = "left", sorter=None) -> Tensor:
    """Places of ``v`` in this ascending row, as int32; ``sorter`` is an order that makes it ascending."""
    check_choice("searchsorted", "side", side, ("left", "right"))
    row = self if sorter is None else F.gather(self, sorter, 0)
    v = v if isinstance(v, Tensor) else Tensor(v, self.dtype)
    return F.searchsorted(row, v, out_int32=True, right=side == "right")


def _index_add(self, dim, index: Tensor, source: Tensor, *, alpha=1) -> Tensor:
    """``alpha * source`` added into this Tensor along an axis."""
    if not isinstance(alpha, Tensor):
        check_number("index_add", "alpha", alpha)
    check_tensors("index_add", source=source)
    return F.index_add(self, index, source * alpha, dim)


def _reverse_sequence(self, seq_lengths, seq_dim: int = 0, batch_dim: int = 0) -> Tensor:
    return F.reverse_sequence(self, seq_lengths, seq_dim, batch_dim)


def _select(self, condition, y) -> Tensor:
    """This Tensor where the condition holds, else ``y``."""
    return F.select(condition, self, y)


def _where(self, condition, y) -> Tensor:
    """This Tensor where the condition holds, else ``y``."""
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
