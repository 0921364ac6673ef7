"""Tensor's arithmetic, indexing and methods, installed as one flat table."""

import numpy as np

from minispore.autograd import record, supersede
from minispore.context import running, under
from minispore.dtype import FLOATS
from minispore.errors import value_error
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.indexing import GetItem, ScatterTo, SetItem, split_key
from minispore.parameter import Parameter
from minispore.tensor import Tensor

__all__ = []


def _flipped(function):
    return lambda self, other: function(other, self)


def _equal(self, other):
    """``x == y`` elementwise; False beside what is no value at all, as in MindSpore."""
    return False if other is None or isinstance(other, str) else F.equal(self, other)


def _not_equal(self, other):
    return True if other is None or isinstance(other, str) else F.not_equal(self, other)


def _method(primitive):
    """A primitive as a function, which a class binds to its instances."""
    return lambda self, *arguments: primitive(self, *arguments)


def _select(self, condition, y):
    """This Tensor where the condition holds, else ``y``."""
    return F.select(condition, self, y)


_items = {}  # template -> GetItem, so that a key that comes again is checked and made once


def _getitem(self, key):
    template, tensors = split_key(key)
    if template not in _items:
        if len(_items) >= 1024:
            _items.clear()
        _items[template] = GetItem(template)
    return _items[template](self, *tensors)


def _setitem(self, key, value):
    template, tensors = split_key(key)
    old = supersede(self) if self._tape is not None else self
    with under(cast=None if isinstance(self, Parameter) else running.cast):  # a Parameter keeps its dtype
        out = SetItem(template)(old, value, *tensors)
    self._data = out._data
    self._tape = None
    if out._tape is not None and out._tape is running.tape:
        rule, inputs, _ = running.tape.pop()
        record(rule, inputs, self)
        self._since = running.tape, len(running.tape) - 1


def _scatter_to(self, shape, key):
    """Zeros of ``shape`` with this Tensor added at ``key``."""
    template, tensors = split_key(key)
    return ScatterTo(template, shape)(self, *tensors)


def _shape_arguments(arguments):
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments


def _transpose(self, *axes):
    axes = _shape_arguments(axes)
    return F.transpose(self, axes or tuple(range(self.ndim))[::-1])


def _swapaxes(self, axis0, axis1):
    axes = list(range(self.ndim))
    axes[axis0], axes[axis1] = axes[axis1], axes[axis0]
    return F.transpose(self, tuple(axes))


def _flatten(self, order="C"):
    if order != "C":
        raise value_error("flatten", "the 'order' must be 'C'", repr(order))
    return F.reshape(self, (-1,))


def _to(self, dtype, copy=True):
    return F.cast(self, dtype)


def _widened(self):
    """A Tensor of bools as int32, which can be added up."""
    return F.cast(self, np.dtype(np.int32)) if self._data.dtype == np.bool_ else self


def _sum(self, axis=None, dtype=None, keepdims=False, initial=None):
    out = F.reduce_sum(_widened(self if dtype is None else F.cast(self, dtype)), axis, keepdims)
    return out if initial is None else out + initial


def _mean(self, axis=None, keep_dims=False):
    return F.reduce_mean(self, axis, keep_dims)


def _max(self, axis=None, keepdims=False):
    return F.reduce_max(self, axis, keepdims)


def _min(self, axis=None, keepdims=False):
    return F.reduce_min(self, axis, keepdims)


def _var(self, axis=None, ddof=0, keepdims=False):
    centred = self - F.reduce_mean(self, axis, True)
    count = self.size // max(F.reduce_mean(self, axis).size, 1)
    return F.reduce_sum(centred * centred, axis, keepdims) / (count - ddof)


def _std(self, axis=None, ddof=0, keepdims=False):
    variance = _var(self, axis, ddof, keepdims)
    return F.sqrt(variance if variance._data.dtype in FLOATS else F.cast(variance, np.dtype(np.float32)))


def _bitwise(logical, bitwise):
    """The operator of ``&``, ``|`` and ``^``: logic on two bools, bits on what holds an integer."""

    def function(self, other):
        bools = all(isinstance(x, bool) or (isinstance(x, Tensor) and x._data.dtype == np.bool_) for x in (self, other))
        return logical(self, other) if bools else bitwise(self, other)

    return function


def _argmax(self, axis=None):
    return F.argmax(_flatten(self) if axis is None else self, -1 if axis is None else axis)


def _argmin(self, axis=None):
    return F.argmin(_flatten(self) if axis is None else self, -1 if axis is None else axis)


def _positive(self):
    return self


def _inverted(self):
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
    "T": property(_transpose),
    "abs": _method(F.abs),
    "add": F.add,
    "all": F.reduce_all,
    "any": F.reduce_any,
    "argmax": _argmax,
    "argmin": _argmin,
    "astype": _to,
    "broadcast_to": F.broadcast_to,
    "clip": F.clip_by_value,
    "copy": F.identity_copy,
    "cos": _method(F.cos),
    "div": F.div,
    "erf": _method(F.erf),
    "exp": _method(F.exp),
    "expand_dims": F.expand_dims,
    "flatten": _flatten,
    "floor": _method(F.floor),
    "gather": F.gather,
    "isfinite": _method(F.isfinite),
    "isnan": _method(F.isnan),
    "log": _method(F.log),
    "logical_and": F.logical_and,
    "logical_not": _method(F.logical_not),
    "logical_or": F.logical_or,
    "masked_fill": F.masked_fill,
    "matmul": F.matmul,
    "max": _max,
    "maximum": F.maximum,
    "mean": _mean,
    "min": _min,
    "minimum": F.minimum,
    "mul": F.mul,
    "neg": _method(F.neg),
    "pow": F.pow,
    "prod": F.reduce_prod,
    "ravel": _flatten,
    "reshape": lambda self, *shape: F.reshape(self, _shape_arguments(shape)),
    "rsqrt": _method(F.rsqrt),
    "scatter_to": _scatter_to,
    "select": _select,
    "sigmoid": _method(F.sigmoid),
    "sign": _method(F.sign),
    "sin": _method(F.sin),
    "softmax": F.softmax,
    "split": F.split,
    "sqrt": _method(F.sqrt),
    "square": _method(F.square),
    "squeeze": F.squeeze,
    "std": _std,
    "sub": F.sub,
    "sum": _sum,
    "swapaxes": _swapaxes,
    "tanh": _method(F.tanh),
    "tile": F.tile,
    "to": _to,
    "transpose": _transpose,
    "var": _var,
    "view": lambda self, *shape: F.reshape(self, _shape_arguments(shape)),
}

for _name, _function in _TABLE.items():
    setattr(Tensor, _name, _function)
