"""Casts of NumPy's float16, fast: by arithmetic on the bits, a cache-sized block at a time, shared by the workers.

NumPy's own casts are slow, and many times slower still on subnormals, which are frequent in unscaled gradients.
"""

import functools
import time

import numpy as np

from minispore.ops.kernels import workers
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.errstate import quiet

BLOCK = 1 << 16  # elements at a time: two work arrays, input and output stay in a large L2 cache
_PIECE = 1 << 17  # elements that a worker takes at a time
_INFINITY = 0x7C00  # the bits of a half; those of nan are above
_NOT_A_HALF = 0x7E00
_DOWN, _UP = np.float32([2.0**-112, 2.0**112])  # from float16's least exponent to float32's, and back
_SIGN_AND_HALF = np.int32(-0x70000001)  # of a half 13 places up: not the copies of its sign
_EXPONENT = np.int32(0x7F800000)
_LEAST, _MOST = np.array([127 - 14, 127 + 16], np.int32) << 23  # exponents of float16's normal numbers, and one above
_TO_LAST_PLACE = np.array(10 << 23, np.int32)  # of exponents: float16 has 10 bits of fraction
_LARGE = 127 + 15 << 23  # the greatest exponent that float16 has


@functools.cache
def _every_half():
    """All 65,536 halves as float32, in the order of their bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


@functools.cache
def multiplies_subnormals():
    """True if the processor multiplies subnormal numbers about as fast as others; many take ten times as long."""
    numbers, out = np.full((2, 1 << 12), [[1e-40], [1.0]], np.float32), np.empty(1 << 12, np.float32)
    subnormal, normal = (min(_time_of(np.multiply, each, _UP, out) for _ in range(8)) for each in numbers)
    return subnormal < 3 * normal


def _time_of(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def widen_half(x):
    """The float32 numbers of halves."""
    bits = np.ascontiguousarray(x).reshape(-1).view(np.int16)
    floats = aligned.empty(np, x.shape, np.dtype(np.float32))
    _in_pieces(_widen_block if multiplies_subnormals() else _look_up, bits, floats.reshape(-1))
    return floats


def _widen_block(bits, floats):
    """Give the bits their places in a float32, and multiply: float32 has another least exponent.

    A subnormal half is a subnormal float32 until it is multiplied.
    """
    wide = floats.view(np.int32)
    wide[...] = bits
    wide <<= 13
    wide &= _SIGN_AND_HALF
    floats *= _UP
    if bits.max() >= _INFINITY or bits.view(np.uint16).max() >= 0x8000 + _INFINITY:
        _look_up(bits, floats)


def _look_up(bits, floats):
    np.take(_every_half(), bits.view(np.uint16), out=floats, mode="clip")  # "clip" writes to out without a copy


def narrow_to_half(x):
    """The halves that float32 numbers are rounded to."""
    halves = np.empty(x.shape, np.float16)
    round_into(x, halves)
    return halves


@quiet
def round_into(x, out):
    """Write float32 numbers rounded to float16 into ``out``, which is contiguous."""
    _in_pieces(_narrow_block, np.ascontiguousarray(x).reshape(-1), out.reshape(-1).view(np.int16), work=2)


def round_in_place(x):
    """Round float32 numbers, which are contiguous, to float16's."""
    _in_pieces(_round_block, x.reshape(-1), work=1)


def _in_pieces(rule, *arrays, work=0):
    """``rule(*blocks, *work arrays)`` for blocks of the arrays and so many int32 work arrays; workers share them."""
    size = arrays[0].size

    def do(piece):
        scratch = np.empty((work, min(BLOCK, size)), np.int32)
        for start in range(piece, min(size, piece + _PIECE), BLOCK):
            blocks = [x[start : start + BLOCK] for x in arrays]
            rule(*blocks, *scratch[:, : blocks[0].size])

    workers.share(do, range(0, size, _PIECE))


def _round_block(floats, work):
    if _round(floats, floats, work):
        np.copysign(np.inf, floats, out=floats, where=np.abs(floats) > 65504)


def _narrow_block(floats, halves, first, second):
    """Round, and take the bits that the halves have, now that the others are 0."""
    rounded = first.view(np.float32)
    large = _round(floats, rounded, second)
    if large:
        rounded.clip(-65536, 65536, out=rounded)  # the number with the bits of infinity
    rounded *= _DOWN
    np.right_shift(first, 16, out=second)
    second &= -0x8000
    first >>= 13
    first |= second
    np.copyto(halves, first, casting="same_kind")
    if large and np.isnan(rounded.max()):
        halves[np.isnan(floats)] = _NOT_A_HALF


def _round(floats, out, work):
    """Write the nearest float16 numbers into ``out``, those from 65520 on as 65536 or more; True if there may be any.

    These are ``rint(x / place) * place``, where the place is the value of a half's last bit. It is a power of two, ten
    exponents below that of x, and at least float16's least number. So the quotient and the product are exact.
    """
    place = work.view(np.float32)
    np.bitwise_and(floats.view(np.int32), _EXPONENT, out=work)
    large = work.max() >= _LARGE
    work.clip(_LEAST, _MOST, out=work)
    work -= _TO_LAST_PLACE
    np.divide(floats, place, out=out)
    np.rint(out, out=out)
    out *= place
    return large
