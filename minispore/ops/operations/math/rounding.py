"""Roundings, elementwise; their gradient is zero."""

from minispore.ops.elementwise import FloatFunction, Function

__all__ = ["Ceil", "Floor", "Rint", "Round", "Trunc"]


class Floor(FloatFunction):
    """Elementwise rounding down."""

    differentiable = False

    ufunc = "floor"


class Ceil(FloatFunction):
    """Elementwise rounding up."""

    differentiable = False

    ufunc = "ceil"


class Rint(FloatFunction):
    """Elementwise rounding to the nearest integer, halves to even."""

    differentiable = False

    ufunc = "rint"


class _Whole(Function):
    """Base of roundings that leave a Tensor of integers as it is."""

    differentiable = False
    ufunc = None

    def compute(self, xp, x):
        return x if x.dtype.kind in "iu" else FloatFunction.compute(self, xp, x)


class Round(_Whole):
    """Elementwise rounding to the nearest integer, halves to even."""

    def forward(self, xp, x):
        return xp.rint(x)


class Trunc(_Whole):
    """Elementwise rounding toward zero."""

    def forward(self, xp, x):
        return xp.trunc(x)
