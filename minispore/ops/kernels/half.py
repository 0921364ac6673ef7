"""Signs of float16 arrays by their bits: NumPy compares and chooses float16 ten times slower than integers.

The bits of a float16, read as an int16, are above 0 for what is above 0, at least 0x7C01 for a NaN; a set sign bit
makes them negative: below -1023 for numbers and -inf, from -1023 on for a NaN.
"""

import numpy as np

_INFINITY, _NEGATIVE_NAN = np.int16(0x7C00), np.int16(-1023)


def rectified(xp, x):
    """``max(x, 0)``; NaN stays NaN."""
    if x.dtype != np.float16:
        return xp.maximum(x, x.dtype.type(0))
    bits = x.view(np.int16)
    return (bits * (bits >= _NEGATIVE_NAN)).view(np.float16)


def is_positive(xp, x):
    """``x > 0``; False for NaN."""
    if x.dtype != np.float16:
        return x > 0
    bits = x.view(np.int16)
    return xp.logical_and(bits > 0, bits <= _INFINITY)
