"""Elementwise squares, roots and reciprocals, and their gradients."""

from __future__ import annotations

from minispore.core.dtype import INEXACT
from minispore.ops.elementwise import AnalyticFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select

__all__ = ["Inv", "Reciprocal", "Rsqrt", "Sqrt", "Square"]


class Sqrt(AnalyticFunction):
    """Elementwise square root: ``out = x ** 0.5``."""

    ufunc = "sqrt"

    def bprop(self, x, out, dout):
        return dout / (out * 2)


class Rsqrt(AnalyticFunction):
    """Elementwise reciprocal square root: ``out = x ** -0.5``."""

    def forward(self, xp, x):
        return 1 / xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout * out / x * -0.5


class Reciprocal(AnalyticFunction):
    """Elementwise reciprocal: ``out = 1 / x``."""

    def forward(self, xp, x):
        return 1 / x

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Inv(Function):
    """Elementwise reciprocal: ``out = 1 / x``; of integers truncated toward zero, and 0 for 0."""

    complex_numbers = "analytic"

    def compute(self, xp, x):
        if x.dtype in INEXACT:
            return narrow(xp, 1 / widen(xp, x), x.dtype)
        return select(xp, xp.abs(x) == 1, x, xp.zeros_like(x))

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Square(Function):
    """Elementwise square: ``out = x * x``."""

    complex_numbers = "analytic"

    def compute(self, xp, x):
        return xp.multiply(x, x)

    def bprop(self, x, out, dout):
        return dout * x * 2
