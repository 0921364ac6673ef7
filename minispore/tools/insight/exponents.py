"""Exponents: counts of numbers by their power of two; they show the effect of float16 at any scale."""

import math
from collections import Counter

import numpy as np

from minispore.tools.insight.numerics import ROUNDED_TO_INF

__all__ = []

_LARGEST = 65504.0  # float16's
# Exponents of float16: of its normal numbers, and the greatest of the numbers that it rounds to zero.
_TOP, _SMALLEST_NORMAL, _ZERO = 15, -14, -25


class Exponents:
    """The exponents of two of numbers, added array by array; non-finite numbers are only counted.

    Attributes:
        numbers (int): The count of all numbers.
        zeros (int): The count of zeros.
        not_finite (int): The count of non-finite numbers.
        histogram (Counter): The counts of the others, by e, in the intervals from ``2**e`` to below ``2**(e + 1)``.
        greatest (float): The greatest magnitude; 0 without numbers.
    """

    def __init__(self):
        self.numbers = self.zeros = self.not_finite = 0
        self.histogram, self.greatest = Counter(), 0.0
        self._powers = Counter()  # exponent -> the count of exact powers of two
        self._almost_normal = 0  # the count of numbers that float16 rounds up to its smallest normal one

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
        """The bits from the greatest magnitude up to float16's largest number (negative beyond), or None."""
        return math.log2(_LARGEST / self.greatest) if self.greatest else None

    def flushed(self, power=0):
        """The share of nonzero numbers, times ``2**power``, that float16 rounds to zero."""
        below = sum(count for e, count in self.histogram.items() if e + power < _ZERO)
        return (below + self._powers[_ZERO - power]) / self.nonzero if self.nonzero else 0.0

    @property
    def subnormal(self):
        """The share of nonzero numbers that become subnormal in float16."""
        if not self.nonzero:
            return 0.0
        below = sum(count for e, count in self.histogram.items() if e < _SMALLEST_NORMAL) - self._almost_normal
        return below / self.nonzero - self.flushed()

    def greatest_power(self):
        """The exponent of the greatest power of two as a factor without overflow in float16; None if all are 0."""
        if not self.greatest:
            return None
        power = 16 - math.frexp(self.greatest)[1]
        return power - (math.ldexp(self.greatest, power) >= ROUNDED_TO_INF)

    def least_power(self, most_flushed):
        """The exponent of the least factor, a power of two, at which less than a share becomes zero; or None."""
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
