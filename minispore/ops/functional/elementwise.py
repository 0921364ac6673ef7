"""Faces of the elementwise operations: arithmetic, mathematics, comparison, logic."""

from minispore.ops import arithmetic, comparison, math
from minispore.ops.functional.faces import binary
from minispore.tensor import Tensor

__all__ = [
    "abs",
    "add",
    "add_n",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "clip_by_value",
    "cos",
    "div",
    "equal",
    "erf",
    "exp",
    "floor",
    "floor_div",
    "floor_mod",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "masked_fill",
    "maximum",
    "minimum",
    "mul",
    "neg",
    "not_equal",
    "pow",
    "reciprocal",
    "round",
    "rsqrt",
    "select",
    "sign",
    "sin",
    "sqrt",
    "square",
    "sub",
]

abs = math.Abs()
ceil = math.Ceil()
cos = math.Cos()
erf = math.Erf()
exp = math.Exp()
floor = math.Floor()
log = math.Log()
reciprocal = math.Reciprocal()
round = math.Round()
rsqrt = math.Rsqrt()
sign = math.Sign()
sin = math.Sin()
sqrt = math.Sqrt()
square = math.Square()
neg = arithmetic.Neg()
isfinite = comparison.IsFinite()
isinf = comparison.IsInf()
isnan = comparison.IsNan()
logical_not = comparison.LogicalNot()
select = math.Select()
add = binary(arithmetic.Add())
sub = binary(arithmetic.Sub())
mul = binary(arithmetic.Mul())
div = binary(arithmetic.Div())
floor_div = binary(arithmetic.FloorDiv())
floor_mod = binary(arithmetic.FloorMod())
pow = binary(arithmetic.Pow())
maximum = binary(arithmetic.Maximum())
minimum = binary(arithmetic.Minimum())
equal = binary(comparison.Equal())
not_equal = binary(comparison.NotEqual())
less = binary(comparison.Less())
less_equal = binary(comparison.LessEqual())
greater = binary(comparison.Greater())
greater_equal = binary(comparison.GreaterEqual())
logical_and = binary(comparison.LogicalAnd())
logical_or = binary(comparison.LogicalOr())
logical_xor = binary(comparison.LogicalXor())
bitwise_and = binary(arithmetic.BitwiseAnd())
bitwise_or = binary(arithmetic.BitwiseOr())
bitwise_xor = binary(arithmetic.BitwiseXor())


def add_n(x):
    """Sum of several Tensors of one shape: ``out = x[0] + x[1] + ...``."""
    total = x[0]
    for other in x[1:]:
        total = total + other
    return total


def masked_fill(x, mask, value):
    """``value`` where the mask is True, else x."""
    return select(mask, value if isinstance(value, Tensor) else Tensor(value, x.dtype), x)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """``min(max(x, clip_value_min), clip_value_max)``."""
    x = x if clip_value_min is None else maximum(x, clip_value_min)
    return x if clip_value_max is None else minimum(x, clip_value_max)
