"""Elementwise functions of one Tensor, and their gradients."""

from __future__ import annotations

import math

import ml_dtypes

from minispore.core.dtype import COMPLEX, INEXACT
from minispore.core.errors import shown, type_error
from minispore.ops.elementwise import AnalyticFunction, FloatFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.select import Select

__all__ = [
    "Abs",
    "Exp",
    "Exp2",
    "Expm1",
    "Inv",
    "Log",
    "Log1p",
    "Log2",
    "Log10",
    "NanToNum",
    "Reciprocal",
    "Rsqrt",
    "Sign",
    "Sqrt",
    "Square",
]

_select = Select()


class Exp(AnalyticFunction):
    """Elementwise exponential: ``out = e ** x``."""

    ufunc = "exp"

    def bprop(self, x, out, dout):
        return dout * out


class Exp2(FloatFunction):
    """Elementwise power of two: ``out = 2 ** x``."""

    ufunc = "exp2"

    def bprop(self, x, out, dout):
        return dout * out * math.log(2)


class Expm1(AnalyticFunction):
    """Elementwise exponential less one: ``out = e ** x - 1``, exact for small x too."""

    ufunc = "expm1"

    def bprop(self, x, out, dout):
        return dout * (out + 1)


class Log(AnalyticFunction):
    """Elementwise natural logarithm: ``out = ln x``; nan below 0, -inf at 0."""

    ufunc = "log"

    def bprop(self, x, out, dout):
        return dout / x


class Log1p(AnalyticFunction):
    """Elementwise natural logarithm of one more: ``out = ln(1 + x)``, exact for small x too."""

    ufunc = "log1p"

    def bprop(self, x, out, dout):
        return dout / (x + 1)


class Log2(FloatFunction):
    """Elementwise logarithm to base 2: ``2 ** out = x``."""

    ufunc = "log2"

    def bprop(self, x, out, dout):
        return dout / x / math.log(2)


class Log10(FloatFunction):
    """Elementwise logarithm to base 10: ``10 ** out = x``."""

    ufunc = "log10"

    def bprop(self, x, out, dout):
        return dout / x / math.log(10)


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


class Abs(Function):
    """Elementwise absolute value: ``out = |x|``, in the dtype of x, a complex one too; its gradient at 0 is 0."""

    complex_numbers = "as written"

    def compute(self, xp, x):
        return xp.abs(x).astype(x.dtype, copy=False)

    def bprop(self, x, out, dout):
        return (dout.real() if x.array.dtype in COMPLEX else dout) * _sign(x)


class Sign(Function):
    """Elementwise sign: -1, 0 or 1; nan for nan; ``x / |x|`` of complex numbers. Its gradient is zero."""

    complex_numbers = "as written"
    differentiable = False

    def compute(self, xp, x):
        if x.dtype not in COMPLEX:
            return xp.sign(x)
        size = xp.abs(x)  # NumPy 1 takes the sign of the real part
        return x / select(xp, size == 0, size.dtype.type(1), size)


_sign = Sign()


class NanToNum(FloatFunction):
    """Elementwise replacement of nan and of infinities, by default by 0 and by the dtype's largest and least numbers.

    Args:
        nan (float): The number in the place of nan. Default: 0.0.
        posinf (float): The number in the place of inf. Default: None, the dtype's largest number.
        neginf (float): The number in the place of -inf. Default: None, the dtype's least number.
    """

    def __init__(self, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> None:
        for name, value in (("nan", nan), ("posinf", posinf), ("neginf", neginf)):
            if value is not None and not isinstance(value, float):
                raise type_error("NanToNum", f"the '{name}' must be a float", shown(value))
            self.add_prim_attr(name, value)

    def compute(self, xp, x):
        largest = float(ml_dtypes.finfo(x.dtype).max)
        above = largest if self.posinf is None else self.posinf
        below = -largest if self.neginf is None else self.neginf
        wide = widen(xp, x)
        finite = select(xp, xp.isinf(wide), select(xp, wide > 0, wide.dtype.type(above), wide.dtype.type(below)), wide)
        return narrow(xp, select(xp, xp.isnan(wide), wide.dtype.type(self.nan or 0.0), finite), x.dtype)

    def bprop(self, x, out, dout):
        return _select(x.isfinite(), dout, 0)
