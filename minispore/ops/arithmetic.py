"""Elementwise arithmetic on two Tensors, with broadcasting and promotion, and its gradients."""

from minispore.autograd import wanted
from minispore.dtype import FLOATS
from minispore.ops.bases import Arithmetic, Function
from minispore.ops.common import sum_to
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.math import Select

__all__ = ["Add", "Maximum", "Minimum", "Mul", "Neg", "Pow", "SquaredDifference", "Sub"]


_select = Select()


class Add(Arithmetic):
    """Elementwise sum, with broadcasting: ``out = x + y``."""

    def compute(self, xp, x, y):
        return xp.add(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(dout, y._data.shape)


class Sub(Arithmetic):
    """Elementwise difference, with broadcasting: ``out = x - y``."""

    def compute(self, xp, x, y):
        return xp.subtract(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout, x._data.shape), wanted(y) and sum_to(-dout, y._data.shape)


class Mul(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``."""

    def compute(self, xp, x, y):
        return xp.multiply(x, y)

    def bprop(self, x, y, out, dout):
        return wanted(x) and sum_to(dout * y, x._data.shape), wanted(y) and sum_to(dout * x, y._data.shape)


class SquaredDifference(Arithmetic):
    """Elementwise square of the difference, with broadcasting: ``out = (x - y) ** 2``."""

    def compute(self, xp, x, y):
        difference = xp.subtract(widen(xp, x), widen(xp, y))
        return narrow(xp, difference * difference, x.dtype)

    def bprop(self, x, y, out, dout):
        slope = dout * (x - y) * 2
        return wanted(x) and sum_to(slope, x._data.shape), wanted(y) and sum_to(-slope, y._data.shape)


class Pow(Arithmetic):
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


class _Choice(Arithmetic):
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


class Neg(Function):
    """Elementwise negation: ``out = -x``."""

    def compute(self, xp, x):
        return xp.negative(x)

    def bprop(self, x, out, dout):
        return -dout
