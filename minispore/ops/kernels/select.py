"""Elementwise choice between two arrays, in bfloat16 too, and rules of choices."""

from functools import partial
from operator import methodcaller

import ml_dtypes
import numpy as np

__all__ = ["either", "select", "updated"]

_NUMBER_OF = methodcaller("item")

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


def either(condition, x, y):
    """:func:`select` of Python's numbers."""
    return x if condition else y


def updated(xp, rule, state, given, *fixed):
    """New values of a ``state``, arrays of one element: ``rule(choose, *state, given, *fixed)``, in float64.

    On NumPy the rule computes with Python's own numbers, which take a quarter of the time.
    """
    if xp is np:
        return tuple(map(np.full_like, state, rule(either, *map(_NUMBER_OF, (*state, given)), *fixed)))
    wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in state]
    after = rule(partial(select, xp), *wide, given.reshape(()), *fixed)
    return tuple(new.astype(old.dtype, copy=False) for new, old in zip(after, state, strict=True))
