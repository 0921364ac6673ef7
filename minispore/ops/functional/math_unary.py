"""Functional wrappers of elementwise functions of one Tensor: powers, logarithms, angles, rounding, special."""

from __future__ import annotations

import math as numbers

import numpy as np

from minispore.core.dtype import COMPLEX, FLOATS
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import make, unary
from minispore.ops.number_checks import check_number
from minispore.ops.operations.array import creation
from minispore.ops.operations.math import (
    bitwise,
    comparison,
    complex_numbers,
    exponential,
    roots,
    rounding,
    special,
    trigonometry,
)
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.math.unary import Abs, NanToNum, Sign

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "deg2rad",
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "frac",
    "inv",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isreal",
    "lgamma",
    "log",
    "log1p",
    "log2",
    "log10",
    "logit",
    "nan_to_num",
    "polygamma",
    "positive",
    "rad2deg",
    "reciprocal",
    "round",
    "rsqrt",
    "sgn",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "trunc",
]
METHODS = """
    abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos cosh deg2rad
    digamma erf erfc erfinv exp expm1 floor frac inv invert isfinite isinf isnan isreal lgamma log log10 log1p log2
    logit nan_to_num positive rad2deg reciprocal round rsqrt sgn sign signbit sin sinc sinh sqrt square tan trunc
"""

abs = absolute = unary(Abs())
exp = unary(exponential.Exp())
expm1 = unary(exponential.Expm1())
inv = unary(roots.Inv(), "x")
log = unary(exponential.Log())
log10 = unary(exponential.Log10())
log1p = unary(exponential.Log1p())
log2 = unary(exponential.Log2())
rsqrt = unary(roots.Rsqrt())
sgn = sign = unary(Sign())
sqrt = unary(roots.Sqrt(), "x")
square = unary(roots.Square())
acos = arccos = unary(trigonometry.ACos())
acosh = arccosh = unary(trigonometry.Acosh())
asin = unary(trigonometry.Asin())
arcsin = unary(trigonometry.Asin(), "x")
asinh = unary(trigonometry.Asinh(), "x")
arcsinh = unary(trigonometry.Asinh())
atan = arctan = unary(trigonometry.Atan())
atanh = unary(trigonometry.Atanh(), "x")
arctanh = unary(trigonometry.Atanh())
cos = unary(trigonometry.Cos())
cosh = unary(trigonometry.Cosh())
sin = unary(trigonometry.Sin())
sinh = unary(trigonometry.Sinh())
tan = unary(trigonometry.Tan())
ceil = unary(rounding.Ceil())
floor = unary(rounding.Floor())
round = unary(rounding.Round())
trunc = unary(rounding.Trunc())
digamma = unary(special.Digamma())
erf = unary(special.Erf())
erfc = unary(special.Erfc())
erfinv = unary(special.Erfinv())
lgamma = unary(special.Lgamma())
invert = unary(bitwise.Invert(), "x")
isfinite = unary(comparison.IsFinite(), "x")
isinf = unary(comparison.IsInf())
isnan = unary(comparison.IsNan(), "x")

_exp2, _reciprocal, _select, _polygamma = exponential.Exp2(), roots.Reciprocal(), Select(), special.Polygamma()


def _floating(name, x):
    """A Tensor of integers or bools as float32; complex numbers as they are, since a cast takes their real parts."""
    if not isinstance(x, Tensor):
        raise type_error(name, "the 'input' must be a Tensor", type(x).__name__)
    return cast(x, np.dtype(np.float32)) if x.array.dtype.kind in "iub" else x


def exp2(input: Tensor) -> Tensor:
    """Power of two: ``out = 2 ** input``; of integers and bools in float32.

    Shapes: any, kept. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.exp2(ms.Tensor([-1.0, 0.0, 3.0])))
        [0.5 1.  8. ]
    """
    return _exp2(_floating("exp2", input))


def reciprocal(input: Tensor) -> Tensor:
    """Reciprocal: ``out = 1 / input``; of integers and bools in float32.

    Shapes: any, kept. Dtypes: floats and complex, kept; ints and bools give float32.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reciprocal(ms.Tensor([2.0, 4.0, 0.0])))  # 1 / 0 is inf, no error
        [0.5  0.25  inf]
    """
    return _reciprocal(_floating("reciprocal", input))


