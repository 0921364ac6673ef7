"""Operations on the bits of integers, elementwise, with broadcasting and promotion; they have no gradient."""

from minispore.ops.bases import check_integers
from minispore.ops.common import broadcast, promoted
from minispore.ops.primitive import Primitive

__all__ = ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "Invert", "LeftShift", "RightShift"]


class _Bitwise(Primitive):
    """Base of bitwise operations on two Tensors of integers, with broadcasting."""

    differentiable = False
    adapt = promoted

    def infer(self, x, y):
        check_integers(self, "x", x)
        check_integers(self, "y", y)
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


class LeftShift(_Bitwise):
    """Elementwise ``x << y`` of integers: ``out = x * 2 ** y``, within the dtype's bits."""

    def compute(self, xp, x, y):
        return xp.left_shift(x, y)


class RightShift(_Bitwise):
    """Elementwise ``x >> y`` of integers: ``out = floor(x / 2 ** y)``."""

    def compute(self, xp, x, y):
        return xp.right_shift(x, y)


class Invert(Primitive):
    """Elementwise inversion of an integer's bits: ``out = -x - 1`` for signed ones."""

    differentiable = False

    def infer(self, x):
        check_integers(self, "x", x)
        return x

    def compute(self, xp, x):
        return xp.invert(x)
