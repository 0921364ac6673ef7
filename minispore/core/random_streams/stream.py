"""A stream of random numbers: integers that are equal everywhere, and numbers derived from them.

A key, a number and a purpose name a stream. Its words are exact on every machine and device, and so are numbers derived
by shifts, comparisons and single roundings: uniform numbers, bounded integers, masks, permutations. Normal numbers are
computed in float64, where machines differ by a few units in the last place at most. Rounded to float32 they are equal,
unless such a difference crosses a rounding boundary; then they are one unit apart.
"""

import math

import numpy as np

from minispore.core import seeds
from minispore.core.random_streams.normal_quantile import normal_probability, normal_quantile
from minispore.core.random_streams.philox import high_product, host_words, words

__all__ = ["Stream", "chance_bound", "dropping_stream", "next_stream", "seeded_stream", "shuffling_stream"]

_DRAWING, _SEEDED, _DROPPING, _SHUFFLING = range(4)  # the purposes of streams: no two share a word
_SMALLEST, _LARGEST = 1e-300, 1 - 2.0**-53  # probabilities whose quantile is finite


class Stream:
    """Random numbers of the array module ``xp``; each call takes the next words.

    Args:
        key (tuple): Two ints in [0, 2 ** 64).
        number (int): The number of the stream under the key, in [0, 2 ** 64).
        domain (int): The purpose of the stream, in [0, 2 ** 64).
        xp (module): NumPy, CuPy, or a stand-in for them.
    """

    def __init__(self, key, number=0, domain=_DRAWING, xp=np):
        self.name, self._xp, self._taken = (key, number, domain), xp, 0
        self._host = host_words(*self.name) if xp is np else None

    def words(self, count):
        """The next ``count`` words: uniform 64-bit integers."""
        if self._host is not None:
            return self._host.random_raw(count)
        start, self._taken = self._taken, self._taken + count
        return words(self._xp, *self.name, start, count)

    def halves(self, count):
        """The next ``count`` uniform 32-bit integers, two from each word, the lower half first."""
        return self.words((count + 1) // 2).astype("<u8", copy=False).view("<u4")[:count]

    def _leave_out(self, count):
        """Leave out the first ``count`` words of a stream that has given none."""
        if self._host is None or not count:
            self._taken += count
        else:
            self._host.advance(count // 4)  # a step of the counter makes four words
            self._host.random_raw(count % 4)

    def uniform(self, shape, before=0):
        """Float64 numbers in [0, 1), multiples of ``2 ** -53``; the first ``before`` of the stream are left out."""
        self._leave_out(before)
        return self._fractions(shape, 11, 0.0)

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

    def _fractions(self, shape, shift, offset):
        """``((word >> shift) + offset) / 2 ** (64 - shift)``: exact, one from each word."""
        found = self.words(math.prod(shape))
        found >>= np.uint64(shift)
        out = found.view(np.int64).astype(np.float64)
        if offset:
            out += offset
        out *= 2.0 ** (shift - 64)
        return out.reshape(shape)


def chance_bound(probability):
    """The 32-bit integer that a uniform one does not exceed with ``probability``, which is above 0."""
    return np.uint32(min(math.ceil(probability * 2.0**32), 2**32) - 1)


def next_stream(xp=np):
    """The next stream of the current seed."""
    return Stream(seeds.next_stream(), xp=xp)


def seeded_stream(seed, seed2, xp=np):
    """The stream named by an operation's two seeds, the same at every call; the next one if both are 0."""
    return Stream((seed, seed2), domain=_SEEDED, xp=xp) if seed or seed2 else next_stream(xp)


def dropping_stream(seed, seed2, xp=np):
    """Like :func:`seeded_stream`, but a new one at every call: a constant mask would train a smaller network."""
    _, number = name = seeds.next_stream()
    return Stream((seed, seed2), number, _DROPPING, xp) if seed or seed2 else Stream(name, xp=xp)


def shuffling_stream(seed, depth, epoch):
    """The stream that orders the rows of one epoch, for the dataset with ``depth`` datasets under it."""
    return Stream((seed, epoch), depth, _SHUFFLING)


def _get_graph_seed(op_seed, kernel_name):
    """The seeds ``(0, op_seed or 0)`` of an operation in a user's layer; with two zeros the next stream is drawn."""
    return 0, op_seed or 0
