"""A stream of random numbers: integers that are equal everywhere, and numbers derived from them.

A key, a number and a purpose name a stream. Its words are exact on every machine and device, and so are numbers derived
by shifts, comparisons and single roundings: uniform numbers, bounded integers, masks, permutations. Normal numbers are
computed in float64, where machines differ by a few units in the last place at most. Rounded to float32 they are equal,
unless such a difference crosses a rounding boundary; then they are one unit apart.
"""

import math

import numpy as np

from minispore.ops.kernels.random_streams.normal_quantile import normal_probability, normal_quantile
from minispore.ops.kernels.random_streams.philox import high_product
from minispore.ops.kernels.random_streams.word_stream import WordStream

__all__ = ["Stream", "chance_bound"]

_SMALLEST, _LARGEST = 1e-300, 1 - 2.0**-53  # probabilities whose quantile is finite


class Stream(WordStream):
    """Random numbers of the array module ``xp``; each call takes the next words.

    Args:
        key (tuple): Two ints in [0, 2 ** 64).
        number (int): The number of the stream under the key, in [0, 2 ** 64).
        domain (int): The purpose of the stream, in [0, 2 ** 64).
        xp (module): NumPy, CuPy, or a stand-in for them.
    """

    def uniform32(self, shape):
        """Float32 numbers in [0, 1), multiples of ``2 ** -24``."""
        halves = self.halves(math.prod(shape))
        halves >>= np.uint32(8)
        out = halves.astype(np.float32)
        out *= np.float32(2.0**-24)
        return out.reshape(shape)

    def open_uniform(self, shape):
        """Float64 numbers above 0 and below 1, odd multiples of ``2 ** -53``."""
        return self._fractions(shape, 12, 0.5)

    def normal(self, shape):
        """Float64 numbers of the normal distribution, one from each word, by its quantile function."""
        return normal_quantile(self._xp, self.open_uniform(shape).reshape(-1)).reshape(shape)

    def truncated_normal(self, shape, low, high):
        """Float64 numbers of the normal distribution between ``low`` and ``high``, one from each word."""
        if low > 0:  # probabilities have finer steps near 0 than near 1
            return -self.truncated_normal(shape, -high, -low)
        below, above = normal_probability(low), normal_probability(high)
        p = self.open_uniform(shape).reshape(-1) * (above - below) + below
        found = normal_quantile(self._xp, self._xp.clip(p, _SMALLEST, _LARGEST))
        return self._xp.clip(found, low, high).reshape(shape)

    def integers(self, low, high, shape):
        """Int64 numbers in [low, high): ``low + word * (high - low) // 2 ** 64``.

        No number's probability differs from another's by more than ``2 ** -64``.
        """
        return high_product(self.words(math.prod(shape)), high - low).view(np.int64).reshape(shape) + np.int64(low)

    def chances(self, shape, probability, before=0):
        """Bools that are True with ``probability``, to ``2 ** -32``: integers compared with a bound, without floats.

        The first ``before`` bools of the stream are left out.
        """
        if probability <= 0:
            return self._xp.zeros(shape, np.bool_)
        self._leave_out(before // 2)
        halves = self.halves(before % 2 + math.prod(shape))[before % 2 :]
        return (halves <= chance_bound(probability)).reshape(shape)

    def permutation(self, count):
        """The integers below ``count`` in random order: the argsort of ``count`` words."""
        return self._xp.argsort(self.words(count), kind="stable")


def chance_bound(probability):
    """The 32-bit integer that a uniform one does not exceed with ``probability``, which is above 0."""
    return np.uint32(min(math.ceil(probability * 2.0**32), 2**32) - 1)
