"""Float16 numbers kept in float32 arrays: rounded in place, to nearest even."""

import numpy as np

from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.float16.cast import SMALL, narrow, widen
from minispore.ops.kernels.float16.halves import MAGNITUDE, in_scratch_blocks, write_constants

_SIGN = np.int32(-(2**31))
_LARGEST = np.float32(65504)
_OVERFLOW = np.float32(65520).view(np.int32)  # the least number that rounds to infinity


@quiet
def on_half_grid(xp, x):
    """``float32(float16(x))``, in the memory of ``x`` if it is a large float32 array."""
    if xp is np and isinstance(x, np.ndarray) and x.size >= SMALL and x.flags.c_contiguous:
        in_scratch_blocks(_round, x.reshape(-1))
        return x
    return widen(xp, narrow(xp, xp.asarray(x), np.float16))


def _round(floats, magnitude, constant):
    """``(|x| + C) - C`` keeps of x the bits that the half has; C is as in the cast to float16."""
    bits = floats.view(np.int32)
    np.bitwise_and(bits, MAGNITUDE, out=magnitude)
    largest = magnitude.max()
    total, power = magnitude.view(np.float32), write_constants(magnitude, constant)
    if largest >= _OVERFLOW:
        np.minimum(power, np.float32(2.0**100), out=power)  # of infinity and numbers near it
    total += power
    total -= power
    if largest >= _OVERFLOW:
        total[total > _LARGEST] = np.inf
    bits &= _SIGN
    bits |= magnitude
