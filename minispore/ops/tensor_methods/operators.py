"""Tensor's arithmetic, indexing and methods, installed as one flat table.

A function that is a method too, with the same name and arguments, stands in ``METHODS`` of its own file.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np

from minispore.core._exports import submodules
from minispore.core.parameter import Parameter
from minispore.core.running import running, under
from minispore.core.tensor import Tensor
from minispore.core.writes import snapshot_before_write, take_over
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import make
from minispore.ops.operations.array.indexing import GetItem, ScatterTo, SetItem, split_key
from minispore.ops.operations.array.reshaping import Reshape, as_shape
from minispore.ops.tensor_methods.array import METHODS_OF_ARRAYS
from minispore.ops.tensor_methods.cast_methods import METHODS_OF_CASTS
from minispore.ops.tensor_methods.kinds import METHODS_OF_KINDS
from minispore.ops.tensor_methods.math import METHODS_OF_MATH
from minispore.ops.tensor_methods.matrix_views import METHODS_OF_VIEWS
from minispore.ops.tensor_methods.shapes import METHODS_OF_SHAPES

__all__ = []

_reshape = Reshape()


def _flipped(function):
    def flipped(self, other) -> Tensor:
        return function(other, self)

    return flipped


def _equal(self, other) -> Tensor:
    """``x == y`` elementwise; False beside None, a str or a complex number of Python, as in MindSpore."""
    return False if other is None or isinstance(other, (str, complex)) else F.equal(self, other)


def _not_equal(self, other) -> Tensor:
    return True if other is None or isinstance(other, (str, complex)) else F.not_equal(self, other)


def _method(function):
    """A functional form as a class binds it to its instances: a function as it is, a primitive inside a function."""
    if isinstance(function, FunctionType):
        return function

    def method(self, *args, **kwargs) -> Tensor:
        return function(self, *args, **kwargs)

    return method


def _functions_as_methods():
    """The functions that are methods by the same name: the lists ``METHODS`` of their files."""
    families = [family for family in submodules(F.__name__) if hasattr(family, "METHODS")]
    return {name: _method(getattr(family, name)) for family in families for name in family.METHODS.split()}


_items = {}  # template -> GetItem: so a repeated key is checked and made once


def _getitem(self, key) -> Tensor:
    template, tensors = split_key("GetItem", self.shape, key)
    if template not in _items:
        if len(_items) >= 1024:
            _items.clear()
        _items[template] = GetItem(template)
    return _items[template](self, *tensors)


def _setitem(self, key, value) -> None:
    template, tensors = split_key("SetItem", self.shape, key)
    old = snapshot_before_write(self)
    with under(cast=None if isinstance(self, Parameter) else running.cast):  # a Parameter keeps its dtype
        out = make(SetItem, template)(old, value, *tensors)
    take_over([self], [out])


def _scatter_to(self, shape, key) -> Tensor:
    """Zeros of ``shape`` with this Tensor added at ``key``.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``shape`` is not an int.
        ValueError: If the Tensor has another shape than that of ``key`` in ``shape``.
        IndexError: If the key does not lie in the shape. Also if an index is not an int, a slice, Ellipsis, None, or a
            Tensor or list of ints or bools.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([5.0, 6.0]).scatter_to((4,), slice(1, 3)))
        [0. 5. 6. 0.]
    """
    shape = as_shape(_reshape, shape)
    template, tensors = split_key("ScatterTo", shape, key)
    return ScatterTo(template, shape)(self, *tensors)


def _bitwise(logical, bitwise):
    """The operator of ``&``, ``|`` and ``^``: logical on two bools, bitwise where an integer takes part."""

    def function(self, other) -> Tensor:
        bools = all(isinstance(x, bool) or (isinstance(x, Tensor) and x.array.dtype == np.bool_) for x in (self, other))
        return logical(self, other) if bools else bitwise(self, other)

    return function


def _positive(self) -> Tensor:
    return self


def _inverted(self) -> Tensor:
    return F.logical_not(self)


_TABLE = {
    "__add__": F.add,
    "__radd__": _flipped(F.add),
    "__sub__": F.sub,
    "__rsub__": _flipped(F.sub),
    "__mul__": F.mul,
    "__rmul__": _flipped(F.mul),
    "__truediv__": F.div,
    "__rtruediv__": _flipped(F.div),
    "__floordiv__": F.floor_div,
    "__rfloordiv__": _flipped(F.floor_div),
    "__mod__": F.floor_mod,
    "__rmod__": _flipped(F.floor_mod),
    "__pow__": F.pow,
    "__rpow__": _flipped(F.pow),
    "__matmul__": F.matmul,
    "__rmatmul__": _flipped(F.matmul),
    "__neg__": _method(F.neg),
    "__pos__": _positive,
    "__abs__": _method(F.abs),
    "__invert__": _inverted,
    "__eq__": _equal,
    "__ne__": _not_equal,
    "__lt__": F.less,
    "__le__": F.less_equal,
    "__gt__": F.greater,
    "__ge__": F.greater_equal,
    "__and__": _bitwise(F.logical_and, F.bitwise_and),
    "__rand__": _flipped(_bitwise(F.logical_and, F.bitwise_and)),
    "__or__": _bitwise(F.logical_or, F.bitwise_or),
    "__ror__": _flipped(_bitwise(F.logical_or, F.bitwise_or)),
    "__xor__": _bitwise(F.logical_xor, F.bitwise_xor),
    "__rxor__": _flipped(_bitwise(F.logical_xor, F.bitwise_xor)),
    "__getitem__": _getitem,
    "__setitem__": _setitem,
    "T": property(METHODS_OF_SHAPES["transpose"]),
    "clip": F.clip_by_value,
    "scatter_to": _scatter_to,
}

_ALL = (
    _functions_as_methods()
    | _TABLE
    | METHODS_OF_MATH
    | METHODS_OF_ARRAYS
    | METHODS_OF_SHAPES
    | METHODS_OF_CASTS
    | METHODS_OF_KINDS
    | METHODS_OF_VIEWS
)
for _name, _function in _ALL.items():
    setattr(Tensor, _name, _function)
