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
_FEW = 1 << 13  # elements up to which a look-up is faster than the arithmetic
_INFINITY = 0x7C00  # the bits of a half; those of nan are above
_NOT_A_HALF = 0x7E00
_SINGLE = np.dtype(np.float32)


def _number(value, dtype=np.int32):
    """An array without axes: NumPy takes twice as long to begin with a scalar."""
    return np.array(value, dtype)


_UP, _SUBNORMAL = _number(2.0**112, np.float32), _number(2.0**-130, np.float32)
_SIGN_AND_HALF = _number(-0x70000001)  # of a half 13 places up: not the copies of its sign
_MAGNITUDE, _EXPONENT, _SIGN = _number(0x7FFFFFFF), _number(0x7F800000), _number(-0x8000)
_LEAST, _GREATEST, _MOST = (_number(127 + exponent << 23) for exponent in (-14, 15, 16))  # of float16, and one above
_TO_LAST_PLACE = _number(10 << 23)  # of exponents: float16 has 10 bits of fraction
_TO_CONSTANT = _number((13 << 23) + 2048)  # 2048 last places: see _narrow_block
_MORE, _UPPER = _number(13), _number(16)  # bits: that float32 has more of fraction, and of its upper half


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
    floats = aligned.empty(np, x.shape, _SINGLE)
    rule = _widen_block if bits.size > _FEW and multiplies_subnormals() else _look_up
    _in_pieces(rule, bits, floats.reshape(-1))
    return floats


def _widen_block(bits, floats):
    """Give the bits their places in a float32, and multiply: float32 has another least exponent.

    A subnormal half is a subnormal float32 until it is multiplied. Some libraries have their thread take these as 0.
    """
    if _SUBNORMAL * _UP == 0:
        _look_up(bits, floats)
        return
    wide = floats.view(np.int32)
    wide[...] = bits
    wide <<= _MORE
    wide &= _SIGN_AND_HALF
    floats *= _UP
    top = bits.view(np.uint16).max()
    if top >= _INFINITY and (top >= 0x8000 + _INFINITY or bits.max() >= _INFINITY):
        _look_up(bits, floats)


def _look_up(bits, floats):
    np.take(_every_half(), bits.view(np.uint16), out=floats, mode="clip")  # "clip" writes to out without a copy


def narrow_to_half(x):
    """The halves that float32 numbers are rounded to."""
    halves = aligned.empty(np, x.shape, np.dtype(np.float16))
    round_into(x, halves)
    return halves


@quiet
def round_into(x, out):
    """Write float32 numbers rounded to float16 into ``out``, which is contiguous."""
    _in_pieces(_narrow_block, np.ascontiguousarray(x).reshape(-1), out.reshape(-1).view(np.int16), work=2)


def round_to_halves(x, out):
    """Write float32 numbers rounded to float16's into ``out``, of float32 too; both are contiguous."""
    _in_pieces(_round_block, x.reshape(-1), out.reshape(-1), work=1)


def _in_pieces(rule, *arrays, work=0):
    """``rule(*blocks, *work arrays)`` for blocks of the arrays and so many int32 work arrays; workers share them."""
    size = arrays[0].size
    if size <= BLOCK:
        rule(*arrays, *np.empty((work, size), np.int32))
        return

    def do(piece):
        scratch = np.empty((work, BLOCK), np.int32)
        for start in range(piece, min(size, piece + _PIECE), BLOCK):
            blocks = [x[start : start + BLOCK] for x in arrays]
            rule(*blocks, *scratch[:, : blocks[0].size])

    workers.share(do, range(0, size, _PIECE))


def _narrow_block(floats, halves, magnitude, constant):
    """Let one float32 addition do the rounding: ``|x| + C`` keeps of x just the bits that the half has.

    C is 13 exponents above x (or above 2**-14, for float16's subnormals). Its last bit has the value of the half's last
    bit. The sum's low bits then count the half's last places, rounded to nearest even. Adding the exponent to them lets
    a carry run into it, up to infinity. C has 2048 last places too: its exponent, as it is added, is too small by that.
    """
    bits = floats.view(np.int32)
    np.bitwise_and(bits, _MAGNITUDE, out=magnitude)
    largest = magnitude.max()
    if largest > _MOST:
        np.minimum(magnitude, _MOST, out=magnitude)
    np.bitwise_and(magnitude, _EXPONENT, out=constant)
    constant.clip(_LEAST, _MOST, out=constant)
    constant += _TO_CONSTANT
    total = magnitude.view(np.float32)
    total += constant.view(np.float32)
    constant >>= _MORE
    magnitude += constant
    np.right_shift(bits, _UPPER, out=constant)
    constant &= _SIGN
    magnitude += constant
    np.copyto(halves, magnitude, casting="same_kind")  # the low 16 bits: the bits above belong to C
    if largest > _EXPONENT:
        halves[np.isnan(floats)] = _NOT_A_HALF


def _round_block(floats, out, work):
    """Write ``rint(x / place) * place``, where the place is the value of a half's last bit.

    It is a power of two, ten exponents below x, and at least float16's least number. So quotient and product are exact.
    """
    place = work.view(np.float32)
    np.bitwise_and(floats.view(np.int32), _EXPONENT, out=work)
    largest = work.max()
    work.clip(_LEAST, _MOST, out=work)
    work -= _TO_LAST_PLACE
    np.divide(floats, place, out=out)
    np.rint(out, out=out)
    out *= place
    if largest >= _GREATEST:
        np.copysign(np.inf, out, out=out, where=np.abs(out) > 65504)
