"""Elementwise arithmetic on two Tensors, with broadcasting and promotion, and its gradients."""

from minispore.autograd import wanted
from minispore.dtype import FLOATS
from minispore.errors import type_error
from minispore.ops.common import broadcast, check_number, check_tensor, named, promoted, sum_to
from minispore.ops.math import Select
from minispore.ops.primitive import Primitive, Spec

__all__ = [
    "Add",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Div",
    "FloorDiv",
    "FloorMod",
    "Maximum",
    "Minimum",
    "Mod",
    "Mul",
    "Neg",
    "Pow",
    "RealDiv",
    "Sub",
]


_select = Select()


class _Arithmetic(Primitive):
    """Base of elementwise operations on two Tensors of numbers."""

    adapt = promoted

    def infer(self, x, y):
        check_number(self, "x", x)
        check_number(self, "y", y)
        return broadcast(self, x, y)


class Add(_Arithmetic):
    """Elementwise sum, with broadcasting: ``out = x + y``."""

    def compute(self, xp, x, y):
        return xp.add(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(dout, y._data.shape)


class Sub(_Arithmetic):
    """Elementwise difference, with broadcasting: ``out = x - y``."""

    def compute(self, xp, x, y):
        return xp.subtract(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(-dout, y._data.shape)


class Mul(_Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``."""

    def compute(self, xp, x, y):
        return xp.multiply(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout * y, x._data.shape), wanted(y) and sum_to(dout * x, y._data.shape)


class Div(_Arithmetic):
    """Elementwise quotient, with broadcasting: ``out = x / y``; integers truncate toward zero, and keep their dtype.

    An integer divided by zero gives 0; a float gives inf or nan.
    """

    def compute(self, xp, x, y):
        if x.dtype in FLOATS:
            return xp.divide(x, y)
        floor = xp.floor_divide(x, y)
        inexact_negative = (floor * y != x) & ((x < 0) != (y < 0)) & (y != 0)
        return floor + inexact_negative.astype(x.dtype)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout / y, x._data.shape), wanted(y) and sum_to(-(dout * out) / y, y._data.shape)


class RealDiv(Div):
    """Elementwise quotient, with broadcasting: ``out = x / y`` (MindSpore's other name of Div)."""


class FloorDiv(_Arithmetic):
    """Elementwise quotient rounded down: ``out = floor(x / y)``; its gradient is zero."""

    differentiable = False

    def compute(self, xp, x, y):
        return xp.floor_divide(x, y)


class FloorMod(_Arithmetic):
    """Elementwise remainder of the quotient rounded down: ``out = x - floor(x / y) * y``, with the sign of ``y``."""

    piecewise = True

    def compute(self, xp, x, y):
        return xp.mod(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(-(dout * (x // y)), y._data.shape)


class Mod(_Arithmetic):
    """Elementwise remainder of the truncated quotient: ``out = x - trunc(x / y) * y``, with the sign of ``x``."""

    piecewise = True

    def compute(self, xp, x, y):
        return xp.fmod(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(dout * (out - x) / y, y._data.shape)


class Pow(_Arithmetic):
    """Elementwise power, with broadcasting: ``out = x ** y``; truncated toward zero for integers."""

    def compute(self, xp, x, y):
        if x.dtype in FLOATS:
            return xp.power(x, y)
        whole = xp.power(x, xp.maximum(xp.abs(y), 0))  # at least 0: the least integer has no positive counterpart
        return xp.where((y < 0) & (xp.abs(x) != 1), xp.zeros_like(whole), whole)

    def bprop(self, x, y, out, dout):
        return (
            wanted(x) and sum_to(dout * y * x ** (y - 1), x._data.shape),
            wanted(y) and sum_to(dout * out * _log_or_zero(x), y._data.shape),
        )


def _log_or_zero(x):
    """``log(x)`` where x is above zero, else 0: the factor in the power's gradient for its exponent."""
    return _select(x > 0, x, 1).log()


class _Choice(_Arithmetic):
    """Base of Maximum and Minimum: the gradient goes to the chosen operand, half to each where they are equal."""

    piecewise = True

    def bprop(self, x, y, out, dout):
        tie = (x == y).astype(dout.dtype) * 0.5
        return (
            wanted(x) and sum_to(dout * (self._first(x, y).astype(dout.dtype) + tie), x._data.shape),
            wanted(y) and sum_to(dout * (self._first(y, x).astype(dout.dtype) + tie), y._data.shape),
        )


class Maximum(_Choice):
    """Elementwise larger of two Tensors: ``out = max(x, y)``; nan where either is nan."""

    _first = staticmethod(lambda x, y: x > y)

    def compute(self, xp, x, y):
        return xp.maximum(x, y)


class Minimum(_Choice):
    """Elementwise smaller of two Tensors: ``out = min(x, y)``; nan where either is nan."""

    _first = staticmethod(lambda x, y: x < y)

    def compute(self, xp, x, y):
        return xp.minimum(x, y)


class _Bitwise(_Arithmetic):
    """Base of bitwise operations on two Tensors of integers, with broadcasting."""

    differentiable = False

    def infer(self, x, y):
        for name, spec in (("x", x), ("y", y)):
            check_tensor(self, name, spec)
            if spec.dtype.kind not in "iu":
                raise type_error(self.name, f"the '{name}' must be a Tensor of integers", named(spec.dtype))
        return broadcast(self, x, y)


class BitwiseAnd(_Bitwise):
    """Elementwise ``x & y`` of integers."""

    def compute(self, xp, x, y):
        return xp.bitwise_and(x, y)


class BitwiseOr(_Bitwise):
    """Elementwise ``x | y`` of integers."""

    def compute(self, xp, x, y):
        return xp.bitwise_or(x, y)


class BitwiseXor(_Bitwise):
    """Elementwise exclusive or of integers' bits."""

    def compute(self, xp, x, y):
        return xp.bitwise_xor(x, y)


class Neg(Primitive):
    """Elementwise negation: ``out = -x``."""

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return xp.negative(x)

    def bprop(self, x, out, dout):
        return -dout
