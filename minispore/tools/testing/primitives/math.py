"""Lines of elementwise mathematics: functions, angles, roundings, quotients, blends, comparisons, bits."""

import math

import numpy as np

from minispore import Tensor, ops
from minispore.tools.testing.primitives.case import (
    below,
    between_wholes,
    binary,
    bools,
    each,
    line,
    nonzero,
    number,
    positive,
    reals,
    unary,
    wholes,
)


def _inside(*shape):
    return reals(*shape, low=-0.9, high=0.9)


def _above_one(*shape):
    return reals(*shape, low=1.2, high=4.0)


def _each_of(function, pole=np.nan):
    """A function of ``math`` on arrays, ``pole`` where it raises."""

    def one(x):
        try:
            return function(x)
        except ValueError:
            return pole

    return lambda x: np.vectorize(one, otypes=[np.float64])(x)


def _digamma(x):
    """The logarithmic derivative of gamma: its recurrence up to 20, then its series; below 0 its reflection."""
    if x == 0:
        return -math.inf
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * x)
    below = 0.0
    while x < 20:
        below, x = below + 1 / x, x + 1
    y = 1 / (x * x)
    return math.log(x) - 0.5 / x - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y / 240))) - below


_SECOND = "a gradient passes to the second input alone; one that is asked for the first is refused"

