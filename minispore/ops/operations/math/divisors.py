"""Common divisors and multiples of integers, elementwise, with broadcasting and promotion; they have no gradient."""

from minispore.ops.operations.math.bitwise import IntegerPair

__all__ = ["Gcd", "Lcm"]


class Gcd(IntegerPair):
    """Elementwise greatest common divisor of integers, at least 0: that of 0 and y is ``|y|``.

    Shapes: any that broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.gcd(ms.Tensor([12, -12, 0]), ms.Tensor([18, 18, 5])))
        [6 6 5]
    """

    def compute(self, xp, x, y):
        return xp.gcd(x, y)


class Lcm(IntegerPair):
    """Elementwise least common multiple of integers, at least 0: that of 0 and y is 0.

    Shapes: any that broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lcm(ms.Tensor([4, -4, 0]), ms.Tensor([6, 6, 5])))
        [12 12  0]
    """

    def compute(self, xp, x, y):
        return xp.lcm(x, y)
