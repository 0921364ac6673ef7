"""Floating-point warnings are off inside kernels: an overflow is a result like any other, and callers test for it."""

import functools

import numpy as np

from minispore.core.running import running


def quiet(function):
    """``function``, without NumPy's RuntimeWarnings for overflow, invalid operations and division by zero."""

    @functools.wraps(function)
    def silenced(*args, **kwargs):
        if running.silent:  # NumPy warns of nothing already
            return function(*args, **kwargs)
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return silenced
