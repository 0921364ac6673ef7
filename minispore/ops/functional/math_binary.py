"""Functional wrappers of elementwise operations on several Tensors: arithmetic, comparison, logic, bits."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice, plain
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import binary, check_tensors, make, unary
from minispore.ops.number_checks import check_no_complex, check_number
from minispore.ops.operations.linalg.cross import Cross
from minispore.ops.operations.math import arithmetic, bitwise, comparison, division, ternary, trigonometry
from minispore.ops.operations.math import binary as pairs
from minispore.ops.operations.math.add_n import AddN
from minispore.ops.operations.math.exponential import Exp2
from minispore.ops.operations.math.extremes import Maximum, Minimum
from minispore.ops.operations.math.power import Pow
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.math.unary import Abs
from minispore.ops.promotion import lowered_dtype

__all__ = [
    "accumulate_n",
    "add",
    "addcdiv",
    "addcmul",
    "addn",
    "approximate_equal",
    "arctan2",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "cross",
    "div",
    "divide",
    "equal",
    "float_power",
    "floor_div",
    "floor_mod",
    "fmax",
    "fmin",
    "fmod",
    "ge",
    "greater",
    "greater_equal",
    "gt",
    "heaviside",
    "hypot",
    "isclose",
    "ldexp",
    "le",
    "lerp",
    "less",
    "less_equal",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "masked_fill",
    "maximum",
    "minimum",
    "mul",
    "multiply",
    "ne",
    "neg",
    "negative",
    "not_equal",
    "pow",
    "remainder",
    "select",
    "sub",
    "subtract",
    "true_divide",
    "truncate_div",
    "truncate_mod",
    "xdivy",
    "xlogy",
]
METHODS = """
    add addcdiv addcmul approximate_equal arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or
    bitwise_right_shift bitwise_xor copysign cross div divide equal float_power floor_div fmax fmin fmod ge
    greater greater_equal gt heaviside hypot isclose ldexp le lerp less less_equal logaddexp logaddexp2 logical_and
    logical_not logical_or logical_xor lt masked_fill maximum minimum mul multiply ne neg negative not_equal pow
    remainder sub subtract true_divide xdivy xlogy
