"""Elementwise functions of one Tensor: exponentials, roots, rounding, signs."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_int
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import converted, floating, numbers_only, operand

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
    return ops.cast(function(floating(x)), x.dtype)


def _sizes(name, x):
    x = operand(name, x)
    return x if x.array.dtype == np.bool_ else ops.abs(x)


def cbrt(x, dtype=None) -> Tensor:
    """The cube root of x, with its sign; float64 for float64, else float32, if no ``dtype`` is given."""
    x = operand("cbrt", x)
    wide = x if x.array.dtype == np.float64 else ops.cast(x, np.dtype(np.float32))
    root = ops.sign(wide) * ops.pow(ops.abs(wide), 1 / 3)
    return converted("cbrt", root, dtype)


def fix(x) -> Tensor:
    """The whole number next to x towards 0, as float32 for ints."""
    return ops.trunc(floating(operand("fix", x)))


def exp(x, dtype=None) -> Tensor:
    """``e ** x``; in ``dtype``, if one is given."""
    return converted("exp", ops.exp(operand("exp", x)), dtype)


def expm1(x, dtype=None) -> Tensor:
    """``e ** x - 1``, exact for small x; in ``dtype``, if one is given."""
    return converted("expm1", ops.expm1(operand("expm1", x)), dtype)


def log(x, dtype=None) -> Tensor:
    """The natural logarithm of x; in ``dtype``, if one is given."""
    return converted("log", ops.log(operand("log", x)), dtype)


def log10(x, dtype=None) -> Tensor:
    """The logarithm of x to the base 10; in ``dtype``, if one is given."""
    return converted("log10", ops.log10(operand("log10", x)), dtype)


def log1p(x, dtype=None) -> Tensor:
    """``log(1 + x)``, exact for small x; in ``dtype``, if one is given."""
    return converted("log1p", ops.log1p(operand("log1p", x)), dtype)


def log2(x, dtype=None) -> Tensor:
    """The logarithm of x to the base 2; in ``dtype``, if one is given."""
    return converted("log2", ops.log2(operand("log2", x)), dtype)


def sqrt(x, dtype=None) -> Tensor:
    """The square root of x; in ``dtype``, if one is given."""
    return converted("sqrt", ops.sqrt(operand("sqrt", x)), dtype)


def exp2(x, dtype=None) -> Tensor:
    """``2 ** x``, in the type of x; in ``dtype``, if one is given."""
    return converted("exp2", _as_it_was("exp2", ops.exp2, x), dtype)


def reciprocal(x, dtype=None) -> Tensor:
    """``1 / x``, in the type of x; in ``dtype``, if one is given."""
    return converted("reciprocal", _as_it_was("reciprocal", ops.reciprocal, x), dtype)


def square(x, dtype=None) -> Tensor:
    """``x * x``; in ``dtype``, if one is given."""
    return converted("square", ops.square(numbers_only("square", operand("square", x))), dtype)


def sign(x, dtype=None) -> Tensor:
    """-1, 0 or 1: the sign of x; in ``dtype``, if one is given."""
    return converted("sign", ops.sign(numbers_only("sign", operand("sign", x))), dtype)


def abs(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given."""
    return converted("abs", _sizes("abs", x), dtype)


def absolute(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given."""
    return converted("absolute", _sizes("absolute", x), dtype)


def fabs(x, dtype=None) -> Tensor:
    """The size of x, without its sign; in ``dtype``, if one is given."""
    return converted("fabs", _sizes("fabs", x), dtype)


def ceil(x, dtype=None) -> Tensor:
    """The smallest whole number that is at least x; in ``dtype``, if one is given."""
    return converted("ceil", ops.ceil(floating(operand("ceil", x))), dtype)


def floor(x, dtype=None) -> Tensor:
    """The largest whole number that is at most x; in ``dtype``, if one is given."""
    return converted("floor", ops.floor(floating(operand("floor", x))), dtype)


def trunc(x, dtype=None) -> Tensor:
    """The whole part of x; in ``dtype``, if one is given."""
    return converted("trunc", ops.trunc(floating(operand("trunc", x))), dtype)


def rint(x, dtype=None) -> Tensor:
    """The whole number nearest to x, the even one of two; in ``dtype``, if one is given."""
    return converted("rint", _rint(floating(operand("rint", x))), dtype)


def negative(a, dtype=None) -> Tensor:
    """``-a``; in ``dtype``, if one is given."""
    return converted("negative", ops.neg(operand("negative", a, "a")), dtype)


def positive(a, dtype=None) -> Tensor:
    """``a``; in ``dtype``, if one is given."""
    return converted("positive", numbers_only("positive", operand("positive", a, "a"), "a"), dtype)


def around(a, decimals=0) -> Tensor:
    """``a`` rounded to ``decimals`` places, halves to the even neighbour; ints are whole already."""
    a = numbers_only("around", operand("around", a, "a"))
    factor = 10.0 ** check_int("around", "decimals", decimals, 0, 39)
    return _rint(a * factor) / factor if a.dtype.is_float else a


round = around
