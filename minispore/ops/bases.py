"""Bases of the elementwise operations: functions of one Tensor, and of two with broadcasting and promotion."""

from minispore.errors import type_error
from minispore.ops.common import broadcast, check_float, check_number, check_tensor, named, promoted
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec

__all__ = []


def check_integers(op, argument, x):
    """Refuse what is no Tensor of integers."""
    check_tensor(op, argument, x)
    if x.dtype.kind not in "iu":
        raise type_error(op.name, f"the '{argument}' must be a Tensor of integers", named(x.dtype))


class Function(Primitive):
    """Base of functions of one Tensor of numbers that keep its dtype."""

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)


class FloatFunction(Primitive):
    """Base of functions of one floating Tensor; float16 is computed in float32 and rounded once."""

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return narrow(xp, self.of(xp, widen(xp, x)), x.dtype)


class Arithmetic(Primitive):
    """Base of elementwise operations on two Tensors of numbers."""

    adapt = promoted

    def infer(self, x, y):
        check_number(self, "x", x)
        check_number(self, "y", y)
        return broadcast(self, x, y)


class FloatPair(Arithmetic):
    """Base of functions of two floating Tensors; float16 is computed in float32 and rounded once."""

    def infer(self, x, y):
        check_float(self, "x", x)
        check_float(self, "y", y)
        return broadcast(self, x, y)

    def compute(self, xp, x, y):
        return narrow(xp, self.of(xp, widen(xp, x), widen(xp, y)), x.dtype)
