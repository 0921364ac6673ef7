"""Exercise 12.1: the greatest loss scale that overflows no gradient, by a trial of each."""

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("greatest_scale",)


def cases():
    """Lists of gradients: single ones at the edges of float16, then drawn ones."""
    for number in (1.0, 0.5, 65504.0, 65510.0, 65519.0, 65520.0, 1e6, 2.0**-20, 2.0**-8, 0.0, -3.0, 65504.0 / 1024):
        yield ([number],)
    yield ([0.0, 3e-5],)
    yield ([-8.0, 0.001],)
    rng = np.random.default_rng(0)
    for length in (2, 4, 8, 16):
        yield ([float(np.float32(x)) for x in rng.standard_normal(length) * 10.0 ** rng.uniform(-6, 3)],)


def check(mine, numbers):
    """Raise :class:`Wrong` unless the scale is the last of the 25 that works."""
    found, wished = mine.greatest_scale(np.array(numbers, np.float32)), 0.0
    for power in range(25):
        with np.errstate(over="ignore"):
            if all(np.isfinite(np.float16(x * 2.0**power)) for x in numbers):
                wished = 2.0**power
    if found != wished:
        raise Wrong(f"greatest_scale({numbers}) is {found}, not {wished:g}")
