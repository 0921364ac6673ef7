"""Exercise 2.1: round to float16 by hand."""

import math


def to_float16(x):
    """The number of float16 that is nearest to x, as a float; ties go to the even one."""
    if x == 0 or not math.isfinite(x):
        return x
    exponent = max(math.frexp(x)[1] - 1, -14)  # 2**exponent <= abs(x), but for small x
    unit = 2.0 ** (exponent - 10)
    nearest = round(x / unit) * unit
    return nearest if abs(nearest) <= 65504 else math.copysign(math.inf, x)
