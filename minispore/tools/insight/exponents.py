"""Exponents: how many of some numbers lie in each power of two, and so what float16 makes of them at any scale."""

import math
from collections import Counter

import numpy as np

from minispore.tools.insight.numerics import ROUNDED_TO_INF

__all__ = []

_LARGEST = 65504.0  # of float16's numbers
_TOP, _SMALLEST_NORMAL, _ZERO = 15, -14, -25  # exponents: of normal numbers, and up to where float16 rounds to zero


class Exponents:
    """The exponents of two of numbers that are added array by array; what is not finite is only counted.

    Attributes:
        numbers (int): How many numbers there are.
        zeros (int): How many are zero.
        not_finite (int): How many are not finite.
        histogram (Counter): How many others there are in each interval from ``2**e`` to below ``2**(e + 1)``, by e.
        greatest (float): The greatest magnitude; 0 without numbers.
    """

    def __init__(self):
        self.numbers = self.zeros = self.not_finite = 0
        self.histogram, self.greatest = Counter(), 0.0
        self._powers = Counter()  # exponent -> how many are that power of two itself
        self._almost_normal = 0  # the count of numbers below float16's smallest normal one that it rounds to that

    def add(self, array):
        """Add the numbers of a float64 array of the host."""
        size = np.abs(array[np.isfinite(array) & (array != 0)])
        self.numbers += array.size
        self.not_finite += int(array.size - np.isfinite(array).sum())
        self.zeros += int((array == 0).sum())
        self._count(size)

    def _count(self, size):
        fraction, exponent = np.frexp(size)
        self.histogram.update(_counted(exponent - 1))
        self._powers.update(_counted(exponent[fraction == 0.5] - 1))
        self._almost_normal += int(((size < 2.0**-14) & (size >= 2.0**-14 - 2.0**-25)).sum())
        self.greatest = max(self.greatest, float(size.max(initial=0.0)))

    def join(self, other):
        """Add the numbers that ``other`` has counted."""
        for name in ("numbers", "zeros", "not_finite", "_almost_normal"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.histogram.update(other.histogram)
        self._powers.update(other._powers)
        self.greatest = max(self.greatest, other.greatest)

    @property
    def nonzero(self):
        """The count of numbers that are finite and not zero."""
        return self.numbers - self.zeros - self.not_finite

    @property
    def headroom(self):
        """The bits from the greatest magnitude up to float16's largest number, below 0 beyond it; None if all are 0."""
        return math.log2(_LARGEST / self.greatest) if self.greatest else None

    def flushed(self, power=0):
        """The share of those other than zero that float16 rounds to zero, times ``2**power``."""
        below = sum(count for e, count in self.histogram.items() if e + power < _ZERO)
        return (below + self._powers[_ZERO - power]) / self.nonzero if self.nonzero else 0.0

    @property
    def subnormal(self):
        """The share of those other than zero of which float16 makes a subnormal number."""
        if not self.nonzero:
            return 0.0
        below = sum(count for e, count in self.histogram.items() if e < _SMALLEST_NORMAL) - self._almost_normal
        return below / self.nonzero - self.flushed()

    def greatest_power(self):
        """The exponent of the greatest power of two by which float16 holds them all; None if all are 0."""
        if not self.greatest:
            return None
        power = 16 - math.frexp(self.greatest)[1]
        return power - (math.ldexp(self.greatest, power) >= ROUNDED_TO_INF)

    def least_power(self, most_flushed):
        """The exponent of the least power of two at which less than a share of them becomes zero; None if any does."""
        if not self.nonzero:
            return None
        lowest, highest = _ZERO - max(self.histogram), _ZERO + 1 - min(self.histogram)
        return next(power for power in range(lowest, highest + 1) if self.flushed(power) < most_flushed)


def kind_of(exponent):
    """The kind in float16 of numbers from ``2 ** exponent`` on: "zero", "subnormal", "normal" or "overflow"."""
    if exponent < _ZERO:
        return "zero"
    if exponent < _SMALLEST_NORMAL:
        return "subnormal"
    return "normal" if exponent <= _TOP else "overflow"


def _counted(exponents):
    values, counts = np.unique(exponents, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
