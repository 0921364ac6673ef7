"""Exercise 13.1: float32 rounded to bfloat16 by its bits, beside ``ml_dtypes``."""

import math

import ml_dtypes
import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("to_bfloat16",)
EDGES = (
    *(1.0, 0.0, 1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8, 1.0 + 2.0**-7 + 2.0**-9, 0.1, -0.3, 3.0e38, 3.4e38, -3.4e38),
    *(1e-40, math.inf, -math.inf, math.nan),
)


def cases():
    """Numbers alone: halfway between two of bfloat16, at the ends of the range, then drawn ones."""
    for number in EDGES:
        yield (float(np.float32(number)),)
    yield from ((math.nan, 0x7F800001), (math.nan, 0xFFFFFFFF))
    rng = np.random.default_rng(0)
    for number in rng.standard_normal(100) * 10.0 ** rng.uniform(-30, 30, 100):
        yield (float(np.float32(number)),)


def check(mine, number, bits=None):
    """Raise :class:`Wrong` unless a number becomes the nearest of bfloat16; a nan may have bits of its own."""
    x = np.array([number], np.float32) if bits is None else np.array([bits], np.uint32).view(np.float32)
    found = mine.to_bfloat16(x)
    wished = x.astype(ml_dtypes.bfloat16).astype(np.float32)
    if not isinstance(found, np.ndarray) or found.dtype != np.float32:
        raise Wrong(f"to_bfloat16 of {number!r} is {getattr(found, 'dtype', found)}, not an array of float32")
    number = number if bits is None else f"the nan {bits:#x}"
    if not np.array_equal(found, wished, equal_nan=True):
        raise Wrong(f"to_bfloat16 of {number!r} is {float(found[0])!r}, not {float(wished[0])!r}")
