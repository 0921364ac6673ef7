"""Exercise 1.1: the share of gradients that vanish in float16, counted one by one."""

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("vanished",)


def cases():
    """Lists of gradients: alone, with zeros, at the edges of float16, then drawn ones."""
    for number in (1.0, 2.0**-24, 1.5 * 2.0**-25, 2.0**-25, -(2.0**-15), 0.0):
        yield ([number],)
    yield ([0.0, 1.0],)
    yield ([0.0, 2.0**-30],)
    rng = np.random.default_rng(0)
    for length in (3, 5, 20):
        drawn = 2.0 ** rng.uniform(-30, 0, length) * rng.integers(0, 2, length)
        yield ([float(np.float32(x)) for x in drawn],)


def check(mine, numbers):
    """Raise :class:`Wrong` unless the share is that of a count."""
    found = mine.vanished(np.array(numbers, np.float32))
    nonzero = [x for x in numbers if x != 0]
    wished = sum(float(np.float16(x)) == 0 for x in nonzero) / len(nonzero) if nonzero else 0.0
    if not isinstance(found, float) or not abs(found - wished) <= 1e-6:
        raise Wrong(f"vanished({numbers}) is {found}, not {wished:g}")
