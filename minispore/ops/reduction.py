"""Reductions over axes. float16 is accumulated in float32 and rounded once."""

import math

import numpy as np

from minispore.autograd import wanted
from minispore.dtype import FLOATS
from minispore.errors import type_error, value_error
from minispore.ops.common import as_axes, as_axis, check_number, check_tensor, named
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec, cast

__all__ = [
    "ArgMaxWithValue",
    "Argmax",
    "Argmin",
    "ReduceAll",
    "ReduceAny",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
]


def kept_shape(shape, axes):
    """``shape`` with the lengths along ``axes`` replaced by 1."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


class _Reduction(Primitive):
    """Base of reductions of ``x`` over ``axis`` (an int, a tuple, or () for all)."""

    empty = True  # whether a reduction over no elements has a value

    def __init__(self, keep_dims=False):
        if not isinstance(keep_dims, bool):
            raise type_error(self.name, "the 'keep_dims' must be a bool", repr(keep_dims))
        self.add_prim_attr("keep_dims", keep_dims)

    def adapt(self, x, axis=()):
        """Let the axis default to all axes."""
        return x, tuple(axis) if isinstance(axis, list) else axis

    def infer(self, x, axis):
        self.check(x)
        axes = as_axes(self, axis, len(x.shape))
        if not self.empty and any(x.shape[a] == 0 for a in axes):
            raise value_error(self.name, "the 'x' must have elements along the axes", f"shape {x.shape}")
        kept = kept_shape(x.shape, axes)
        return Spec(kept if self.keep_dims else tuple(n for i, n in enumerate(kept) if i not in axes), x.dtype)

    def check(self, x):
        check_number(self, "x", x)

    def compute(self, xp, x, axis):
        axes = as_axes(self, axis, x.ndim)
        if x.dtype in FLOATS:
            return narrow(xp, self.of(xp, widen(xp, x), axes), x.dtype)
        return xp.asarray(self.of(xp, x, axes)).astype(x.dtype)

    def kept(self, x, axis, y):
        """The reduced Tensor ``y`` with the reduced axes kept, so that it broadcasts against ``x``."""
        return y.reshape(kept_shape(x.shape, as_axes(self, axis, x.ndim)))


class ReduceSum(_Reduction):
    """Sum over axes: ``out = sum of x``."""

    def of(self, xp, x, axes):
        return x.sum(axis=axes, keepdims=self.keep_dims)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout).broadcast_to(x.shape), None


class ReduceMean(_Reduction):
    """Mean over axes: ``out = sum of x / number of elements``; integers truncate toward zero, and keep their dtype."""

    empty = False

    def of(self, xp, x, axes):
        count = math.prod(x.shape[a] for a in axes)
        total = x.sum(axis=axes, keepdims=self.keep_dims)
        return total / x.dtype.type(count) if x.dtype in FLOATS else xp.trunc(total / count)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout * (out.size / x.size)).broadcast_to(x.shape), None


class _Extreme(_Reduction):
    """Base of ReduceMax and ReduceMin: the gradient is shared evenly among equal extremes."""

    piecewise = True
    empty = False

    def bprop(self, x, axis, out, dout):
        chosen = cast(x == self.kept(x, axis, out), x.dtype)
        share = chosen / chosen.sum(as_axes(self, axis, x.ndim), keepdims=True)
        return self.kept(x, axis, dout) * share, None


class ReduceMax(_Extreme):
    """Largest element over axes; nan where there is one."""

    def of(self, xp, x, axes):
        return x.max(axis=axes, keepdims=self.keep_dims)


class ReduceMin(_Extreme):
    """Smallest element over axes; nan where there is one."""

    def of(self, xp, x, axes):
        return x.min(axis=axes, keepdims=self.keep_dims)


class ReduceProd(_Reduction):
    """Product over axes: ``out = product of x``; the gradient divides by x, which must not be 0."""

    def of(self, xp, x, axes):
        return x.prod(axis=axes, keepdims=self.keep_dims)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout * out) / x, None


class _Quantifier(_Reduction):
    """Base of ReduceAll and ReduceAny, on Tensors of bools."""

    differentiable = False

    def check(self, x):
        check_tensor(self, "x", x)
        if x.dtype != np.bool_:
            raise type_error(self.name, "the 'x' must be a Tensor of bools", named(x.dtype))


class ReduceAll(_Quantifier):
    """Whether all elements are true, over axes."""

    def of(self, xp, x, axes):
        return x.all(axis=axes, keepdims=self.keep_dims)


class ReduceAny(_Quantifier):
    """Whether any element is true, over axes."""

    def of(self, xp, x, axes):
        return x.any(axis=axes, keepdims=self.keep_dims)


class Argmax(Primitive):
    """Position of the first largest element along ``axis``, as int32 or int64."""

    differentiable = False
    function = "argmax"

    def __init__(self, axis=-1, output_type=np.int32):
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("output_type", np.dtype(getattr(output_type, "np", output_type)))

    def infer(self, x):
        check_number(self, "x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        return Spec(x.shape[:axis] + x.shape[axis + 1 :], self.output_type)

    def compute(self, xp, x):
        return xp.asarray(getattr(xp, self.function)(widen(xp, x), axis=self.axis)).astype(self.output_type)


class Argmin(Argmax):
    """Position of the first smallest element along ``axis``, as int32 or int64."""

    function = "argmin"


class ArgMaxWithValue(Primitive):
    """Position and value of the first largest element along ``axis``: ``(index, value)``."""

    piecewise = True

    def __init__(self, axis=0, keep_dims=False):
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("keep_dims", keep_dims)

    def infer(self, x):
        check_number(self, "x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        shape = kept_shape(x.shape, (axis,)) if self.keep_dims else x.shape[:axis] + x.shape[axis + 1 :]
        return Spec(shape, np.dtype(np.int32)), Spec(shape, x.dtype)

    def compute(self, xp, x):
        index = xp.expand_dims(xp.argmax(widen(xp, x), axis=self.axis), self.axis)
        value = xp.take_along_axis(x, index, self.axis)
        if not self.keep_dims:
            index, value = index.squeeze(self.axis), value.squeeze(self.axis)
        return index.astype(np.int32), value

    def bprop(self, x, out, dout):
        index, d = out[0], dout[1]
        if not self.keep_dims:
            index, d = index.expand_dims(self.axis), d.expand_dims(self.axis)
        positions = x._data.shape[self.axis]
        shape = [1] * x.ndim
        shape[self.axis] = positions
        mask = index == type(x)(np.arange(positions, dtype=np.int32)).reshape(tuple(shape))
        return wanted(x) and cast(mask, x.dtype) * d
