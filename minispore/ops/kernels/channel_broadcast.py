"""Numbers per channel broadcast over an image's pixels: NumPy is twice as fast with the image as with a column."""

import numpy as np

from minispore.ops.kernels.blocking import aligned

_MOST = 256 << 10  # bytes of one image, up to which it stays in the cache
_SMALL = 64 << 10  # bytes of a batch for which spreading costs more than it saves


def spread(xp, v, x):
    """``v`` (C,), to be broadcast against x (N, C, pixels)."""
    if xp is np and x.shape[2] > 1 and x.nbytes >= _SMALL and x[:1].nbytes <= _MOST:
        image = aligned.empty(np, x.shape[1:], v.dtype)
        image[...] = v[:, None]
        return image
    return v[:, None]
