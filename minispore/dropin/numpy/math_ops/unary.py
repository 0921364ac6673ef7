"""Elementwise functions of one Tensor: exponentials, roots, rounding, signs."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_int
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import converted, floating, numbers_only, operand, real

__all__ = [
    "abs",
    "absolute",
    "around",
    "cbrt",
    "ceil",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fix",
    "floor",
    "log",
    "log1p",
    "log2",
    "log10",
    "negative",
    "positive",
    "reciprocal",
    "rint",
    "round",
    "sign",
    "sqrt",
    "square",
    "trunc",
]

_rint = ops.Rint()


def _as_it_was(name, function, x):
    """``function`` of ``x``, in the type that ``x`` has."""
    x = numbers_only(name, operand(name, x))
    return ops.cast(function(floating(x, name)), x.dtype)


def _sizes(name, x):
    x = operand(name, x)
    return x if x.array.dtype == np.bool_ else ops.abs(x)


def cbrt(x, dtype=None) -> Tensor:
    """The cube root of x, with its sign; float64 for float64, else float32, if no ``dtype`` is given.

    Shapes: any, kept. Dtypes: float32 and float64, kept; float16, ints and bools give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cbrt(ms.Tensor([8.0, -27.0])))
        [ 2.        -3.0000002]
    """
    x = real("cbrt", operand("cbrt", x))
    wide = x if x.array.dtype == np.float64 else ops.cast(x, np.dtype(np.float32))
    root = ops.sign(wide) * ops.pow(ops.abs(wide), 1 / 3)
    return converted("cbrt", root, dtype)


def fix(x) -> Tensor:
    """The whole number next to x towards 0, as float32 for ints.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.fix(ms.Tensor([1.7, -1.7])))
        [ 1. -1.]
    """
    return ops.trunc(floating(operand("fix", x), "fix"))


def exp(x, dtype=None) -> Tensor:
    """Exponential of each element.

    ``e ** x``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.exp(ms.Tensor([0.0, 1.0])))
        [1.       2.718282]
    """
    return converted("exp", ops.exp(operand("exp", x)), dtype)


def expm1(x, dtype=None) -> Tensor:
    """Exponential less one.

    ``e ** x - 1``, exact for small x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.expm1(ms.Tensor([0.0, 1e-10])))
        [0.e+00 1.e-10]
    """
    return converted("expm1", ops.expm1(operand("expm1", x)), dtype)


def log(x, dtype=None) -> Tensor:
    """The natural logarithm of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.log(ms.Tensor([1.0, 2.7182817, 0.0])))
        [  0.   1. -inf]
    """
    return converted("log", ops.log(operand("log", x)), dtype)


def log10(x, dtype=None) -> Tensor:
    """The logarithm of x to the base 10; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.log10(ms.Tensor([1.0, 100.0])))
        [0.        2.0000002]
    """
    return converted("log10", ops.log10(operand("log10", x)), dtype)


def log1p(x, dtype=None) -> Tensor:
    """Natural logarithm of one more.

    ``log(1 + x)``, exact for small x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.log1p(ms.Tensor([0.0, 1e-10])))
        [0.e+00 1.e-10]
    """
    return converted("log1p", ops.log1p(operand("log1p", x)), dtype)


def log2(x, dtype=None) -> Tensor:
    """The logarithm of x to the base 2; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.log2(ms.Tensor([1.0, 8.0])))
        [0. 3.]
    """
    return converted("log2", ops.log2(operand("log2", x)), dtype)


def sqrt(x, dtype=None) -> Tensor:
    """The square root of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sqrt(ms.Tensor([0.0, 4.0])))
        [0. 2.]
    """
    return converted("sqrt", ops.sqrt(operand("sqrt", x)), dtype)


def exp2(x, dtype=None) -> Tensor:
    """Power of two.

    ``2 ** x``, in the type of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.exp2(ms.Tensor([0.0, 3.0])))
        [1. 8.]
    """
    return converted("exp2", _as_it_was("exp2", ops.exp2, x), dtype)


def reciprocal(x, dtype=None) -> Tensor:
    """Reciprocal of each element.

    ``1 / x``, in the type of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.reciprocal(ms.Tensor([2.0, 4.0])))
        [0.5  0.25]
    """
    return converted("reciprocal", _as_it_was("reciprocal", ops.reciprocal, x), dtype)


def square(x, dtype=None) -> Tensor:
    """Square of each element.

    ``x * x``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.square(ms.Tensor([1.0, -2.0])))
        [1. 4.]
    """
    return converted("square", ops.square(numbers_only("square", operand("square", x))), dtype)


def sign(x, dtype=None) -> Tensor:
    """-1, 0 or 1: the sign of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sign(ms.Tensor([-1.5, 0.0, 2.0])))
        [-1.  0.  1.]
    """
    return converted("sign", ops.sign(numbers_only("sign", operand("sign", x))), dtype)


def abs(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.abs(ms.Tensor([-1.5, 2.0])))
        [1.5 2. ]
    """
    return converted("abs", _sizes("abs", x), dtype)


def absolute(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.absolute(ms.Tensor([-1.5, 2.0])))
        [1.5 2. ]
    """
    return converted("absolute", _sizes("absolute", x), dtype)


def fabs(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.fabs(ms.Tensor([-1.5, 2.0])))
        [1.5 2. ]
    """
    return converted("fabs", _sizes("fabs", x), dtype)


def ceil(x, dtype=None) -> Tensor:
    """The smallest whole number that is at least x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ceil(ms.Tensor([1.2, -1.7])))
        [ 2. -1.]
    """
    return converted("ceil", ops.ceil(floating(operand("ceil", x), "ceil")), dtype)


def floor(x, dtype=None) -> Tensor:
    """The largest whole number that is at most x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.floor(ms.Tensor([1.7, -1.2])))
        [ 1. -2.]
    """
    return converted("floor", ops.floor(floating(operand("floor", x), "floor")), dtype)


def trunc(x, dtype=None) -> Tensor:
    """The whole part of x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.trunc(ms.Tensor([1.7, -1.7])))
        [ 1. -1.]
    """
    return converted("trunc", ops.trunc(floating(operand("trunc", x), "trunc")), dtype)


def rint(x, dtype=None) -> Tensor:
    """The whole number nearest to x, the even one of two; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.rint(ms.Tensor([0.5, 1.5, 2.7])))
        [0. 2. 3.]
    """
    return converted("rint", _rint(floating(operand("rint", x), "rint")), dtype)


def negative(a, dtype=None) -> Tensor:
    """Negation of each element.

    ``-a``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.negative(ms.Tensor([1.0, -2.0])))
        [-1.  2.]
    """
    return converted("negative", ops.neg(operand("negative", a, "a")), dtype)


def positive(a, dtype=None) -> Tensor:
    """The Tensor itself.

    ``a``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.positive(ms.Tensor([1.0, -2.0])))
        [ 1. -2.]
    """
    return converted("positive", numbers_only("positive", operand("positive", a, "a"), "a"), dtype)


def around(a, decimals=0) -> Tensor:
    """``a`` rounded to ``decimals`` places, halves to the even neighbour; ints are whole already.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``decimals`` is not an int.
        ValueError: If ``decimals`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.around(ms.Tensor([1.25, 2.75]), 1))
        [1.2 2.8]
    """
    a = numbers_only("around", operand("around", a, "a"))
    factor = 10.0 ** check_int("around", "decimals", decimals, 0, 39)
    return _rint(a * factor) / factor if a.dtype.is_float else a


round = around
