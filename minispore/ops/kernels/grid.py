"""Float16's numbers kept in float32: rounded to nearest even where they lie."""

import numpy as np

from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.kernels.quiet import quiet

_SMALL = 256  # below this many elements, the fixed cost is more than what is saved
_BLOCK = 1 << 16  # elements at a time: work arrays and numbers stay in the L2 cache
_MAGNITUDE, _EXPONENT, _SIGN = np.int32(0x7FFFFFFF), np.int32(0x7F800000), np.int32(-(2**31))
_ULP_SHIFT = np.int32(13 << 23)  # float32 has 13 more bits of fraction than float16
_SMALLEST_NORMAL, _LARGEST = np.float32(2.0**-14), np.float32(65504)
_OVERFLOW = np.float32(65520).view(np.int32)  # what rounds to infinity, like all above it


@quiet
def on_half_grid(xp, x):
    """``float32(float16(x))``, in the memory of ``x`` where that is a large float32 array."""
    if xp is not np or not isinstance(x, np.ndarray) or x.size < _SMALL or not x.flags.c_contiguous:
        return widen(xp, narrow(xp, xp.asarray(x), np.float16))
    floats = x.reshape(-1)
    magnitude, constant = np.empty((2, min(_BLOCK, floats.size)), np.int32)
    for start in range(0, floats.size, _BLOCK):
        block = floats[start : start + _BLOCK]
        _round(block, magnitude[: block.size], constant[: block.size])
    return x


def _round(floats, magnitude, constant):
    """``(|x| + C) - C`` keeps of x the bits that the half has; C is as in the cast to float16."""
    bits = floats.view(np.int32)
    np.bitwise_and(bits, _MAGNITUDE, out=magnitude)
    largest = magnitude.max()
    total, power = magnitude.view(np.float32), constant.view(np.float32)
    np.maximum(total, _SMALLEST_NORMAL, out=power)
    constant &= _EXPONENT
    constant += _ULP_SHIFT
    if largest >= _OVERFLOW:
        np.minimum(power, np.float32(2.0**100), out=power)  # of infinity and what is near it
    total += power
    total -= power
    if largest >= _OVERFLOW:
        total[total > _LARGEST] = np.inf
    bits &= _SIGN
    bits |= magnitude
