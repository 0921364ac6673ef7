"""Philox4x64-10: 64-bit words that are a function of a key and a counter (Salmon, Moraes, Dror and Shaw, 2011).

On the host NumPy's bit generator makes them, whose compatibility policy keeps them fixed. :func:`words` makes the same
ones with a kernel on a GPU, and elsewhere with plain arithmetic, which every array module has.
"""

import numpy as np

from minispore.core import backend

__all__ = ["high_product", "host_words", "scrambled", "words"]

_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B  # increments of the two halves of the key per round
_ROUNDS = 10
words_by_kernel = None  # a device's way to make the words: ``devices/cuda/device_words.py`` puts it here
_HALF, _LOW, _ALL = np.uint64(32), np.uint64(2**32 - 1), 2**64 - 1


def high_product(words, factor):
    """The upper 64 bits of the 128-bit products ``words * factor``, by halves of 32 bits, none of which overflows."""
    low, high = words & _LOW, words >> _HALF
    low_factor, high_factor = np.uint64(factor & (2**32 - 1)), np.uint64(factor >> 32)
    middle = high * low_factor + ((low * low_factor) >> _HALF)
    rest = low * high_factor + (middle & _LOW)
    return high * high_factor + (middle >> _HALF) + (rest >> _HALF)


def scrambled(key, counter):
    """The four words of each block: ``counter`` is four arrays of uint64, ``key`` two ints."""
    c0, c1, c2, c3 = counter
    for turn in range(_ROUNDS):
        k0, k1 = (np.uint64((k + turn * step) & _ALL) for k, step in zip(key, _STEPS, strict=True))
        first, second = (np.uint64(m) for m in _MULTIPLIERS)
        upper, lower = high_product(c2, _MULTIPLIERS[1]), c2 * second
        c2, c3 = high_product(c0, _MULTIPLIERS[0]) ^ c3 ^ k1, c0 * first
        c0, c1 = upper ^ c1 ^ k0, lower
    return c0, c1, c2, c3


def host_words(key, number, domain, xp=np):
    """NumPy's bit generator at the start of a stream; ``random_raw(count)`` returns the next words. None elsewhere."""
    if xp is np:
        return np.random.Philox(counter=np.array([0, 0, number, domain], np.uint64), key=np.array(key, np.uint64))
    return None


def words(xp, key, number, domain, start, count):
    """The words ``start`` to ``start + count`` of a stream, by ``xp``; equal to those of :func:`host_words`.

    Block i has the counter i + 1, because NumPy increments it before use.
    """
    if words_by_kernel is not None and backend.has_kernels(xp):
        return words_by_kernel(xp, (key, number, domain), start, count)
    first, last = start // 4, -(-(start + count) // 4)
    blocks = xp.arange(first + 1, last + 1, dtype=np.uint64)
    zeros = xp.zeros_like(blocks)
    out = scrambled(key, (blocks, zeros, zeros + np.uint64(number), zeros + np.uint64(domain)))
    return xp.stack(out, axis=1).reshape(-1)[start - 4 * first :][:count]
