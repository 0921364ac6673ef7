"""Elementwise functions of one Tensor, and their gradients."""

import math

import numpy as np

from minispore.autograd import wanted
from minispore.errors import type_error
from minispore.ops.common import (
    broadcast_shape,
    check_float,
    check_number,
    check_same_type,
    check_tensor,
    named,
    promoted,
    sum_to,
)
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec

__all__ = [
    "Abs",
    "Ceil",
    "Cos",
    "Erf",
    "Exp",
    "Floor",
    "Log",
    "Reciprocal",
    "Round",
    "Rsqrt",
    "Select",
    "Sign",
    "Sin",
    "Sqrt",
    "Square",
]


class _Function(Primitive):
    """Base of functions of one Tensor of numbers that keep its dtype."""

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)


class _FloatFunction(Primitive):
    """Base of functions of one floating Tensor; float16 is computed in float32 and rounded once."""

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return narrow(xp, self.of(xp, widen(xp, x)), x.dtype)


class Exp(_FloatFunction):
    """Elementwise exponential: ``out = e ** x``."""

    def of(self, xp, x):
        return xp.exp(x)

    def bprop(self, x, out, dout):
        return dout * out


class Log(_FloatFunction):
    """Elementwise natural logarithm: ``out = ln x``; nan below 0, -inf at 0."""

    def of(self, xp, x):
        return xp.log(x)

    def bprop(self, x, out, dout):
        return dout / x


class Sqrt(_FloatFunction):
    """Elementwise square root: ``out = x ** 0.5``."""

    def of(self, xp, x):
        return xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout / (out * 2)


class Rsqrt(_FloatFunction):
    """Elementwise reciprocal square root: ``out = x ** -0.5``."""

    def of(self, xp, x):
        return 1 / xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout * out / x * -0.5


class Reciprocal(_FloatFunction):
    """Elementwise reciprocal: ``out = 1 / x``."""

    def of(self, xp, x):
        return 1 / x

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Sin(_FloatFunction):
    """Elementwise sine: ``out = sin x``."""

    def of(self, xp, x):
        return xp.sin(x)

    def bprop(self, x, out, dout):
        return dout * _cos(x)


class Cos(_FloatFunction):
    """Elementwise cosine: ``out = cos x``."""

    def of(self, xp, x):
        return xp.cos(x)

    def bprop(self, x, out, dout):
        return -(dout * _sin(x))


_sin, _cos = Sin(), Cos()

# Winitzki's and Cody's forms are less exact than this split: a power series near 0, a continued fraction in the tail.
_ERF_SPLIT, _ERF_TERMS, _ERF_FRACTION = 2.0, 30, 40


class Erf(_FloatFunction):
    """Elementwise error function: ``out = 2 / sqrt(pi) * integral of exp(-t ** 2) from 0 to x``."""

    def of(self, xp, x):
        wide = x.astype(np.float64)
        near, far = xp.clip(wide, -_ERF_SPLIT, _ERF_SPLIT), xp.maximum(xp.abs(wide), _ERF_SPLIT)
        out = xp.where(xp.abs(wide) <= _ERF_SPLIT, _erf_series(near), xp.sign(wide) * (1 - _erfc_fraction(xp, far)))
        return xp.where(xp.isnan(wide), wide, out).astype(x.dtype)

    def bprop(self, x, out, dout):
        return dout * (-(x * x)).exp() * (2 / math.sqrt(math.pi))


def _erf_series(x):
    """The Taylor series of erf, by Horner's rule; exact to float64 for ``|x| <= 2``."""
    square, total = x * x, 0.0
    for n in range(_ERF_TERMS, -1, -1):
        total = total * square + (-1) ** n / (math.factorial(n) * (2 * n + 1))
    return total * x * (2 / math.sqrt(math.pi))


def _erfc_fraction(xp, x):
    """The continued fraction of the complementary error function, from its far end; for ``x >= 2``."""
    total = x
    for n in range(_ERF_FRACTION, 0, -1):
        total = x + (n / 2) / total
    return xp.exp(-x * x) / (total * math.sqrt(math.pi))


class Square(_Function):
    """Elementwise square: ``out = x * x``."""

    def compute(self, xp, x):
        return xp.multiply(x, x)

    def bprop(self, x, out, dout):
        return dout * x * 2


class Abs(_Function):
    """Elementwise absolute value: ``out = |x|``; its gradient at 0 is 0."""

    piecewise = True

    def compute(self, xp, x):
        return xp.abs(x)

    def bprop(self, x, out, dout):
        return dout * _sign(x)


class Sign(_Function):
    """Elementwise sign: -1, 0 or 1; nan for nan. Its gradient is zero."""

    differentiable = False

    def compute(self, xp, x):
        return xp.sign(x)


_sign = Sign()


class _Rounding(_FloatFunction):
    """Base of roundings, whose gradient is zero."""

    differentiable = False


class Floor(_Rounding):
    """Elementwise rounding down."""

    def of(self, xp, x):
        return xp.floor(x)


class Ceil(_Rounding):
    """Elementwise rounding up."""

    def of(self, xp, x):
        return xp.ceil(x)


class Round(_Rounding):
    """Elementwise rounding to the nearest integer, halves to even."""

    def of(self, xp, x):
        return xp.rint(x)


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
            wanted(x) and sum_to(_select(condition, dout, 0), x._data.shape),
            wanted(y) and sum_to(_select(condition, 0, dout), y._data.shape),
        )


_select = Select()
