"""Indexing and assignment: ``x[key]`` with ints, slices, Ellipsis, None, and Tensors of ints or bools.

A key is split in two: a template of what is known without data, with a mark where a Tensor stands, and the Tensors.
"""

import numpy as np

from minispore.autograd import wanted
from minispore.dtype import NARROW_FLOATS
from minispore.errors import type_error, value_error
from minispore.ops.common import check_shape, check_tensor, sum_to
from minispore.ops.primitive import Primitive, Spec, cast
from minispore.tensor import Tensor

__all__ = ["GetItem", "ScatterTo", "SetItem"]

_TENSOR = "tensor"  # stands in a template for the next index Tensor


def _frozen(part):
    """A hashable form of a template's part: slices are not hashable before Python 3.12."""
    return ("slice", part.start, part.stop, part.step) if isinstance(part, slice) else part


def _thawed(part):
    return slice(*part[1:]) if isinstance(part, tuple) else part


def _slice(part):
    bounds = (b.item() if isinstance(b, Tensor) else b for b in (part.start, part.stop, part.step))
    return slice(*bounds)


def split_key(key):
    """``(template, Tensors)`` of an index as a user writes it.

    Raises:
        TypeError: If a part is of no known kind. (IndexError is what x itself raises for what lies outside.)
    """
    template, tensors = [], []
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, (bool, np.bool_, list, np.ndarray)):
            part = Tensor(part)
        if isinstance(part, Tensor):
            if part._data.dtype.kind not in "iub":
                raise type_error("index", "a Tensor that indexes must hold ints or bools", part.dtype)
            template.append(_TENSOR)
            tensors.append(part)
        elif part is None or part is Ellipsis:
            template.append(part)
        elif isinstance(part, slice):
            template.append(_frozen(_slice(part)))
        elif isinstance(part, (int, np.integer)):
            template.append(int(part))
        else:
            expected = "an index must be an int, a slice, Ellipsis, None, or a Tensor or list of ints or bools"
            raise type_error("index", expected, f"{part!r} of type {type(part).__name__}")
    return tuple(template), tensors


class _Indexed(Primitive):
    """Base of the operations on ``x[key]``, for one template."""

    def __init__(self, template):
        self.add_prim_attr("template", template)

    def key(self, tensors):
        """The index with the Tensors in their places."""
        tensors = iter(tensors)
        return tuple(next(tensors) if part is _TENSOR else _thawed(part) for part in self.template)

    def indexed_shape(self, shape, tensors):
        """The shape of ``x[key]``; None for the length of a mask's selection."""
        if any(t.dtype == np.bool_ for t in tensors):
            return None
        return np.broadcast_to(np.empty(()), shape)[self.key([np.zeros(t.shape, np.intp) for t in tensors])].shape


class GetItem(_Indexed):
    """``out = x[key]``."""

    def infer(self, x, *tensors):
        check_tensor(self, "x", x)
        return Spec(self.indexed_shape(x.shape, tensors), x.dtype)

    def compute(self, xp, x, *tensors):
        return x[self.key(tensors)]

    def bprop(self, x, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        return (ScatterTo(self.template, x.shape)(dout, *tensors), *(None for _ in tensors))


def _added_at(xp, out, key, x):
    """``out``, which holds zeros, with ``x`` added at key as often as key names an element; float16 is added wider."""
    if xp is not np:  # CuPy's add.at takes few dtypes
        places = xp.arange(out.size).reshape(out.shape)[key]
        sums = xp.bincount(places.ravel(), x.ravel().astype(np.float64), out.size)
        return sums.reshape(out.shape).astype(out.dtype)
    wide = out.astype(np.float32) if out.dtype in NARROW_FLOATS else out
    np.add.at(wide, key, x)
    return wide.astype(out.dtype, copy=False)


class ScatterTo(_Indexed):
    """Zeros of ``shape`` to which ``x`` is added at key: what the gradient of ``GetItem`` is."""

    def __init__(self, template, shape):
        super().__init__(template)
        self.add_prim_attr("shape", tuple(shape))

    def infer(self, x, *tensors):
        shape = self.indexed_shape(self.shape, tensors)
        check_shape(self, "x", x, x.shape if shape is None else shape)
        return Spec(self.shape, x.dtype)

    def compute(self, xp, x, *tensors):
        out = xp.zeros(self.shape, x.dtype)
        key = self.key(tensors)
        if all(t.dtype == np.bool_ for t in tensors):  # no element is named twice
            out[key] = x
            return out
        return _added_at(xp, out, key, x)

    def bprop(self, x, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        return (GetItem(self.template)(dout, *tensors), *(None for _ in tensors))


class SetItem(_Indexed):
    """``x`` with ``value`` in place of ``x[key]``."""

    def adapt(self, x, value, *tensors):
        """Read a number or an array as a Tensor of x's dtype."""
        value = value if isinstance(value, Tensor) else Tensor(value)
        return (x, value if value._data.dtype == x._data.dtype else cast(value, x._data.dtype), *tensors)

    def infer(self, x, value, *tensors):
        shape = self.indexed_shape(x.shape, tensors)
        if shape is not None:
            try:
                fits = np.broadcast_shapes(shape, value.shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise value_error(self.name, f"the 'value' must broadcast to {shape}", value.shape)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x, value, *tensors):
        out = x.copy()
        out[self.key(tensors)] = value
        return out

    def bprop(self, x, value, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        at_key = wanted(value) and GetItem(self.template)(dout, *tensors)
        kept = wanted(x) and SetItem(self.template)(dout, 0, *tensors)
        return (kept, wanted(value) and sum_to(at_key, value.shape), *(None for _ in tensors))