def _checked_float(name, x):
    if not isinstance(x, Tensor) or x.array.dtype not in FLOATS:
        raise type_error(name, "the 'x' must be a floating Tensor", str(getattr(x, "dtype", type(x).__name__)))
    return x


def deg2rad(x: Tensor) -> Tensor:
    """Degrees as radians: ``out = x * pi / 180``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.deg2rad(ms.Tensor([0.0, 90.0, 180.0])))
        [0.        1.5707964 3.1415927]
    """
    return _checked_float("deg2rad", x) * (numbers.pi / 180)


def rad2deg(x: Tensor) -> Tensor:
    """Radians as degrees: ``out = x * 180 / pi``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.rad2deg(ms.Tensor([0.0, 3.14159265])))
        [  0. 180.]
    """
    return _checked_float("rad2deg", x) * (180 / numbers.pi)


def frac(x: Tensor) -> Tensor:
    """Fractional part, with the sign of x: ``out = x - trunc(x)``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.frac(ms.Tensor([1.5, -1.5, 2.0])))
        [ 0.5 -0.5  0. ]
    """
    return x - trunc(x)


def positive(input: Tensor) -> Tensor:
    """The Tensor itself: ``out = input``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.positive(ms.Tensor([-1.0, 2.0])))
        [-1.  2.]
    """
    if not isinstance(input, Tensor):
        raise type_error("positive", "the 'input' must be a Tensor", type(input).__name__)
    return input


def isreal(input: Tensor) -> Tensor:
    """True for each element that is a real number: its imaginary part is 0.

    Shapes: any, kept. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isreal(ms.Tensor([1 + 2j, 3 + 0j])))
        [False  True]
    """
    if isinstance(input, Tensor) and input.array.dtype in COMPLEX:
        return make(complex_numbers.Imag)(input) == 0
    return cast(make(creation.OnesLike)(input), np.dtype(np.bool_))


def signbit(input: Tensor) -> Tensor:
    """True for each element below zero; False for ``-0.0`` and nan, as in MindSpore.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.signbit(ms.Tensor([-1.0, -0.0, 2.0])))
        [ True False False]
    """
    if not isinstance(input, Tensor):
        raise type_error("signbit", "the 'input' must be a Tensor", type(input).__name__)
    return input < 0


def nan_to_num(input: Tensor, nan=0.0, posinf=None, neginf=None) -> Tensor:
    """Numbers in the place of nan and of infinities: ``NanToNum(nan, posinf, neginf)(input)``.

    Without ``posinf`` and ``neginf`` these are the largest and the smallest number of the dtype.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.nan_to_num(ms.Tensor([np.nan, np.inf, 1.0]), nan=0.0, posinf=9.0))
        [0. 9. 1.]
    """
    return make(NanToNum, nan, posinf, neginf)(input)


def sinc(input: Tensor) -> Tensor:
    """Normalized sine: ``out = sin(pi * input) / (pi * input)``, and 1 at 0; of integers and bools in float32.

    Shapes: any, kept. Dtypes: floats and complex, kept; ints and bools give float32.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sinc(ms.Tensor([0.0, 0.25, 0.5])))
        [1.         0.9003163  0.63661975]
    """
    x = _floating("sinc", input) * numbers.pi
    zero = x == 0
    return _select(zero, 1, sin(x) / _select(zero, 1, x))


def polygamma(n, input: Tensor) -> Tensor:
    """The n-th derivative of the digamma function: ``Polygamma()(n, input)``.

    Shapes: that of ``input``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``n`` is not an int, or ``input`` is not a Tensor.
        ValueError: If ``n`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.polygamma(ms.Tensor(1), ms.Tensor([1.0, 2.0])))  # the first is pi ** 2 / 6
        [1.644934   0.64493406]
    """
    return _polygamma(n, input)


def logit(input: Tensor, eps=None) -> Tensor:
    """Inverse of the sigmoid: ``out = ln(x / (1 - x))``, x being the input, held in [eps, 1 - eps] if eps is given.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logit(ms.Tensor([0.1, 0.5, 0.9])))
        [-2.1972246  0.         2.1972244]
        >>> print(ops.logit(ms.Tensor([0.0, 1.0]), eps=0.01))
        [-4.59512   4.595121]
    """
    x = _checked_float("logit", input)
    if eps is not None:
        check_number("logit", "eps", eps)
        x = x.maximum(eps).minimum(1 - eps)
    return log(x / (1 - x))