"""

neg = negative = unary(arithmetic.Neg())
add = binary(arithmetic.Add())
sub = binary(arithmetic.Sub())
mul = multiply = binary(arithmetic.Mul())
pow = binary(Pow(), "input", "exponent")
maximum = binary(Maximum(), "x", "y")
minimum = binary(Minimum(), "x", "y")
_div = true_divide = binary(division.Div(), "dividend", "divisor")
floor_div = binary(division.FloorDiv(), "x", "y")
floor_mod = binary(division.FloorMod(), "x", "y")
remainder = binary(division.FloorMod())
truncate_div = binary(division.TruncateDiv(), "x", "y")
truncate_mod = binary(division.TruncateMod(), "x", "y")
fmod = binary(division.TruncateMod())
xdivy = binary(division.Xdivy(), "x", "y")
xlogy = binary(pairs.Xlogy())
hypot = binary(pairs.Hypot())
fmax = binary(pairs.Fmax())
fmin = binary(pairs.Fmin())
logaddexp = binary(pairs.LogAddExp())
atan2 = arctan2 = binary(trigonometry.Atan2())
equal = binary(comparison.Equal())
not_equal = binary(comparison.NotEqual())
ne = binary(comparison.NotEqual(), "x", "y")
less = binary(comparison.Less(), "x", "y")
lt = binary(comparison.Less())
less_equal = binary(comparison.LessEqual())
le = binary(comparison.LessEqual(), "x", "y")
greater = binary(comparison.Greater())
gt = binary(comparison.Greater(), "x", "y")
greater_equal = binary(comparison.GreaterEqual())
ge = binary(comparison.GreaterEqual(), "x", "y")
bitwise_and = binary(bitwise.BitwiseAnd())
bitwise_or = binary(bitwise.BitwiseOr())
bitwise_xor = binary(bitwise.BitwiseXor())
bitwise_left_shift = binary(bitwise.LeftShift())
bitwise_right_shift = binary(bitwise.RightShift())
_heaviside, _lerp, _select = pairs.Heaviside(), ternary.Lerp(), Select()
_and, _or, _xor, _not = (
    binary(comparison.LogicalAnd()),
    binary(comparison.LogicalOr()),
    binary(comparison.LogicalXor()),
    comparison.LogicalNot(),
)
_abs, _addn = Abs(), AddN()
_FLOAT32, _FLOAT64, _BOOL = (np.dtype(kind) for kind in (np.float32, np.float64, np.bool_))


def select(cond: Tensor, x, y) -> Tensor:
    """``x`` where ``cond`` is True, else ``y``: ``Select()(cond, x, y)``.

    Shapes: those of ``cond``, ``x`` and ``y`` broadcast. Dtypes: any, kept.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``cond`` and ``x`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.select(ms.Tensor([True, False]), ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0])))
        [ 1. 20.]
    """
    return _select(cond, x, y)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 below 0, 1 above, ``values`` at 0: ``Heaviside()(input, values)``.

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.heaviside(ms.Tensor([-2.0, 0.0, 3.0]), ms.Tensor(0.5)))
        [0.  0.5 1. ]
    """
    return _heaviside(input, values)


def lerp(input, end, weight) -> Tensor:
    """Linear interpolation: ``Lerp()(input, end, weight)``, which is ``input + weight * (end - input)``.

    Shapes: those of all broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input``, ``end`` or ``weight`` is not a Tensor, or ``end`` and ``input`` differ in dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lerp(ms.Tensor([0.0, 10.0]), ms.Tensor([10.0, 20.0]), 0.25))
        [ 2.5 12.5]
    """
    return _lerp(input, end, weight)


def _truth(x):
    """A Tensor of numbers as one of bools: whether each is not 0."""
    return cast(x, _BOOL) if isinstance(x, Tensor) and x.array.dtype != _BOOL else x


def logical_and(input, other) -> Tensor:
    """Elementwise ``input and other``; numbers other than 0 count as True.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logical_and(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [ True False False]
    """
    return _and(_truth(input), _truth(other))


def logical_or(input, other) -> Tensor:
    """Elementwise ``input or other``; numbers other than 0 count as True.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logical_or(ms.Tensor([0, 3, 0]), ms.Tensor([0, 0, 2])))
        [False  True  True]
    """
    return _or(_truth(input), _truth(other))


def logical_xor(input, other) -> Tensor:
    """Elementwise exclusive or; numbers other than 0 count as True.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logical_xor(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [False  True False]
    """
    return _xor(_truth(input), _truth(other))


def logical_not(input: Tensor) -> Tensor:
    """Elementwise ``not input``; numbers other than 0 count as True.

    Shapes: any, kept. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logical_not(ms.Tensor([0.0, 0.5])))
        [ True False]
    """
    return _not(_truth(input))


def div(input, other, *, rounding_mode=None) -> Tensor:
    """Elementwise quotient, rounded toward zero ("trunc"), down ("floor") or not at all (None).

    Shapes: those of the two broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        ValueError: If the rounding_mode is another.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.div(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0), rounding_mode="floor"))
        [ 3. -4.]
        >>> print(ops.div(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0), rounding_mode="trunc"))
        [ 3. -3.]
        >>> print(ops.div(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0)))
        [ 3.5 -3.5]
    """
    if rounding_mode is None:
        return _div(input, other)
    check_choice("div", "rounding_mode", rounding_mode, (None, "floor", "trunc"))
    return (floor_div if rounding_mode == "floor" else truncate_div)(input, other)


divide = div


def subtract(input, other, *, alpha=1) -> Tensor:
    """Elementwise ``out = input - alpha * other``.

    Shapes: those of the two broadcast. Dtypes: floats, ints and complex, kept; bools give int64.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``alpha`` is not a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.subtract(ms.Tensor([5.0, 6.0]), ms.Tensor([1.0, 2.0]), alpha=2))
        [3. 2.]
    """
    if not isinstance(alpha, Tensor):
        check_number("subtract", "alpha", alpha)
    return sub(input, other if alpha == 1 else mul(other, alpha) if isinstance(other, Tensor) else other * alpha)


def addn(x) -> Tensor:
    """Sum of a list or tuple of Tensors of one shape and dtype: ``AddN()(x)``.

    Shapes: any, the same for all, and kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` is not a list or tuple of Tensors, or an element of the input is not a Tensor.
        ValueError: If ``x`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.accumulate_n([ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0]), ms.Tensor([100.0, 200.0])]))
        [111. 222.]
    """
    if not isinstance(x, (list, tuple)):
        raise type_error("addn", "the 'x' must be a list or tuple of Tensors", type(x).__name__)
    return _addn(x)


accumulate_n = addn


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value=1) -> Tensor:
    """Scaled product added to a Tensor: ``out = input + value * tensor1 * tensor2``.

    Shapes: those of all broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor, or ``tensor1`` and ``input`` differ in dtype.
        ValueError: If the shapes of ``input`` and ``tensor1`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addcmul(ms.Tensor([1.0, 1.0]), ms.Tensor([2.0, 3.0]), ms.Tensor([10.0, 10.0]), ms.Tensor(0.5)))
        [11. 16.]
    """
    return make(ternary.Addcmul)(input, tensor1, tensor2, value if isinstance(value, Tensor) else plain(value))


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value=1) -> Tensor:
    """Scaled quotient added to a Tensor: ``out = input + value * tensor1 / tensor2``.

    Shapes: those of all broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor, or ``tensor1`` and ``input`` differ in dtype.
        ValueError: If the shapes of ``input`` and ``tensor1`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addcdiv(ms.Tensor([1.0, 1.0]), ms.Tensor([2.0, 3.0]), ms.Tensor([4.0, 4.0]), ms.Tensor(2.0)))
        [2.  2.5]
    """
    return make(ternary.Addcdiv)(input, tensor1, tensor2, value if isinstance(value, Tensor) else plain(value))


def cross(input: Tensor, other: Tensor, dim=None) -> Tensor:
    """Vector product along ``dim``, by default the first axis of length 3: ``Cross(dim)(input, other)``.

    Shapes: any in which ``dim`` has length 3, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``input`` or ``other`` is not a Tensor, ``other`` and ``input`` differ in dtype, or ``dim`` is not
            an int.
        ValueError: If ``other`` has a shape that does not fit, or ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cross(ms.Tensor([1.0, 0.0, 0.0]), ms.Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """
    return make(Cross, *(() if dim is None else (dim,)))(input, other)


def copysign(x: Tensor, other) -> Tensor:
    """Elementwise ``|x|`` with the sign of ``other``, which is positive for ``-0.0`` as in MindSpore.

    Shapes: those of the two broadcast. Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``other`` holds no numbers, or ``other`` is not a real number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.copysign(ms.Tensor([1.0, -2.0, 3.0]), ms.Tensor([-1.0, 1.0, -0.0])))
        [-1.  2.  3.]
    """
    check_tensors("copysign", x=x)
    check_no_complex("copysign", "other", other)
    x = cast(x, _FLOAT32) if x.array.dtype.kind in "iu" else x
    other = other if isinstance(other, Tensor) else Tensor(other, x.dtype)
    size = _abs(x)
    return _select(other < 0, -size, size)


def float_power(input, exponent) -> Tensor:
    """Elementwise power in float64: ``out = input ** exponent``.

    Shapes: those of the two broadcast. Dtypes: any; the answer is float64.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.float_power(ms.Tensor([2, 3]), ms.Tensor([0.5, 2.0])))
        [1.41421356 9.        ]
    """
    wide = [cast(x, _FLOAT64) if isinstance(x, Tensor) else x for x in (input, exponent)]
    return pow(*wide)


def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """Elementwise ``out = x * 2 ** other``; integers are taken as float32.

    Shapes: those of the two broadcast. Dtypes: float32, float64 and complex, kept; float16, ints and bools give
    float32.

    Raises:
        TypeError: If ``x`` or ``other`` is not a Tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ldexp(ms.Tensor([1.0, 3.0]), ms.Tensor([4, -1])))
        [16.   1.5]
    """
    check_tensors("ldexp", x=x, other=other)
    floats = [x if x.array.dtype.kind not in "biu" else cast(x, _FLOAT32) for x in (x, other)]
    return mul(floats[0], make(Exp2)(floats[1]))


def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """Elementwise ``out = log2(2 ** input + 2 ** other)``, without overflow on the way.

    Shapes: those of the two broadcast. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``input`` or ``other`` is not a Tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logaddexp2(ms.Tensor([3.0, 1000.0]), ms.Tensor([3.0, 1000.0])))  # 2 ** 1000 alone would overflow
        [   4. 1001.]
    """
    check_tensors("logaddexp2", input=input, other=other)
    ln2, kind = float(np.log(2.0)), np.dtype(np.float16)
    if isinstance(input, Tensor) and isinstance(other, Tensor) and input.array.dtype == other.array.dtype == kind:
        wide = np.dtype(np.float32)  # so that it is rounded once
        return cast(logaddexp2(cast(input, wide), cast(other, wide)), lowered_dtype(input))
    return logaddexp(input * ln2, other * ln2) * (1 / ln2)


def isclose(x1: Tensor, x2: Tensor, rtol=1e-05, atol=1e-08, equal_nan: bool = False) -> Tensor:
    """True for each pair within ``atol + rtol * |x2|``: ``IsClose(rtol, atol, equal_nan)(x1, x2)``.

    Shapes: those of the two broadcast. Dtypes: floats and ints; the answer is bool; TypeError for bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` is not a Tensor, ``x2`` and ``x1`` differ in dtype, or ``rtol`` or ``atol`` is
            not a number. Also if ``equal_nan`` is not a bool.
        ValueError: If the shapes do not broadcast, or ``rtol`` or ``atol`` is below 0.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isclose(ms.Tensor([1.0, 1.0, np.nan]), ms.Tensor([1.000001, 1.1, np.nan])))
        [ True False False]
    """
    return make(comparison.IsClose, rtol, atol, equal_nan)(x1, x2)


def approximate_equal(x, y, tolerance=1e-05) -> Tensor:
    """True for each pair that is less than ``tolerance`` apart: ``ApproximateEqual(tolerance)(x, y)``.

    Shapes: one for both, and kept. Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``tolerance`` is not a number.
        RuntimeError: If ``x`` and ``y`` do not have the same shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.approximate_equal(ms.Tensor([1.0, 2.0]), ms.Tensor([1.05, 2.5]), 0.1))
        [ True False]
    """
    return make(comparison.ApproximateEqual, tolerance)(x, y)


def masked_fill(input_x: Tensor, mask: Tensor, value) -> Tensor:
    """``value`` where the mask is True, else ``input_x``.

    Shapes: those of ``input_x`` and the mask broadcast. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` or ``mask`` is not a Tensor, or ``value`` holds no numbers.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.masked_fill(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([True, False, True]), 0.0))
        [0. 2. 0.]
    """
    check_tensors("masked_fill", input_x=input_x, mask=mask)
    check_no_complex("masked_fill", "value", value)
    return _select(mask, value if isinstance(value, Tensor) else Tensor(value, input_x.dtype), input_x)
