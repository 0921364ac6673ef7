"""Elementwise sum, difference, product and negation, with broadcasting and promotion, and their gradients."""

from minispore.core.tape import needs_grad
from minispore.ops.elementwise import Function
from minispore.ops.elementwise_pairs import Arithmetic

__all__ = ["Add", "Mul", "Neg", "Sub"]


class Add(Arithmetic):
    """Elementwise sum, with broadcasting: ``out = x + y``."""

    complex_numbers = "analytic"
    ufunc = "add"

    def local_grads(self, x, y, out, dout):
        return dout, dout


class Sub(Arithmetic):
    """Elementwise difference, with broadcasting: ``out = x - y``."""

    complex_numbers = "analytic"
    ufunc = "subtract"

    def local_grads(self, x, y, out, dout):
        return (
            dout if needs_grad(x) else None,
            -dout if needs_grad(y) else None,
        )


class Mul(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``."""

    complex_numbers = "analytic"
    ufunc = "multiply"

    def local_grads(self, x, y, out, dout):
        return (
            dout * y if needs_grad(x) else None,
            dout * x if needs_grad(y) else None,
        )


class Neg(Function):
    """Elementwise negation: ``out = -x``."""

    complex_numbers = "analytic"

    def compute(self, xp, x):
        return xp.negative(x)

    def bprop(self, x, out, dout):
        return -dout
