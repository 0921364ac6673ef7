"""Elementwise functions of two Tensors: arithmetic, bits; operands promote, and shapes broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.dtype import FLOATS, float32
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import converted, numbers_only, operand, operands, real

__all__ = [
    "add",
    "arctan2",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "copysign",
    "divide",
    "divmod",
    "float_power",
    "floor_divide",
    "fmod",
    "gcd",
    "heaviside",
    "hypot",
    "invert",
    "lcm",
    "logaddexp",
    "logaddexp2",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "power",
    "remainder",
    "subtract",
    "true_divide",
]


def _numbers(name, x1, x2):
    """Two operands of one type, which must not be bool."""
    x1, x2 = operands(name, x1, x2)
    return numbers_only(name, x1, "x1"), x2


def _floats(name, x1, x2):
    """Two operands of one float type."""
    x1, x2 = operands(name, x1, x2)
    return (x1, x2) if x1.array.dtype in FLOATS else tuple(ops.cast(real(name, x), float32) for x in (x1, x2))


def _beside(name, x1, x2):
    """Two operands, of which a number takes the type of the Tensor beside it."""
    first, second = operand(name, x1, "x1"), operand(name, x2, "x2")
    if isinstance(x1, Tensor) == isinstance(x2, Tensor):
        return operands(name, first, second)
    if isinstance(x1, (list, tuple)) or isinstance(x2, (list, tuple)):
        return operands(name, first, second)
    kind = first.dtype if isinstance(x1, Tensor) else second.dtype
    return ops.cast(first, kind), ops.cast(second, kind)


def add(x1, x2, dtype=None) -> Tensor:
    """Sum of two Tensors or numbers.

    ``x1 + x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.add(ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0])))
        [11. 22.]
    """
    x1, x2 = _numbers("add", x1, x2)
    return converted("add", ops.add(x1, x2), dtype)


def subtract(x1, x2, dtype=None) -> Tensor:
    """Difference of two Tensors or numbers.

    ``x1 - x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.subtract(ms.Tensor([5.0, 6.0]), ms.Tensor([1.0, 2.0])))
        [4. 4.]
    """
    x1, x2 = _numbers("subtract", x1, x2)
    return converted("subtract", ops.sub(x1, x2), dtype)


def multiply(x1, x2, dtype=None) -> Tensor:
    """Product of two Tensors or numbers.

    ``x1 * x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, int32, int64 and complex, kept; uint64 gives float64; int8,
    int16, uint8, uint16 and bools give int32; uint32 gives int64.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.multiply(ms.Tensor([1.0, 2.0]), 10))
        [10. 20.]
    """
    x1, x2 = _numbers("multiply", x1, x2)
    return converted("multiply", ops.mul(x1, x2), dtype)


def divide(x1, x2, dtype=None) -> Tensor:
    """Quotient of two Tensors or numbers.

    ``x1 / x2``, as floats; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; signed ints, uint8, uint16, uint32 and bools give float32;
    uint64 gives float64; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.divide(ms.Tensor([7, -7]), 2))
        [ 3.5 -3.5]
    """
    x1, x2 = _floats("divide", x1, x2)
    return converted("divide", ops.div(x1, x2), dtype)


def true_divide(x1, x2, dtype=None) -> Tensor:
    """Quotient of two Tensors or numbers.

    ``x1 / x2``, as floats; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; signed ints, uint8, uint16, uint32 and bools give float32;
    uint64 gives float64; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.true_divide(ms.Tensor([7, -7]), 2))
        [ 3.5 -3.5]
    """
    x1, x2 = _floats("true_divide", x1, x2)
    return converted("true_divide", ops.div(x1, x2), dtype)


def power(x1, x2, dtype=None) -> Tensor:
    """Power of two Tensors or numbers.

    ``x1 ** x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.power(ms.Tensor([2.0, 3.0]), ms.Tensor([3.0, 2.0])))
        [8. 9.]
    """
    x1, x2 = _numbers("power", x1, x2)
    return converted("power", ops.pow(x1, x2), dtype)


def float_power(x1, x2, dtype=None) -> Tensor:
    """Power of two Tensors or numbers, as floats.

    ``x1 ** x2`` in float32; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools; the answer is float32; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers or complex ones, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.float_power(ms.Tensor([2, 3]), ms.Tensor([3, 2])))
        [8. 9.]
    """
    x1, x2 = (ops.cast(real("float_power", x), float32) for x in operands("float_power", x1, x2))
    return converted("float_power", ops.pow(x1, x2), dtype)


def mod(x1, x2, dtype=None) -> Tensor:
    """The rest of ``x1 / x2`` with the sign of ``x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.mod(ms.Tensor([7.0, -7.0]), ms.Tensor([3.0, 3.0])))
        [1. 2.]
    """
    x1, x2 = _numbers("mod", x1, x2)
    return converted("mod", ops.floor_mod(x1, x2), dtype)


def remainder(x1, x2, dtype=None) -> Tensor:
    """The rest of ``x1 / x2`` with the sign of ``x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.remainder(ms.Tensor([7.0, -7.0]), ms.Tensor([3.0, 3.0])))
        [1. 2.]
    """
    x1, x2 = _numbers("remainder", x1, x2)
    return converted("remainder", ops.floor_mod(x1, x2), dtype)


def fmod(x1, x2, dtype=None) -> Tensor:
    """The rest of ``x1 / x2`` with the sign of ``x1``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.fmod(ms.Tensor([7.0, -7.0]), ms.Tensor([3.0, 3.0])))
        [ 1. -1.]
    """
    x1, x2 = _numbers("fmod", x1, x2)
    return converted("fmod", ops.fmod(x1, x2), dtype)


def floor_divide(x1, x2, dtype=None) -> Tensor:
    """The largest whole number that is at most ``x1 / x2``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.floor_divide(ms.Tensor([7.0, -7.0]), ms.Tensor([2.0, 2.0])))
        [ 3. -4.]
    """
    x1, x2 = _numbers("floor_divide", x1, x2)
    return converted("floor_divide", ops.floor_div(x1, x2), dtype)


def hypot(x1, x2, dtype=None) -> Tensor:
    """Length of the hypotenuse.

    ``sqrt(x1 ** 2 + x2 ** 2)``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.hypot(ms.Tensor([3.0, 5.0]), ms.Tensor([4.0, 12.0])))
        [ 5. 13.]
    """
    x1, x2 = operands("hypot", x1, x2)
    return converted("hypot", ops.hypot(x1, x2), dtype)


def arctan2(x1, x2, dtype=None) -> Tensor:
    """The angle in radians of the point with the coordinates ``x2`` and ``x1``; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers or complex ones, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arctan2(ms.Tensor([0.0, 1.0, 0.0]), ms.Tensor([1.0, 0.0, -1.0])))
        [0.        1.5707964 3.1415927]
    """
    x1, x2 = _floats("arctan2", x1, x2)
    return converted("arctan2", ops.arctan2(x1, x2), dtype)


def logaddexp(x1, x2, dtype=None) -> Tensor:
    """Logarithm of a sum of powers.

    ``log(e ** x1 + e ** x2)`` without overflow; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logaddexp(ms.Tensor([1000.0]), ms.Tensor([1000.0])))
        [1000.6932]
    """
    x1, x2 = operands("logaddexp", x1, x2)
    return converted("logaddexp", ops.logaddexp(x1, x2), dtype)


def logaddexp2(x1, x2, dtype=None) -> Tensor:
    """Logarithm to base 2 of a sum of powers.

    ``log2(2 ** x1 + 2 ** x2)`` without overflow; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logaddexp2(ms.Tensor([3.0]), ms.Tensor([3.0])))
        [4.]
    """
    x1, x2 = operands("logaddexp2", x1, x2)
    return converted("logaddexp2", ops.logaddexp2(x1, x2), dtype)


def heaviside(x1, x2, dtype=None) -> Tensor:
    """0 where ``x1`` is below 0, 1 where it is above, ``x2`` where it is 0; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.heaviside(ms.Tensor([-2.0, 0.0, 3.0]), ms.Tensor(0.5)))
        [0.  0.5 1. ]
    """
    x1, x2 = _numbers("heaviside", x1, x2)
    return converted("heaviside", ops.heaviside(x1, x2), dtype)


def bitwise_and(x1, x2, dtype=None) -> Tensor:
    """Bits that both have; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.bitwise_and(ms.Tensor([0b1100]), ms.Tensor([0b1010])))
        [8]
    """
    x1, x2 = operands("bitwise_and", x1, x2)
    return converted("bitwise_and", ops.bitwise_and(x1, x2), dtype)


def bitwise_or(x1, x2, dtype=None) -> Tensor:
    """Bits that one or both have; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.bitwise_or(ms.Tensor([0b1100]), ms.Tensor([0b1010])))
        [14]
    """
    x1, x2 = operands("bitwise_or", x1, x2)
    return converted("bitwise_or", ops.bitwise_or(x1, x2), dtype)


def bitwise_xor(x1, x2, dtype=None) -> Tensor:
    """Bits that one of both has; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: ints and bools, kept; TypeError for floats and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.bitwise_xor(ms.Tensor([0b1100]), ms.Tensor([0b1010])))
        [6]
    """
    x1, x2 = operands("bitwise_xor", x1, x2)
    return converted("bitwise_xor", ops.bitwise_xor(x1, x2), dtype)


def maximum(x1, x2, dtype=None) -> Tensor:
    """The larger of both; a number takes the type of the Tensor beside it; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.maximum(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        [2. 5.]
    """
    x1, x2 = _beside("maximum", x1, x2)
    larger = ops.logical_or if x1.array.dtype == np.bool_ else ops.maximum
    return converted("maximum", larger(x1, x2), dtype)


def minimum(x1, x2, dtype=None) -> Tensor:
    """The smaller of both; a number takes the type of the Tensor beside it; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.minimum(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        [1. 2.]
    """
    x1, x2 = _beside("minimum", x1, x2)
    smaller = ops.logical_and if x1.array.dtype == np.bool_ else ops.minimum
    return converted("minimum", smaller(x1, x2), dtype)


def copysign(x1, x2, dtype=None) -> Tensor:
    """``x1`` with the sign of ``x2``, in the type of ``x1`` if no ``dtype`` is given.

    Shapes: those of the two broadcast. Dtypes: floats and signed ints, kept; TypeError for unsigned ints, bools and
    complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers or complex ones, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.copysign(ms.Tensor([1.0, 2.0]), ms.Tensor([-1.0, 1.0])))
        [-1.  2.]
    """
    kind = operand("copysign", x1, "x1").dtype
    if kind.np not in FLOATS and kind.np.kind != "i":
        raise type_error("copysign", "the 'x1' must be a Tensor of numbers with a sign", kind)
    x1, x2 = _floats("copysign", x1, x2)
    return converted("copysign", ops.cast(ops.copysign(x1, x2), kind), dtype)


def divmod(x1, x2, dtype=None) -> Any:
    """Quotient rounded down, and remainder.

    ``(floor_divide(x1, x2), remainder(x1, x2))``.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.divmod(ms.Tensor([7.0, -7.0]), ms.Tensor([3.0, 3.0])))
        [ 2. -3.] [1. 2.]
    """
    return floor_divide(x1, x2, dtype), remainder(x1, x2, dtype)


def bitwise_not(x, dtype=None) -> Tensor:
    """The bits that ``x`` has not: ``-x - 1``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.bitwise_not(ms.Tensor([0, 5, -1])))
        [-1 -6  0]
    """
    return converted("bitwise_not", ops.invert(numbers_only("bitwise_not", operand("bitwise_not", x))), dtype)


def invert(x, dtype=None) -> Tensor:
    """The bits that ``x`` has not: ``-x - 1``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.invert(ms.Tensor([0, 5, -1])))
        [-1 -6  0]
    """
    return converted("invert", ops.invert(numbers_only("invert", operand("invert", x))), dtype)


def _divisors(x1, x2):
    """The greatest common divisors by Euclid's algorithm, and the sizes of both operands, which broadcast."""
    a, b = ops.broadcast_to(*_to_one_shape(x1, x2)), ops.broadcast_to(*_to_one_shape(x2, x1))
    sizes = ops.abs(a), ops.abs(b)
    a, b = sizes
    while bool(ops.logical_and(b != 0, b == b).any()):  # nan would be divided for ever
        rest = ops.floor_mod(a, ops.select(b == 0, ops.ones_like(b), b))
        a, b = ops.select(b == 0, a, b), ops.select(b == 0, b, rest)
    return a + b, sizes


def _to_one_shape(x, other):
    return x, (x + other).shape


def gcd(x1, x2, dtype=None) -> Tensor:
    """The greatest common divisor; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.gcd(ms.Tensor([12, 5]), ms.Tensor([18, 10])))
        [6 5]
    """
    x1, x2 = operands("gcd", x1, x2)
    x1, x2, kind = _signed(x1), _signed(x2), x1.dtype
    return converted("gcd", ops.cast(_divisors(x1, x2)[0], kind), dtype)


def lcm(x1, x2, dtype=None) -> Tensor:
    """The least common multiple; in ``dtype``, if one is given.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.lcm(ms.Tensor([4, 5]), ms.Tensor([6, 10])))
        [12 10]
    """
    x1, x2 = operands("lcm", x1, x2)
    x1, x2, kind = _signed(x1), _signed(x2), x1.dtype
    divisor, (a, b) = _divisors(x1, x2)
    multiple = ops.floor_div(a, ops.select(divisor == 0, ops.ones_like(divisor), divisor)) * b
    return converted("lcm", ops.cast(multiple, kind), dtype)


def _signed(x):
    return ops.cast(x, np.dtype(np.int32)) if x.array.dtype == np.bool_ else x
