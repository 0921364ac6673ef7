"""Elementwise functions of one Tensor, and their gradients."""

import math

import ml_dtypes

from minispore.dtype import FLOATS
from minispore.errors import shown, type_error
from minispore.ops.elementwise import FloatFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
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


class Exp(FloatFunction):
    """Elementwise exponential: ``out = e ** x``."""

    def forward(self, xp, x):
        return xp.exp(x)

    def bprop(self, x, out, dout):
        return dout * out


class Exp2(FloatFunction):
    """Elementwise power of two: ``out = 2 ** x``."""

    def forward(self, xp, x):
        return xp.exp2(x)

    def bprop(self, x, out, dout):
        return dout * out * math.log(2)


class Expm1(FloatFunction):
    """Elementwise exponential less one: ``out = e ** x - 1``, exact for small x too."""

    def forward(self, xp, x):
        return xp.expm1(x)

    def bprop(self, x, out, dout):
        return dout * (out + 1)


class Log(FloatFunction):
    """Elementwise natural logarithm: ``out = ln x``; nan below 0, -inf at 0."""

    def forward(self, xp, x):
        return xp.log(x)

    def bprop(self, x, out, dout):
        return dout / x


class Log1p(FloatFunction):
    """Elementwise natural logarithm of one more: ``out = ln(1 + x)``, exact for small x too."""

    def forward(self, xp, x):
        return xp.log1p(x)

    def bprop(self, x, out, dout):
        return dout / (x + 1)


class Log2(FloatFunction):
    """Elementwise logarithm to base 2: ``2 ** out = x``."""

    def forward(self, xp, x):
        return xp.log2(x)

    def bprop(self, x, out, dout):
        return dout / x / math.log(2)


class Log10(FloatFunction):
    """Elementwise logarithm to base 10: ``10 ** out = x``."""

    def forward(self, xp, x):
        return xp.log10(x)

    def bprop(self, x, out, dout):
        return dout / x / math.log(10)


class Sqrt(FloatFunction):
    """Elementwise square root: ``out = x ** 0.5``."""

    def forward(self, xp, x):
        return xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout / (out * 2)


class Rsqrt(FloatFunction):
    """Elementwise reciprocal square root: ``out = x ** -0.5``."""

    def forward(self, xp, x):
        return 1 / xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout * out / x * -0.5


class Reciprocal(FloatFunction):
    """Elementwise reciprocal: ``out = 1 / x``."""

    def forward(self, xp, x):
        return 1 / x

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Inv(Function):
    """Elementwise reciprocal: ``out = 1 / x``; of integers truncated toward zero, and 0 for 0."""

    def compute(self, xp, x):
        if x.dtype in FLOATS:
            return narrow(xp, 1 / widen(xp, x), x.dtype)
        return xp.where(xp.abs(x) == 1, x, xp.zeros_like(x))

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Square(Function):
    """Elementwise square: ``out = x * x``."""

    def compute(self, xp, x):
        return xp.multiply(x, x)

    def bprop(self, x, out, dout):
        return dout * x * 2


class Abs(Function):
    """Elementwise absolute value: ``out = |x|``; its gradient at 0 is 0."""

    piecewise = True

    def compute(self, xp, x):
        return xp.abs(x)

    def bprop(self, x, out, dout):
        return dout * _sign(x)


class Sign(Function):
    """Elementwise sign: -1, 0 or 1; nan for nan. Its gradient is zero."""

    differentiable = False

    def compute(self, xp, x):
        return xp.sign(x)


_sign = Sign()


class NanToNum(FloatFunction):
    """Elementwise replacement of nan and of infinities, by default by 0 and by the dtype's largest and least numbers.

    Args:
        nan (float): The number in the place of nan. Default: 0.0.
        posinf (float): The number in the place of inf. Default: None, the dtype's largest number.
        neginf (float): The number in the place of -inf. Default: None, the dtype's least number.
    """

    piecewise = True

    def __init__(self, nan=0.0, posinf=None, neginf=None):
        for name, value in (("nan", nan), ("posinf", posinf), ("neginf", neginf)):
            if value is not None and not isinstance(value, float):
                raise type_error("NanToNum", f"the '{name}' must be a float", shown(value))
            self.add_prim_attr(name, value)

    def compute(self, xp, x):
        largest = float(ml_dtypes.finfo(x.dtype).max)
        above = largest if self.posinf is None else self.posinf
        below = -largest if self.neginf is None else self.neginf
        wide = widen(xp, x)
        finite = xp.where(xp.isinf(wide), xp.where(wide > 0, wide.dtype.type(above), wide.dtype.type(below)), wide)
        return narrow(xp, xp.where(xp.isnan(wide), wide.dtype.type(self.nan or 0.0), finite), x.dtype)

    def bprop(self, x, out, dout):
        return _select(x.isfinite(), dout, 0)
