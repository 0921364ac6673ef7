"""Functional wrappers of elementwise operations on several Tensors: arithmetic, comparison, logic, bits."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice
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


def select(cond, x, y) -> Tensor:
    """``x`` where ``cond`` is True, else ``y``: ``Select()(cond, x, y)``."""
    return _select(cond, x, y)


def heaviside(input, values) -> Tensor:
    """0 below 0, 1 above, ``values`` at 0: ``Heaviside()(input, values)``."""
    return _heaviside(input, values)


def lerp(input, end, weight) -> Tensor:
    """Linear interpolation: ``Lerp()(input, end, weight)``, which is ``input + weight * (end - input)``."""
    return _lerp(input, end, weight)


def _truth(x):
    """A Tensor of numbers as one of bools: whether each is not 0."""
    return cast(x, _BOOL) if isinstance(x, Tensor) and x.array.dtype != _BOOL else x


def logical_and(input, other) -> Tensor:
    """Elementwise ``input and other``; numbers other than 0 count as True."""
    return _and(_truth(input), _truth(other))


def logical_or(input, other) -> Tensor:
    """Elementwise ``input or other``; numbers other than 0 count as True."""
    return _or(_truth(input), _truth(other))


def logical_xor(input, other) -> Tensor:
    """Elementwise exclusive or; numbers other than 0 count as True."""
    return _xor(_truth(input), _truth(other))


def logical_not(input) -> Tensor:
    """Elementwise ``not input``; numbers other than 0 count as True."""
    return _not(_truth(input))


def div(input, other, *, rounding_mode=None) -> Tensor:
    """Elementwise quotient, rounded toward zero ("trunc"), down ("floor") or not at all (None).

    Raises:
        ValueError: If the rounding_mode is another.
    """
    if rounding_mode is None:
        return _div(input, other)
    check_choice("div", "rounding_mode", rounding_mode, (None, "floor", "trunc"))
    return (floor_div if rounding_mode == "floor" else truncate_div)(input, other)


divide = div


def subtract(input, other, *, alpha=1) -> Tensor:
    """Elementwise ``out = input - alpha * other``."""
    if not isinstance(alpha, Tensor):
        check_number("subtract", "alpha", alpha)
    return sub(input, other if alpha == 1 else mul(other, alpha) if isinstance(other, Tensor) else other * alpha)


def addn(x) -> Tensor:
    """Sum of a list or tuple of Tensors of one shape and dtype: ``AddN()(x)``."""
    if not isinstance(x, (list, tuple)):
        raise type_error("addn", "the 'x' must be a list or tuple of Tensors", type(x).__name__)
    return _addn(x)


accumulate_n = addn


def addcmul(input, tensor1, tensor2, value=1) -> Tensor:
    """Scaled product added to a Tensor: ``out = input + value * tensor1 * tensor2``."""
    return make(ternary.Addcmul)(input, tensor1, tensor2, value)


def addcdiv(input, tensor1, tensor2, value=1) -> Tensor:
    """Scaled quotient added to a Tensor: ``out = input + value * tensor1 / tensor2``."""
    return make(ternary.Addcdiv)(input, tensor1, tensor2, value)


def cross(input, other, dim=None) -> Tensor:
    """Vector product along ``dim``, by default the first axis of length 3: ``Cross(dim)(input, other)``."""
    return make(Cross, *(() if dim is None else (dim,)))(input, other)


def copysign(x: Tensor, other) -> Tensor:
    """Elementwise ``|x|`` with the sign of ``other``, which is positive for ``-0.0`` as in MindSpore."""
    check_tensors("copysign", x=x)
    check_no_complex("copysign", "other", other)
    x = cast(x, _FLOAT32) if x.array.dtype.kind in "iu" else x
    other = other if isinstance(other, Tensor) else Tensor(other, x.dtype)
    size = _abs(x)
    return _select(other < 0, -size, size)


def float_power(input, exponent) -> Tensor:
    """Elementwise power in float64: ``out = input ** exponent``."""
    wide = [cast(x, _FLOAT64) if isinstance(x, Tensor) else x for x in (input, exponent)]
    return pow(*wide)


def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """Elementwise ``out = x * 2 ** other``; integers are taken as float32."""
    check_tensors("ldexp", x=x, other=other)
    floats = [x if x.array.dtype.kind not in "biu" else cast(x, _FLOAT32) for x in (x, other)]
    return mul(floats[0], make(Exp2)(floats[1]))


def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """Elementwise ``out = log2(2 ** input + 2 ** other)``, without overflow on the way."""
    check_tensors("logaddexp2", input=input, other=other)
    ln2, kind = float(np.log(2.0)), np.dtype(np.float16)
    if isinstance(input, Tensor) and isinstance(other, Tensor) and input.array.dtype == other.array.dtype == kind:
        wide = np.dtype(np.float32)  # so that it is rounded once
        return cast(logaddexp2(cast(input, wide), cast(other, wide)), lowered_dtype(input))
    return logaddexp(input * ln2, other * ln2) * (1 / ln2)


def isclose(x1, x2, rtol=1e-05, atol=1e-08, equal_nan: bool = False) -> Tensor:
    """``IsClose(rtol, atol, equal_nan)(x1, x2)``: whether each pair is within ``atol + rtol * |x2|``."""
    return make(comparison.IsClose, rtol, atol, equal_nan)(x1, x2)


def approximate_equal(x, y, tolerance=1e-05) -> Tensor:
    """``ApproximateEqual(tolerance)(x, y)``: whether each pair is less than ``tolerance`` apart."""
    return make(comparison.ApproximateEqual, tolerance)(x, y)


def masked_fill(input_x: Tensor, mask: Tensor, value) -> Tensor:
    """``value`` where the mask is True, else ``input_x``."""
    check_tensors("masked_fill", input_x=input_x, mask=mask)
    check_no_complex("masked_fill", "value", value)
    return _select(mask, value if isinstance(value, Tensor) else Tensor(value, input_x.dtype), input_x)
