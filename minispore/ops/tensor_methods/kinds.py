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
    """Convert the Tensor itself to another dtype, which is returned.

    Raises:
        TypeError: If ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([1.7])
        >>> x.set_dtype(ms.int32)
        minispore.int32
        >>> print(x)
        [1]
    """
    kind = as_dtype(dtype, "set_dtype", "dtype")
    take_over([self], [F.cast(self, kind)])
    return kind


def _is_floating_point(self) -> bool:
    """True if the dtype is a floating one.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([1.0]).is_floating_point(), ms.Tensor([1]).is_floating_point()
        (True, False)
    """
    return self.array.dtype in FLOATS


def _is_signed(self) -> bool:
    """True if the dtype has negative numbers.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([1]).is_signed(), ms.Tensor([1], ms.uint8).is_signed()
        (True, False)
    """
    return self.array.dtype in FLOATS or self.array.dtype.kind == "i"


def _is_complex(self) -> bool:
    """True if the dtype is complex.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([1j]).is_complex()
        True
    """
    return self.array.dtype.kind == "c"


def _new(make):
    """Tensor's method that makes another Tensor of a size, by default in its own dtype."""

    def method(self, size, *, dtype: DTypeLike | None = None) -> Tensor:
        """Another Tensor of ones (``new_ones``) or zeros (``new_zeros``), by default in this one's dtype.

        Shapes: ``size``, an int or a tuple.

        Raises:
            TypeError: If ``size`` is not an int, or ``dtype`` is not a dtype.
            ValueError: If ``size`` has a negative length.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.5]).new_zeros(2))
            [0. 0.]
            >>> print(ms.Tensor([1.5]).new_ones((1, 2), dtype=ms.int32))
            [[1 1]]
        """
        shape = (size,) if is_int(size) else size
        return make(shape, from_numpy(lowered_dtype(self)) if dtype is None else dtype)

    return method


def _number_of_elements(self) -> int:
    """The number of elements, an int.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([[1, 2, 3]]).numel()  # or nelement()
        3
    """
    return self.size


def _number_of_axes(self) -> int:
    """The number of axes, an int.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([[1, 2, 3]]).ndimension()
        2
    """
    return self.ndim


def _itemset(self, *args) -> Tensor:
    """A copy with another number at a flat index or a tuple of indices; without one, of a Tensor of shape (1,).

    Dtypes: any, kept.

    Raises:
        TypeError: If ``index`` is not an int or a tuple of ints. Also if the number is not a bool, an int or a float.
        IndexError: If ``index`` does not lie in the shape.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 2.0]).itemset(0, 9.0))
        [9. 2.]
    """
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
    """Take the values, shape and dtype of another Tensor; returns the Tensor itself.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``value`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([1.0, 2.0])
        >>> print(x.assign_value(ms.Tensor([5.0])))
        [5.]
    """
    check_tensors("assign_value", value=value)
    take_over([self], [F.identity_copy(value)])
    return self


def _value(self) -> Tensor:
    """A Tensor of the current values.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 2.0]).value())
        [1. 2.]
    """
    return F.cast(self, self.dtype)


def _set_const_arg(self, const_arg: bool = True) -> Tensor:
    """The Tensor itself: every value is a constant of the operations that it is given to here.

    Raises:
        TypeError: If ``const_arg`` is not a bool.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0]).set_const_arg())
        [1.]
    """
    check_bool("set_const_arg", "const_arg", const_arg)
    return self


def _nothing(name):
    """Tensor's method that has nothing to do: the values of a Tensor are always in its memory."""

    def method(self, wait: bool = True) -> None:
        """Nothing: the values of a Tensor are in its memory at all times. ``flush_from_cache`` does the same.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0]).data_sync())
            None
        """
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
