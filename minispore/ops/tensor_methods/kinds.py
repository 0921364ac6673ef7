"""Tensor's methods about its dtype and conversion, and for making, filling and assigning."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_switch, is_int
from minispore.core.dtype import (
    FLOATS,
    DType,
    DTypeLike,
    as_dtype,
    from_numpy,
)
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.core.writes import take_over
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import is_real
from minispore.ops.promotion import lowered_dtype

__all__ = []


def _set_dtype(self, dtype: DTypeLike) -> DType:
    """Convert the Tensor itself to another dtype, which is returned."""
    kind = as_dtype(dtype, "set_dtype", "dtype")
    take_over([self], [F.cast(self, kind)])
    return kind


def _is_floating_point(self) -> bool:
    """True if the dtype is a floating one."""
    return self.array.dtype in FLOATS


def _is_signed(self) -> bool:
    """True if the dtype has negative numbers."""
    return self.array.dtype in FLOATS or self.array.dtype.kind == "i"


def _is_complex(self) -> bool:
    """True if the dtype is complex."""
    return self.array.dtype.kind == "c"


def _new(make):
    """Tensor's method that makes another Tensor of a size, by default in its own dtype."""

    def method(self, size, *, dtype: DTypeLike | None = None) -> Tensor:
        shape = (size,) if is_int(size) else size
        return make(shape, from_numpy(lowered_dtype(self)) if dtype is None else dtype)

    return method


def _number_of_elements(self) -> int:
    """The number of elements, an int."""
    return self.size


def _number_of_axes(self) -> int:
    """The number of axes, an int."""
    return self.ndim


def _itemset(self, *args) -> Tensor:
    """A copy with another number at a flat index or a tuple of indices; without one, of a Tensor of shape (1,)."""
    if len(args) not in (1, 2):
        raise type_error("itemset", "there must be a number, or an index and a number", f"{len(args)} arguments")
    *index, number = args
    if not is_real(number) and not isinstance(number, bool):
        raise type_error("itemset", "the number must be a bool, an int or a float", shown(number))
    if not index and self.size != 1:
        raise IndexError(f"For 'itemset', the index must be given for more than one element, but got {self.shape}.")
    self.item(*index)  # it raises for an index that does not fit
    place = index[0] if index else 0
    if not isinstance(place, tuple):
        place = tuple(int(i) for i in np.unravel_index(place % self.size, self.shape or (1,)))
    elif len(place) != self.ndim:
        raise IndexError(f"For 'itemset', the index must have {self.ndim} numbers, but got {shown(place)}.")
    out = F.identity_copy(self)
    out[place if self.shape else ...] = number
    return out


def _assign_value(self, value) -> Tensor:
    """Take the values, shape and dtype of another Tensor; returns the Tensor itself."""
    check_tensors("assign_value", value=value)
    take_over([self], [F.identity_copy(value)])
    return self


def _value(self) -> Tensor:
    """A Tensor of the current values."""
    return F.cast(self, self.dtype)


def _set_const_arg(self, const_arg: bool = True) -> Tensor:
    """The Tensor itself: every value is a constant of the operations that it is given to here."""
    check_bool("set_const_arg", "const_arg", const_arg)
    return self


def _nothing(name):
    """Tensor's method that has nothing to do: the values of a Tensor are always in its memory."""

    def method(self, wait: bool = True) -> None:
        check_switch(name, "wait", wait)

    return method


METHODS_OF_KINDS = {
    "assign_value": _assign_value,
    "data_sync": _nothing("data_sync"),
    "flush_from_cache": _nothing("flush_from_cache"),
    "is_complex": _is_complex,
    "is_floating_point": _is_floating_point,
    "is_signed": _is_signed,
    "itemset": _itemset,
    "ndimension": _number_of_axes,
    "nelement": _number_of_elements,
    "new_ones": _new(F.ones),
    "new_zeros": _new(F.zeros),
    "numel": _number_of_elements,
    "set_const_arg": _set_const_arg,
    "set_dtype": _set_dtype,
    "value": _value,
}
