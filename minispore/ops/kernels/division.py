"""Quotients rounded down, with the remainder, as NumPy and Python define them; and rounded toward zero, as in C."""

import numpy as np

from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select

__all__ = ["floor_quotient", "floor_remainder", "truncated"]


def floor_quotient(xp, x, y):
    """``floor(x / y)``; nan where ``x`` is infinite; of integers 0 where ``y`` is 0.

    CuPy rounds the quotient as it is: of inf and 2 to inf, of 5 and -inf to -0.
    """
    if xp is np:
        return np.floor_divide(x, y)
    if x.dtype.kind in "iub":
        return xp.floor_divide(x, y)
    return narrow(xp, _quotient(xp, widen(xp, x), widen(xp, y)), x.dtype)


def floor_remainder(xp, x, y):
    """``x - floor(x / y) * y``; where ``y`` is infinite ``x``, or ``y`` if their signs differ; of integers by 0, 0.

    CuPy computes this formula as written: an infinite ``y`` gives nan.
    """
    if xp is np:
        return np.remainder(x, y)
    if x.dtype.kind in "iub":
        return xp.remainder(x, y)
    return narrow(xp, _remainder(xp, widen(xp, x), widen(xp, y)), x.dtype)


def _remainder(xp, x, y):
    rest = xp.fmod(x, y)
    other_sign = (rest < 0) != (y < 0)
    return select(xp, rest == 0, xp.copysign(rest, y), select(xp, other_sign, rest + y, rest))


def _quotient(xp, x, y):
    """The quotient less its rest is whole but for rounding, so that the nearest whole number is meant."""
    rest = xp.fmod(x, y)
    quotient = (x - rest) / y - ((rest != 0) & ((rest < 0) != (y < 0)))
    whole = xp.floor(quotient)
    whole = select(xp, quotient - whole > 0.5, whole + 1, whole)
    whole = select(xp, quotient == 0, xp.copysign(quotient, x / y), whole)
    return select(xp, y == 0, x / y, whole)


def truncated(xp, x, y):
    """The quotient of integers, rounded toward zero; 0 where y is 0."""
    floor = xp.floor_divide(x, y)
    inexact_negative = (floor * y != x) & ((x < 0) != (y < 0)) & (y != 0)
    return floor + inexact_negative.astype(x.dtype)
