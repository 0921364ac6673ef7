"""Quotients and remainders of two Tensors, elementwise, with broadcasting and promotion, and their gradients."""

from minispore.autograd import wanted
from minispore.dtype import FLOATS
from minispore.ops.bases import Arithmetic, FloatPair
from minispore.ops.common import sum_to
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import cast

__all__ = [
    "Div",
    "DivNoNan",
    "FloorDiv",
    "FloorMod",
    "Mod",
    "RealDiv",
    "TruncateDiv",
    "TruncateMod",
    "Xdivy",
]


def _truncated(xp, x, y):
    """The quotient of integers, rounded toward zero; 0 where y is 0."""
    floor = xp.floor_divide(x, y)
    inexact_negative = (floor * y != x) & ((x < 0) != (y < 0)) & (y != 0)
    return floor + inexact_negative.astype(x.dtype)


class Div(Arithmetic):
    """Elementwise quotient, with broadcasting: ``out = x / y``; integers truncate toward zero, and keep their dtype.

    An integer divided by zero gives 0; a float gives inf or nan.
    """

    def compute(self, xp, x, y):
        if x.dtype in FLOATS:
            return xp.divide(x, y)
        return _truncated(xp, x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout / y, x._data.shape), wanted(y) and sum_to(-(dout * out) / y, y._data.shape)


class RealDiv(Div):
    """Elementwise quotient, with broadcasting: ``out = x / y`` (MindSpore's other name of Div)."""


class FloorDiv(Arithmetic):
    """Elementwise quotient rounded down: ``out = floor(x / y)``; its gradient is zero."""

    differentiable = False

    def compute(self, xp, x, y):
        return xp.floor_divide(x, y)


class FloorMod(Arithmetic):
    """Elementwise remainder of the quotient rounded down: ``out = x - floor(x / y) * y``, with the sign of ``y``."""

    piecewise = True

    def compute(self, xp, x, y):
        return xp.mod(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(-(dout * (x // y)), y._data.shape)


class Mod(Arithmetic):
    """Elementwise remainder of the truncated quotient: ``out = x - trunc(x / y) * y``, with the sign of ``x``."""

    piecewise = True

    def compute(self, xp, x, y):
        return xp.fmod(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(dout * (out - x) / y, y._data.shape)


class TruncateMod(Mod):
    """Elementwise remainder of the truncated quotient (MindSpore's other name of Mod)."""


class TruncateDiv(Arithmetic):
    """Elementwise quotient rounded toward zero: ``out = trunc(x / y)``; its gradient is zero."""

    differentiable = False

    def compute(self, xp, x, y):
        if x.dtype in FLOATS:
            return narrow(xp, xp.trunc(xp.divide(widen(xp, x), widen(xp, y))), x.dtype)
        return _truncated(xp, x, y)


class DivNoNan(FloatPair):
    """Elementwise quotient, with broadcasting: ``out = x / y``, and 0 where y is 0."""

    piecewise = True

    def of(self, xp, x, y):
        return xp.where(y == 0, x.dtype.type(0), x / y)

    def bprop(self, x, y, out, dout):
        return (
            wanted(x) and sum_to(self(dout, y), x._data.shape),
            wanted(y) and sum_to(-self(dout * out, y), y._data.shape),
        )


class Xdivy(FloatPair):
    """Elementwise quotient, with broadcasting: ``out = x / y``, and 0 where x is 0, whatever y is."""

    piecewise = True

    def of(self, xp, x, y):
        return xp.where(x == 0, x.dtype.type(0), x / y)

    def bprop(self, x, y, out, dout):
        return (
            wanted(x) and sum_to(self(cast(x != 0, x._data.dtype) * dout, y), x._data.shape),
            wanted(y) and sum_to(-self(dout * out, y), y._data.shape),
        )
