"""Reductions over axes. float16 is accumulated in float32 and rounded once."""

from __future__ import annotations

import math

import numpy as np

from minispore.core.dtype import INEXACT
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import ones_like, zeros_like
from minispore.ops.casting import cast
from minispore.ops.common import as_axes, check_number, check_tensor, named
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.reduce import sum_over
from minispore.ops.operations.array.joining import Concat, Stack

__all__ = ["ReduceAll", "ReduceAny", "ReduceMean", "ReduceProd", "ReduceSum"]


def kept_shape(shape, axes):
    """``shape`` with the lengths along ``axes`` replaced by 1."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


class Reduction(Primitive):
    """Base of reductions of ``x`` over ``axis`` (an int, a tuple, or () for all)."""

    empty = True  # True if a reduction over no elements has a value

    def __init__(self, keep_dims: bool = False) -> None:
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
        if x.dtype in INEXACT:
            return narrow(xp, self.forward(xp, widen(xp, x), axes), x.dtype)
        return xp.asarray(self.forward(xp, x, axes)).astype(x.dtype)

    def kept(self, x, axis, y):
        """The reduced Tensor ``y`` with the reduced axes kept, so that it broadcasts against ``x``."""
        return y.reshape(kept_shape(x.shape, as_axes(self, axis, x.ndim)))


class ReduceSum(Reduction):
    """Sum over axes: ``out = sum of x``."""

    complex_numbers = "analytic"

    def forward(self, xp, x, axes):
        return sum_over(xp, x, axes, self.keep_dims)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout).broadcast_to(x.shape), None


class ReduceMean(Reduction):
    """Mean over axes: ``out = sum of x / number of elements``; integers truncate toward zero, and keep their dtype."""

    complex_numbers = "analytic"
    empty = False

    def forward(self, xp, x, axes):
        count = math.prod(x.shape[a] for a in axes)
        total = sum_over(xp, x, axes, self.keep_dims)
        return total / x.dtype.type(count) if x.dtype in INEXACT else xp.trunc(total / count)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout * (out.size / x.size)).broadcast_to(x.shape), None


class ReduceProd(Reduction):
    """Product over axes: ``out = product of x``; its gradient, the product of the others, holds for zeros too."""

    complex_numbers = "analytic"

    def forward(self, xp, x, axes):
        return x.prod(axis=axes, keepdims=self.keep_dims)

    def bprop(self, x, axis, out, dout):
        axes = as_axes(self, axis, x.ndim)
        order = (*(i for i in range(x.ndim) if i not in axes), *axes)
        last = x.transpose(order) if order else x
        rows = last.reshape(math.prod(last.shape[: x.ndim - len(axes)]), math.prod(x.shape[a] for a in axes))
        if not x.size:
            return zeros_like(x), None
        kind = np.dtype(np.float32) if x.array.dtype.itemsize == 2 else x.array.dtype
        others = _times_the_others(cast(rows, kind), cast(dout.reshape(-1, 1), kind))
        found = cast(others, x.array.dtype).reshape(last.shape)
        return found.transpose(tuple(np.argsort(order).tolist())) if order else found, None


def _times_the_others(x, d):
    """For each element ``d`` times the product of the others in its row, without a division, by halving the rows.

    The gradient of a row's product, d, gives that of a pair's, and this times an element that of its neighbour.
    """
    length = x.shape[1]
    if length == 1:
        return d
    if length % 2:
        x = _beside(x, ones_like(x[:, :1]))
    first, second = x[:, ::2], x[:, 1::2]
    of_pair = _times_the_others(first * second, d)
    both = _stack((of_pair * second, of_pair * first)).reshape(x.shape)
    return both[:, :length] if length % 2 else both


_beside, _stack = Concat(1), Stack(2)


class _Quantifier(Reduction):
    """Base of ReduceAll and ReduceAny, on Tensors of bools."""

    differentiable = False

    def check(self, x):
        check_tensor(self, "x", x)
        if x.dtype != np.bool_:
            raise type_error(self.name, "the 'x' must be a Tensor of bools", named(x.dtype))


class ReduceAll(_Quantifier):
    """True where all elements over the axes are true."""

    def forward(self, xp, x, axes):
        return x.all(axis=axes, keepdims=self.keep_dims)


class ReduceAny(_Quantifier):
    """True where any element over the axes is true."""

    def forward(self, xp, x, axes):
        return x.any(axis=axes, keepdims=self.keep_dims)
