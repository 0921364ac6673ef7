"""Common divisors and multiples of integers, elementwise, with broadcasting and promotion; they have no gradient."""

from minispore.ops.operations.math.bitwise import IntegerPair

__all__ = ["Gcd", "Lcm"]


class Gcd(IntegerPair):
    """Elementwise greatest common divisor of integers, at least 0: that of 0 and y is ``|y|``."""

    def compute(self, xp, x, y):
        return xp.gcd(x, y)


class Lcm(IntegerPair):
    """Elementwise least common multiple of integers, at least 0: that of 0 and y is 0."""

    def compute(self, xp, x, y):
        return xp.lcm(x, y)
