"""Exercise 2.1: numbers rounded to float16 by hand, beside NumPy's cast."""

import math

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("to_float16",)
EDGES = (
    *(0.0, 1.0, -0.5, 0.1, 2049.0, 2051.0, -2049.0, 65504.0, 65510.0, 65519.9, 65520.0, -70000.0, 1e300),
    *(2.0**-14, 2.0**-15, 2.0**-24, 3 * 2.0**-24, 1.5 * 2.0**-24, 2.5 * 2.0**-24, 1.1 * 2.0**-25, 2.0**-25, -1e-7),
    *(1.9999, math.inf, -math.inf, math.nan),
)


def cases():
    """Numbers at the edges of float16, halfway between two, and drawn ones."""
    for number in EDGES:
        yield (number,)
    rng = np.random.default_rng(0)
    for number in 2.0 ** rng.uniform(-26, 16, 200) * rng.choice([-1.0, 1.0], 200):
        yield (float(number),)


def check(mine, number):
    """Raise :class:`Wrong` unless the number is rounded as NumPy rounds it."""
    found = mine.to_float16(number)
    with np.errstate(over="ignore"):
        wished = float(np.float16(number))
    if not (found == wished or (math.isnan(wished) and found is not None and math.isnan(found))):
        raise Wrong(f"to_float16({number!r}) is {found!r}, not {wished!r}")