# fmt: off
LINES = [
    # powers and logarithms
    each(ops.Exp2(), unary(reals), np.exp2),
    each(ops.Expm1(), unary(reals), np.expm1),
    each(ops.Log1p(), unary(_inside), np.log1p),
    each(ops.Log2(), unary(positive), np.log2),
    each(ops.Log10(), unary(positive), np.log10),
    each(ops.Inv(), unary(nonzero), lambda x: 1 / x),
    # angles
    each(ops.Tan(), unary(_inside), np.tan),
    each(ops.Asin(), unary(_inside), np.arcsin),
    each(ops.ACos(), unary(_inside), np.arccos),
    each(ops.Atan(), unary(reals), np.arctan),
    each(ops.Sinh(), unary(reals), np.sinh),
    each(ops.Cosh(), unary(reals), np.cosh),
    each(ops.Asinh(), unary(reals), np.arcsinh),
    each(ops.Acosh(), unary(_above_one), np.arccosh),
    each(ops.Atanh(), unary(_inside), np.arctanh),
    each(ops.Atan2(), binary(nonzero, nonzero), np.arctan2),
    # special functions; a table of known values holds Erfinv and Polygamma: test_special.py
    each(ops.Erfc(), unary(reals), _each_of(math.erfc)),
    each(ops.Erfinv(), unary(_inside)),
    each(ops.Lgamma(), unary(positive), _each_of(math.lgamma, np.inf)),
    each(ops.Lgamma(), unary(between_wholes), _each_of(math.lgamma, np.inf)),
    each(ops.Digamma(), unary(positive), _each_of(_digamma)),
    each(ops.Digamma(), unary(between_wholes), _each_of(_digamma)),
    line(ops.Polygamma(), 1, positive(3)),
    line(ops.Polygamma(), 2, between_wholes(3)),
    # Bessel functions and incomplete gamma functions: their own laws and known values hold them, in test_bessel.py
    *(each(getattr(ops, f"Bessel{kind}{order}{e}")(), unary(nonzero if kind in "JI" else positive))
      for kind, e in (("J", ""), ("Y", ""), ("I", ""), ("I", "e"), ("K", ""), ("K", "e")) for order in (0, 1)),
    *(line(kind(), positive(2, 3), reals(3, low=0.2, high=6.0), only=(1,), reason=_SECOND)
      for kind in (ops.Igamma, ops.Igammac)),
    line(ops.Zeta(), reals(2, 1, low=1.2, high=5.0), positive(3), only=(1,), reason=_SECOND),
    line(ops.CumulativeLogsumexp(), reals(3, 4), 1, oracle=lambda x, axis: np.logaddexp.accumulate(x, axis)),
    line(ops.CumulativeLogsumexp(False, True), reals(3, 2), 0,
         oracle=lambda x, axis: np.logaddexp.accumulate(x[::-1], axis)[::-1]),
    # roundings
    each(ops.Rint(), unary(wholes), np.rint),
    each(ops.Trunc(), unary(between_wholes), np.trunc),
    # quotients and pairs
    each(ops.TruncateDiv(), binary(between_wholes, wholes), lambda x, y: np.trunc(x / y)),
    each(ops.TruncateMod(), binary(between_wholes, wholes), np.fmod),
    each(ops.DivNoNan(), binary(reals, nonzero), lambda x, y: np.where(y == 0, 0, x / y)),
    each(ops.MulNoNan(), binary(reals, nonzero), lambda x, y: np.where(y == 0, 0, x * y)),
    each(ops.Xdivy(), binary(nonzero, nonzero), lambda x, y: np.where(x == 0, 0, x / y)),
    each(ops.Xlogy(), binary(nonzero, positive), lambda x, y: np.where(x == 0, 0, x * np.log(y))),
    each(ops.SquaredDifference(), binary(reals, reals), lambda x, y: (x - y) ** 2),
    each(ops.Hypot(), binary(nonzero, nonzero), np.hypot),
    each(ops.Fmax(), binary(between_wholes, wholes), np.fmax),
    each(ops.Fmin(), binary(between_wholes, wholes), np.fmin),
    each(ops.LogAddExp(), binary(reals, reals), np.logaddexp),
    each(ops.Heaviside(), binary(nonzero, reals), lambda x, v: np.where(x == 0, v, x > 0)),
    each(ops.NanToNum(1.0, 2.0, 3.0), unary(reals), lambda x: np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=3.0)),
    each(ops.NanToNum(), unary(reals)),
    # blends
    line(ops.AddN(), reals(2, 3), reals(2, 3), reals(2, 3), oracle=lambda *xs: sum(xs)),
    line(ops.AccumulateNV2(), reals(), reals(), oracle=np.add),
    line(ops.Lerp(), reals(2, 3), reals(3), 0.25, oracle=lambda x, y, w: x + w * (y - x)),
    line(ops.Lerp(), reals(2, 1), reals(1, 3), reals(3), oracle=lambda x, y, w: x + w * (y - x), slack=2.0**-21),
    line(ops.Addcmul(), reals(2, 3), reals(3), reals(2, 1), number(0.5), slack=2.0**-21,
         oracle=lambda x, a, b, v: x + v * a * b),
    line(ops.Addcmul(), reals(3), reals(3), reals(3), 2, slack=2.0**-21, oracle=lambda x, a, b, v: x + v * a * b),
    line(ops.Addcdiv(), reals(2, 3), reals(3), nonzero(2, 1), number(0.5), slack=2.0**-21,
         oracle=lambda x, a, b, v: x + v * a / b),
    # comparisons
    each(ops.ApproximateEqual(0.5), unary(reals), lambda x: np.abs(x - x) < 0.5, call=lambda op, x: op(x, x)),
    line(ops.ApproximateEqual(0.5), reals(2, 3), reals(2, 3), oracle=lambda x, y: np.abs(x - y) < 0.5),
    each(ops.IsClose(0.1, 0.2), binary(wholes, wholes), lambda x, y: np.isclose(x, y, 0.1, 0.2, equal_nan=True)),
    each(ops.IsClose(0.5, equal_nan=False), binary(reals, reals), lambda x, y: np.isclose(x, y, 0.5)),
    line(ops.EqualCount(), below(3, 2, 4), below(3, 2, 4), oracle=lambda x, y: [(x == y).sum()]),
    # bits
    line(ops.Invert(), below(8, 2, 3), oracle=np.invert),
    line(ops.PopulationCount(), below(99, 2, 3), oracle=np.vectorize(int.bit_count, otypes=[np.uint8])),
    line(ops.Gcd(), below(40, 2, 3), below(40, 3), oracle=np.gcd),
    line(ops.Lcm(), below(40, 2, 3), below(40, 3), oracle=np.lcm),
    line(ops.LeftShift(), below(8, 2, 3), below(8, 3), oracle=np.left_shift),
    line(ops.RightShift(), below(99, 2, 3), below(8, 3), oracle=np.right_shift),
    line(ops.CompareAndBitpack(), bools(2, 8), number(True), oracle=lambda x, t: np.packbits(x, -1, "little")),
    line(ops.CompareAndBitpack(), reals(2, 3, 16), number(0.5), oracle=lambda x, t: np.packbits(x > t, -1), wrong=[
        (ValueError, "multiple of 8", lambda: ops.CompareAndBitpack()(ops.ones(7), Tensor(0.5))),
        (TypeError, "same as 'threshold'", lambda: ops.CompareAndBitpack()(ops.ones(8), Tensor(1))),
    ]),
]
# fmt: on
