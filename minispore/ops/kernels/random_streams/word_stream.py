"""The words of a stream of random numbers, and the uniform numbers made of them."""

import math

import numpy as np

from minispore.ops.kernels.random_streams.philox import host_words, words

__all__ = []

DRAWING, SEEDED, DROPPING, SHUFFLING = range(4)  # the purposes of streams: no two share a word


class WordStream:
    """Base of Stream: its words, each taken once."""

    def __init__(self, key, number=0, domain=DRAWING, xp=np):
        self.name, self._xp, self._taken = (key, number, domain), xp, 0
        self._host = host_words(*self.name, xp)

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

    def _fractions(self, shape, shift, offset):
        """``((word >> shift) + offset) / 2 ** (64 - shift)``: exact, one from each word."""
        found = self.words(math.prod(shape))
        found >>= np.uint64(shift)
        out = found.view(np.int64).astype(np.float64)
        if offset:
            out += offset
        out *= 2.0 ** (shift - 64)
        return out.reshape(shape)
