"""Numbers as pixels: rounded to the nearest, ties to even, and cut to the range of the image's type."""

import numpy as np

__all__ = ["as_pixels"]


def as_pixels(values, dtype):
    """Floating ``values`` as ``dtype``; a new array or ``values`` itself, which may be written over."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return values.astype(dtype, copy=False)
    limits = np.iinfo(dtype)
    np.rint(values, out=values)
    np.clip(values, limits.min, limits.max, out=values)
    return values.astype(dtype)
