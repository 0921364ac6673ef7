"""Elementwise functions of one Tensor, and their gradients."""

import math

import numpy as np

from minispore.autograd import needs_grad
from minispore.dtype import FLOATS
from minispore.errors import type_error
from minispore.ops.common import broadcast_shape, check_same_type, check_tensor, named, promoted, sum_to
from minispore.ops.elementwise import FloatFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec

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
    "Reciprocal",
    "Rsqrt",
    "Select",
    "Sign",
    "Sqrt",
    "Square",
]


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


class Select(Primitive):
    """Elementwise choice, with broadcasting: ``out = x where condition else y``."""

    piecewise = True

    def adapt(self, condition, x, y):
        """Promote x and y; the condition is not lowered."""
        return (condition, *promoted(self, x, y))

    def infer(self, condition, x, y):
        check_tensor(self, "condition", condition)
        check_same_type(self, x=x, y=y)
        if condition.dtype != np.bool_:
            raise type_error(self.name, "the 'condition' must be a Tensor of bools", named(condition.dtype))
        shape = broadcast_shape(self, x.shape, y.shape)
        return Spec(broadcast_shape(self, condition.shape, shape, ("condition", "x")), x.dtype)

    def compute(self, xp, condition, x, y):
        return xp.where(condition, x, y)

    def bprop(self, condition, x, y, out, dout):
        return (
            None,
            needs_grad(x) and sum_to(_select(condition, dout, 0), x.array.shape),
            needs_grad(y) and sum_to(_select(condition, 0, dout), y.array.shape),
        )


_select = Select()
