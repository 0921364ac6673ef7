"""Sums and means over axes, and the base of reductions. float16 is accumulated in float32 and rounded once."""

from __future__ import annotations

import math

from minispore.core.dtype import INEXACT
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.axes import as_axes
from minispore.ops.kernels.float16.cast import cached_cast, narrow
from minispore.ops.kernels.reduce import sum_over
from minispore.ops.list_checks import listed_axes
from minispore.ops.type_checks import check_number

__all__ = ["ReduceMean", "ReduceSum"]


def kept_shape(shape, axes):
    """``shape`` with the lengths along ``axes`` replaced by 1."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


class Reduction(Primitive):
    """Base of reductions of ``x`` over ``axis`` (an int, a tuple, or () for all); an axis named twice counts once."""

    empty = True  # True if a reduction over no elements has a value

    def __init__(self, keep_dims: bool = False) -> None:
        self.add_prim_attr("keep_dims", bool(keep_dims))

    def __call__(self, x, axis=(), **below):  # alone among primitives MindSpore's reductions take inputs by name
        return Primitive.__call__(self, x, axis, **below)

    def adapt(self, x, axis=()):  # the axis defaults to all axes
        return x, axis if isinstance(axis, (int, tuple)) else listed_axes(axis)

    def infer(self, x, axis):
        self.check(x)
        axes = as_axes(self, axis, len(x.shape), repeated=True)
        if not self.empty and any(x.shape[a] == 0 for a in axes):
            raise value_error(self.name, "the 'x' must have elements along the axes", f"shape {x.shape}")
        kept = kept_shape(x.shape, axes)
        return Spec(kept if self.keep_dims else tuple(n for i, n in enumerate(kept) if i not in axes), x.dtype)

    def check(self, x):
        check_number(self, "x", x)

    def compute(self, xp, x, axis):
        out = self.forward(xp, cached_cast(xp, x), as_axes(self, axis, x.ndim, repeated=True))
        return narrow(xp, out, x.dtype) if x.dtype in INEXACT else xp.asarray(out).astype(x.dtype)

    def kept(self, x, axis, y):
        """The reduced Tensor ``y`` with the reduced axes kept, so that it broadcasts against ``x``."""
        return y.reshape(kept_shape(x.shape, as_axes(self, axis, x.ndim, repeated=True)))


class ReduceSum(Reduction):
    """Sum over axes: ``out = sum of x``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceSum(keep_dims=True)(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [[3.]
         [7.]]
    """

    complex_numbers = "analytic"

    def forward(self, xp, x, axes):
        return sum_over(xp, x, axes, self.keep_dims)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout).broadcast_to(x.shape), None


class ReduceMean(Reduction):
    """Mean over axes: ``out = sum of x / number of elements``; integers truncate toward zero, and keep their dtype.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceMean()(ms.Tensor([7, -8])))  # integers: -0.5 becomes 0
        0
        >>> print(ops.ReduceMean()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """

    complex_numbers = "analytic"
    empty = False

    def forward(self, xp, x, axes):
        count = math.prod(x.shape[a] for a in axes)
        total = sum_over(xp, x, axes, self.keep_dims)
        return total / x.dtype.type(count) if x.dtype in INEXACT else xp.trunc(total / count)

    def bprop(self, x, axis, out, dout):
        return self.kept(x, axis, dout * (out.size / x.size)).broadcast_to(x.shape), None
