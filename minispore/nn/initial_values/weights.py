"""A weight where an initializer takes a number, as in ``HeNormal(weight)``: nothing is filled, no draw can use it."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_number

__all__ = ["number_of"]


class _NoNumber(NamedTuple):
    """A weight that is kept, as MindSpore keeps it; whatever computes with it raises a TypeError, as in MindSpore."""

    operation: str
    argument: str
    value: Tensor

    def _refuse(self, *others):
        check_number(*self)

    __array_ufunc__ = None  # an array on the left defers to this
    __add__ = __radd__ = __mul__ = __rmul__ = __pow__ = __array__ = __float__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse


def number_of(operation: str, argument: str, tensor: Tensor) -> Any:
    """The number in a Tensor of one element; what stands for a weight of more, with a warning."""
    if tensor.size == 1:
        return check_number(operation, argument, tensor.asnumpy().item())
    text = f"For '{operation}', the '{argument}' is a Tensor, which is not filled: 'set_data' fills it."
    warnings.warn(text, stacklevel=4)
    return _NoNumber(operation, argument, tensor)
