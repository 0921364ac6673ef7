"""Casts between float16 or bfloat16 and float32, fast on NumPy and exact everywhere.

NumPy's own float16 casts are slow, and forty times slower still on float16 subnormals, which are frequent in unscaled
gradients. Here halves are looked up in a table. Floats are rounded by integer and float32 arithmetic on their bits, a
cache-sized block at a time. Both take the same time for all numbers.
"""

import functools

import numpy as np

from minispore.core.running import running
from minispore.ops.kernels import workers

SMALL = 256  # fewer elements: the fixed cost is more than the saving
_WIDE_BLOCK = 1 << 17  # elements looked up at a time
BLOCK = 1 << 16  # elements narrowed at a time: two int32 work arrays, input and output stay in a large L2 cache

_HALF = np.dtype(np.float16)
MAGNITUDE = np.int32(0x7FFFFFFF)
_EXPONENT = np.int32(0x7F800000)  # also the bits of infinity
_OVERFLOW = np.int32((127 + 16) << 23)  # the bits of 65536, which float16 rounds to infinity, like all above it
_SMALLEST_NORMAL = np.float32(2.0**-14)  # of float16
_ULP_SHIFT = np.int32(13 << 23)  # float32 has 13 more bits of fraction than float16
_BIAS = np.int32((127 - 14 + 13) << 10)  # a rounding constant's exponent less float16's, at bit 10
_NOT_A_HALF = 0x7E00

_REMEMBERED = 16 << 20  # bytes of casts that a step keeps


def widen(xp, x):
    """``float32(x)``, exactly, for a float16 or bfloat16 array; arrays of other dtypes are returned unchanged."""
    if xp is np and x.dtype == _HALF and x.size >= SMALL:
        return _widen_half(x)
    return x if x.dtype.itemsize != 2 or x.dtype.kind in "iu" else x.astype(np.float32)


def narrow(xp, x, dtype):
    """``x`` rounded once to ``dtype``, to nearest even; a float array that has the dtype is returned unchanged.

    Numbers too large for ``dtype`` become infinities, silently, and NaN stays NaN.
    """
    return x if x.dtype == dtype else _narrowed(xp, x, np.dtype(dtype))


def _narrowed(xp, x, dtype):
    if xp is np and dtype == _HALF and x.dtype == np.float32 and x.size >= SMALL:
        return _narrow_to_half(x)
    with np.errstate(all="ignore"):
        return _rounded_once(xp, x, dtype).astype(dtype)


def _rounded_once(xp, x, dtype):
    """``x``, prepared for a cast of float64 to bfloat16: ml_dtypes' own cast goes by float32 and rounds twice."""
    if xp is np and dtype.name == "bfloat16" and x.dtype == np.float64:
        return _round_to_odd(x)
    return x


def cached_cast(xp, x, dtype=None):
    """``x`` rounded to the narrow ``dtype``, or widened without one; within a step done once for each array.

    So a weight used at every step of an unrolled network is converted once. The same holds for an output's gradient
    used by both gradients of a product. ``running.cast_cache`` holds the last casts; arrays are values, so that a cast
    stays right. Rounded arrays are cached only while operations are recorded on a tape: a gradient's sum and a replay
    may overwrite a float32 array's memory.
    """
    if x.dtype == dtype if dtype is not None else x.dtype.itemsize != 2:
        return x
    cast_cache = running.cast_cache
    if cast_cache is None or x.size < SMALL or (dtype is not None and running.tape is None):
        return _converted(xp, x, dtype)
    key = id(x), dtype  # and x is kept with its cast, so that no other array gets its id
    found = cast_cache.pop(key, None)
    if found is None:
        found = x, _converted(xp, x, dtype)
        _make_room(cast_cache, found[1].nbytes)
    cast_cache[key] = found  # the last one is the last to go
    return found[1]


def _converted(xp, x, dtype):
    return widen(xp, x) if dtype is None else narrow(xp, widen(xp, x), dtype)


def _make_room(cast_cache, size):
    """Drop the least recently used casts until one of ``size`` bytes fits beside the others."""
    size += sum(y.nbytes for _, y in cast_cache.values())
    while cast_cache and size > _REMEMBERED:
        size -= cast_cache.pop(next(iter(cast_cache)))[1].nbytes


def narrow_into(xp, x, out):
    """Write ``x`` into ``out``, rounded once to its dtype."""
    if xp is np and x.dtype == np.float32 and out.dtype == np.float16 and out.flags.c_contiguous and x.size >= SMALL:
        _round_into(x, out)
        return
    out[...] = narrow(xp, x, out.dtype)


@functools.cache
def _every_half():
    """All 65,536 halves as float32, in the order of their bits."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def _widen_half(x):
    """Look each half up by its bits.

    Shifting the bits is twice as fast while all numbers are normal, and seven times slower where some are subnormal.
    """
    bits = np.ascontiguousarray(x).reshape(-1).view(np.uint16)
    floats, table = np.empty(bits.size, np.float32), _every_half()

    def look_up(start):
        block = slice(start, start + _WIDE_BLOCK)
        np.take(table, bits[block], out=floats[block], mode="clip")  # "clip" writes to out without a copy

    workers.share(look_up, range(0, bits.size, _WIDE_BLOCK))
    return floats.reshape(x.shape)


def _narrow_to_half(x):
    halves = np.empty(x.shape, np.float16)
    _round_into(x, halves)
    return halves


def _round_into(x, out):
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


def _round_to_odd(x):
    """Float64 to float32 such that a second rounding, to any shorter format, gives the result of a single one."""
    with np.errstate(all="ignore"):
        floats = x.astype(np.float32)
    bits = floats.view(np.int32)
    bits -= np.abs(floats) > np.abs(x)  # now truncated toward zero
    bits |= floats != x
    return floats
