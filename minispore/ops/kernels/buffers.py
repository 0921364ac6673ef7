"""Small buffers for NumPy's loops over arrays whose rows do not touch.

NumPy may copy such rows, a few at a time, into buffers of 8,192 numbers for each operand. Three of these do not fit the
L1 cache, and an addition then takes up to four times as long. Rows longer than a buffer are not copied at all.
"""

import functools

import numpy as np

_NUMBERS = 1024


def small_buffers(function):
    """``function``, whose loops use buffers that fit the L1 cache."""

    @functools.wraps(function)
    def buffered(*args, **kwargs):
        before = np.setbufsize(_NUMBERS)
        try:
            return function(*args, **kwargs)
        finally:
            np.setbufsize(before)

    return buffered
