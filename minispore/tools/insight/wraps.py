"""Wraps: integers too large for their type become other integers; numbers derived from them are wrong."""

from typing import NamedTuple

import numpy as np

from minispore.core import backend
from minispore.ops.casting import Cast

__all__ = []

_COMPUTED_ANEW = {"Add", "CumSum", "Mul", "Neg", "Pow", "ReduceProd", "ReduceSum", "Square", "Sub"}


class Wrap(NamedTuple):
    """An operation with a wrapped integer result: one true number, and the wrapped one."""

    operation: str
    dtype: str
    line: str  # "file:line", or the path of a cell
    number: float
    became: int

    def __str__(self):
        wraps = f"{self.operation} at {self.line} wraps in {self.dtype}"
        return f"{wraps}: {self.number:g} becomes {self.became}. A wider type of integers holds it."


def wrapped_by(primitive, arrays, made):
    """``(true number, wrapped number)`` if an operation's integer result wraps; else None."""
    if len(made) != 1 or made[0].dtype.kind not in "iu" or made[0].dtype.itemsize == 8 or not made[0].size:
        return None
    wide = _wide(primitive, arrays)
    if wide is None:
        return None
    found = backend.to_host(made[0]).astype(np.float64)
    wrong = np.argwhere(wide != found) if wide.shape == found.shape else ()
    return (float(wide[tuple(wrong[0])]), int(found[tuple(wrong[0])])) if len(wrong) else None


def _wide(primitive, arrays):
    """The true result in float64, whole numbers, or None."""
    host = [backend.to_host(a) if isinstance(a, backend.array_type) else a for a in arrays]
    if isinstance(primitive, Cast):
        x = host[0].astype(np.float64)
        return np.trunc(x) if np.isfinite(x).all() else None
    given = [a for a in host if isinstance(a, np.ndarray)]
    if primitive.name not in _COMPUTED_ANEW or any(a.dtype.kind not in "iu" for a in given):
        return None
    with np.errstate(all="ignore"):
        return primitive.compute(np, *[a.astype(np.int64) if isinstance(a, np.ndarray) else a for a in host])
