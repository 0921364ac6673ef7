"""Elementwise float16 on the CPU: signs by their bits, arithmetic in float32; NumPy's own is up to ten times slower.

CuPy's kernels widen each number that they read, and round each result once: so there the functions are CuPy's own.

The bits of a float16, read as an int16, are above 0 for numbers above 0, and at least 0x7C01 for a NaN. A set sign bit
makes them negative: below -1023 for numbers and -inf, from -1023 on for a NaN.
"""

from functools import partial

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.cache_blocks import LONG, in_blocks, in_one
from minispore.ops.kernels.float16.cast import narrow, narrow_into, widen

_INFINITY, _NEGATIVE_NAN, _LEAST = np.int16(0x7C00), np.int16(-1023), np.int16(-0x8000)
NAN_KEY = np.int16(0x7FFF)  # its bits are a NaN's
_ROW = 1 << 13
_ZEROS = {np.dtype(dtype): np.zeros(_ROW, dtype) for dtype in (np.float32, np.float64)}


def rectified(xp, x, out=None):
    """``max(x, 0)``, of float32 and float64 into ``out`` if it is given; NaN stays NaN."""
    if xp is np and x.dtype == np.float16:
        bits = x.view(np.int16)
        return (bits * (bits >= _NEGATIVE_NAN)).view(np.float16)
    if x.size >= LONG:
        return in_one(partial(_not_negative, xp), xp, x, out=out)
    return _not_negative(xp, x, out=out)


def _not_negative(xp, x, out=None):
    """``max(x, 0)``: NumPy is twice as fast with an array of zeros as with a zero."""
    if (
        xp is np
        and x.size >= _ROW
        and x.dtype in _ZEROS
        and all(y.flags.c_contiguous for y in (x, out) if y is not None)
    ):
        out = aligned.empty(np, x.shape, x.dtype) if out is None else out
        (rows, rest), (out_rows, out_rest) = _in_rows(x), _in_rows(out)
        np.maximum(rows, _ZEROS[x.dtype], out=out_rows)
        np.maximum(rest, x.dtype.type(0), out=out_rest)
        return out
    return xp.maximum(x, x.dtype.type(0), out=out)


def _in_rows(x):
    """Views of a contiguous array as rows of one length, and what is left."""
    flat, whole = x.reshape(-1), x.size - x.size % _ROW
    return flat[:whole].reshape(-1, _ROW), flat[whole:]


def cut(xp, x, most):
    """``min(max(x, 0), most)`` for a ``most`` above 0; NaN stays NaN."""
    if xp is np and x.dtype == np.float16:
        bits = rectified(np, x).view(np.int16)
        lower = bits.clip(_LEAST, np.float16(most).view(np.int16))  # without a lower bound far slower
        if bits.size > 0 and bits.max() > _INFINITY:  # a NaN with a clear sign bit; others are below all numbers
            np.copyto(lower, bits, where=bits > _INFINITY)
        return lower.view(np.float16)
    return xp.minimum(rectified(xp, x), x.dtype.type(most))


def is_within(xp, x, most):
    """``0 < x <= most``; False for NaN."""
    if xp is np and x.dtype == np.float16:
        bits = x.view(np.int16)
        return (bits > 0) & (bits <= np.float16(most).view(np.int16))
    return (x > 0) & (x <= x.dtype.type(most))


def compared(xp, function, x, y):
    """``function(x, y)``, whose answer is bool."""
    if xp is np:
        return function(widen(np, x), widen(np, y))
    return function(x, y)


def is_positive(xp, x):
    """``x > 0``; False for NaN."""
    if xp is np and x.dtype == np.float16:
        bits = x.view(np.int16)
        positive = bits > 0
        if bits.size > 0 and bits.max() > _INFINITY:  # a NaN with a clear sign bit
            positive &= bits <= _INFINITY
        return positive
    return x > 0


def ordered(x):
    """Int16 numbers in the order of float16 ones: 0 for both zeros, the largest for every NaN; exact, and fast.

    Where no number has a sign they are the bits, in the memory of ``x``.
    """
    bits = np.ascontiguousarray(x).view(np.int16)
    if bits.size and bits.min() >= 0 and bits.max() <= _INFINITY:
        return bits
    sign = bits >> 15  # -1 or 0
    keys = bits ^ (sign & 0x7FFF)
    keys -= sign  # now plus or minus the magnitude's bits
    if keys.size and (keys.max() > _INFINITY or keys.min() < -_INFINITY):
        keys[np.isnan(x)] = NAN_KEY
    return keys


def from_ordered(keys):
    """The float16 numbers of :func:`ordered`'s keys, in their memory where none is negative."""
    if keys.size and keys.min() >= 0:
        return keys.view(np.float16)
    bits = np.abs(keys)
    bits |= keys & -0x8000
    return bits.view(np.float16)


def by_float32(xp, function, x, y):
    """``function(x, y)`` of two arrays of one narrow type, computed in float32 and rounded once.

    For sums, differences, products and quotients float32 has digits enough for the two roundings to be one.
    """
    if xp is np:
        return _by_float32(function, x, y)
    return function(x, y)


def _by_float32(function, x, y):
    if x.shape != y.shape:
        return narrow(np, function(widen(np, x), widen(np, y)), x.dtype)

    def rule(xp, outs, x, y):
        wide = widen(xp, x)
        narrow_into(xp, function(wide, widen(xp, y), out=wide), outs[0])

    return in_blocks(rule, np, (np.empty(x.shape, x.dtype),), x, y)[0]


def of_one(xp, function, x):
    """``function(x)`` of an array of floats; of a narrow type computed in float32 and rounded once."""
    if xp is np:
        function = function if x.size < LONG else partial(in_one, function, np)
        return narrow(np, function(widen(np, x)), x.dtype)
    return function(x)
