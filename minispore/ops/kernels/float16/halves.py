"""Casts of NumPy's float16, fast: halves are looked up in a table, floats are rounded by arithmetic on their bits.

NumPy's own casts are slow, and forty times slower still on subnormals, which are frequent in unscaled gradients. Here
floats are rounded by integer and float32 arithmetic, a cache-sized block at a time. Both take the same time for all
numbers.
"""

import functools

import numpy as np

from minispore.ops.kernels import workers

_WIDE_BLOCK = 1 << 17  # elements looked up at a time
BLOCK = 1 << 16  # elements narrowed at a time: two int32 work arrays, input and output stay in a large L2 cache
MAGNITUDE = np.int32(0x7FFFFFFF)
_EXPONENT = np.int32(0x7F800000)  # also the bits of infinity
_OVERFLOW = np.int32((127 + 16) << 23)  # the bits of 65536, which float16 rounds to infinity, like all above it
_SMALLEST_NORMAL = np.float32(2.0**-14)  # of float16
_ULP_SHIFT = np.int32(13 << 23)  # float32 has 13 more bits of fraction than float16
_BIAS = np.int32((127 - 14 + 13) << 10)  # a rounding constant's exponent less float16's, at bit 10
_NOT_A_HALF = 0x7E00


@functools.cache
def _every_half():
    """All 65,536 halves as float32, in the order of their bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def widen_half(x):
    """The float32 numbers of halves, each looked up by its bits.

    Shifting the bits is twice as fast while all numbers are normal, and seven times slower where some are subnormal.
    """
    bits = np.ascontiguousarray(x).reshape(-1).view(np.uint16)
    floats, table = np.empty(bits.size, np.float32), _every_half()

    def look_up(start):
        block = slice(start, start + _WIDE_BLOCK)
        np.take(table, bits[block], out=floats[block], mode="clip")  # "clip" writes to out without a copy

    workers.share(look_up, range(0, bits.size, _WIDE_BLOCK))
    return floats.reshape(x.shape)


def narrow_to_half(x):
    """The halves that float32 numbers are rounded to."""
    halves = np.empty(x.shape, np.float16)
    round_into(x, halves)
    return halves


def round_into(x, out):
    """Write float32 numbers rounded to float16 into ``out``, which is contiguous."""
    in_scratch_blocks(_narrow_block, np.ascontiguousarray(x).reshape(-1), out.reshape(-1).view(np.int16))


def in_scratch_blocks(rule, *arrays):
    """``rule(*blocks, first, second)`` with two int32 work arrays; blocks are too short for workers to share."""
    size = arrays[0].size
    first, second = np.empty((2, min(BLOCK, size)), np.int32)
    for start in range(0, size, BLOCK):
        blocks = [x[start : start + BLOCK] for x in arrays]
        rule(*blocks, first[: blocks[0].size], second[: blocks[0].size])


def _narrow_block(floats, halves, magnitude, rounding):
    """Let one float32 addition do the rounding: ``|x| + C`` keeps of x just the bits that the half has.

    C is a power of two, 13 exponents above x (or above 2**-14, for float16's subnormals). Its last bit has the value of
    the half's last bit. The sum's low bits then count the half's last places, rounded to nearest even. Adding the
    exponent to them lets a carry run into it, up to infinity.
    """
    bits = floats.view(np.int32)
    np.bitwise_and(bits, MAGNITUDE, out=magnitude)
    largest = magnitude.max()
    if largest > _OVERFLOW:
        np.minimum(magnitude, _OVERFLOW, out=magnitude)
    total, constant = magnitude.view(np.float32), write_constants(magnitude, rounding)
    total += constant
    rounding >>= 13
    magnitude += rounding
    magnitude -= _BIAS
    np.right_shift(bits, 16, out=rounding)
    rounding &= -0x8000
    magnitude += rounding
    np.copyto(halves, magnitude, casting="same_kind")  # the low 16 bits: the bits above belong to C
    if largest > _EXPONENT:
        halves[np.isnan(floats)] = _NOT_A_HALF


def write_constants(magnitude, out):
    """Write the bits of the constants C, described above, into ``out``; returned as the float32 numbers they are."""
    constant = out.view(np.float32)
    np.maximum(magnitude.view(np.float32), _SMALLEST_NORMAL, out=constant)
    out &= _EXPONENT
    out += _ULP_SHIFT
    return constant
