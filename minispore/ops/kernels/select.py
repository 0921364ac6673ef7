"""Elementwise choice between two arrays, in bfloat16 too."""

import ml_dtypes
import numpy as np

__all__ = ["select"]

_BFLOAT16, _BITS = np.dtype(ml_dtypes.bfloat16), np.dtype(np.uint16)


def select(xp, mask, x, y):
    """``x`` where ``mask`` is true, else ``y``, in their common dtype; each an array or a number.

    CuPy's ``where`` makes float32 of two bfloat16 arrays: there the bits are chosen, as integers.
    """
    if xp is np:
        return np.where(mask, x, y)
    if _is_bfloat16(x) and _is_bfloat16(y):
        return xp.where(mask, x.view(_BITS), y.view(_BITS)).view(_BFLOAT16)
    return xp.where(mask, x, y)


def _is_bfloat16(x):
    return getattr(x, "dtype", None) == _BFLOAT16
