"""Operations on integers, their bits and their divisors, elementwise, with broadcasting; they have no gradient."""

import numpy as np

from minispore.core import backend
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.broadcasting import broadcast
from minispore.ops.promotion import promoted
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_same_type, check_tensor, named

__all__ = [
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "CompareAndBitpack",
    "Gcd",
    "Invert",
    "Lcm",
    "LeftShift",
    "PopulationCount",
    "RightShift",
]


def check_integers(op, argument, x):
    """Raise TypeError unless x is a Tensor of integers."""
    check_tensor(op, argument, x)
    if x.dtype.kind not in "iu":
        raise type_error(op.name, f"the '{argument}' must be a Tensor of integers", named(x.dtype))


class IntegerPair(Primitive):
    """Base of operations on two Tensors of integers, with broadcasting and promotion."""

    differentiable = False
    adapt = promoted

    def infer(self, x, y):
        check_integers(self, "x", x)
        check_integers(self, "y", y)
        return broadcast(self, x, y)


class _OfBits(IntegerPair):
    """Base of those that look at each bit alone, and take bools too, a bit each."""

    def infer(self, x, y):
        for name, spec in (("x", x), ("y", y)):
            check_tensor(self, name, spec)
            if spec.dtype.kind not in "iub":
                raise type_error(self.name, f"the '{name}' must be a Tensor of integers or bools", named(spec.dtype))
        return broadcast(self, x, y)


class BitwiseAnd(_OfBits):
    """Elementwise ``x & y`` of integers or bools.

    Shapes: any that broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bitwise_and(ms.Tensor([0b1100]), ms.Tensor([0b1010])))  # 0b1000
        [8]
    """

    def compute(self, xp, x, y):
        return xp.bitwise_and(x, y)


class BitwiseOr(_OfBits):
    """Elementwise ``x | y`` of integers or bools.

    Shapes: any that broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bitwise_or(ms.Tensor([0b1100]), ms.Tensor([0b1010])))  # 0b1110
        [14]
    """

    def compute(self, xp, x, y):
        return xp.bitwise_or(x, y)


class BitwiseXor(_OfBits):
    """Elementwise exclusive or of integers' bits, or of bools.

    Shapes: any that broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bitwise_xor(ms.Tensor([0b1100]), ms.Tensor([0b1010])))  # 0b0110
        [6]
    """

    def compute(self, xp, x, y):
        return xp.bitwise_xor(x, y)


class LeftShift(IntegerPair):
    """Elementwise ``x << y`` of integers: ``out = x * 2 ** y``, within the dtype's bits.

    Shapes: any that broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bitwise_left_shift(ms.Tensor([1, 3]), ms.Tensor([4, 1])))
        [16  6]
    """

    def compute(self, xp, x, y):
        return xp.left_shift(x, y)


class RightShift(IntegerPair):
    """Elementwise ``input >> other`` of integers: ``out = floor(input / 2 ** other)`` for an ``other`` of at least 0.

    Shapes: any that broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bitwise_right_shift(ms.Tensor([16, -3]), ms.Tensor([4, 1])))
        [ 1 -2]
    """

    def compute(self, xp, x, y):
        return xp.right_shift(x, y)


class Invert(Primitive):
    """Elementwise inversion of an integer's bits: ``out = -x - 1`` for signed ones.

    Shapes: any, kept. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.invert(ms.Tensor([0, 5, -1])))
        [-1 -6  0]
    """

    differentiable = False

    def infer(self, x):
        check_integers(self, "x", x)
        return x

    def compute(self, xp, x):
        return xp.invert(x)


_LOWEST_FIRST = np.array([2**power for power in range(8)], np.uint8)  # the bits of a byte
_HIGHEST_FIRST = _LOWEST_FIRST[::-1].copy()


class CompareAndBitpack(Primitive):
    """Bits of ``x > threshold``, eight along the last axis in a byte, the first one as the highest bit.

    ``threshold`` has no axes and the dtype of x. The output is uint8, and its last axis an eighth of x's. As in
    MindSpore, bools are not compared: x's own are the bits, the first one the lowest.

    Shapes: (..., 8 * N) gives (..., N); ``threshold`` is (). Dtypes: floats, signed ints and bools; the answer is
    uint8; TypeError for unsigned ints and complex.

    Raises:
        TypeError: If ``x`` or ``threshold`` is not a Tensor, or ``x`` and ``threshold`` differ in dtype.
        ValueError: If ``threshold`` has axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
        >>> print(ops.CompareAndBitpack()(x, ms.Tensor(0.5)))  # 0b10000001
        [129]
    """

    differentiable = False

    def infer(self, x, threshold):
        check_same_type(self, threshold=threshold, x=x)
        if x.dtype.kind == "u":
            raise type_error(self.name, "the 'x' must not be unsigned", named(x.dtype))
        check_rank(self, "threshold", threshold, (0,))
        if not x.shape or x.shape[-1] % 8:
            raise value_error(self.name, "the last axis of 'x' must have a multiple of 8 elements", f"shape {x.shape}")
        return Spec((*x.shape[:-1], x.shape[-1] // 8), np.dtype(np.uint8))

    def compute(self, xp, x, threshold):
        of_bools = x.dtype == np.bool_
        bits = (x if of_bools else xp.greater(x, threshold)).reshape(*x.shape[:-1], x.shape[-1] // 8, 8)
        powers = backend.constant(xp, _LOWEST_FIRST if of_bools else _HIGHEST_FIRST)
        return (bits * powers).sum(-1, dtype=np.uint8)


class PopulationCount(Primitive):
    """Elementwise number of an integer's bits that are 1, as uint8; -1 has all, in two's complement.

    Shapes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.population_count(ms.Tensor([0, 7, -1], ms.int16)))
        [ 0  3 16]
    """

    differentiable = False

    def infer(self, x):
        check_integers(self, "input_x", x)
        return Spec(x.shape, np.dtype(np.uint8))

    def compute(self, xp, x):
        bits = x.astype(f"u{x.dtype.itemsize}")
        total = xp.zeros(x.shape, np.uint8)
        for i in range(8 * x.dtype.itemsize):
            total = total + ((bits >> bits.dtype.type(i)) & bits.dtype.type(1)).astype(np.uint8)
        return total


class Gcd(IntegerPair):
    """Elementwise greatest common divisor of integers, at least 0: that of 0 and y is ``|y|``.

    Shapes: any that broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

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

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lcm(ms.Tensor([4, -4, 0]), ms.Tensor([6, 6, 5])))
        [12 12  0]
    """

    def compute(self, xp, x, y):
        return xp.lcm(x, y)
