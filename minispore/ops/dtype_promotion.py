"""Promotion: the dtype of an operation on two dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.dtype import FLOATS, NARROW_FLOATS, complex64, complex128, float32, float64

__all__ = []

_OF_64_BITS = {float64.np, complex128.np}  # in which a complex number is of 128


def promote(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """The NumPy dtype of an operation on two dtypes: the wider of one kind, the floating one of a float and an int.

    A complex one and another are complex, of 128 bits where the other is float64 or complex128. Unlike NumPy's rule,
    ``float16`` with ``int64`` stays float16; ``int8`` with ``uint8`` is int16 as in NumPy.
    """
    if a == b:
        return a
    if a.kind == "c" or b.kind == "c":
        return (complex128 if {a, b} & _OF_64_BITS else complex64).np
    a_float, b_float = a in FLOATS, b in FLOATS
    if a_float != b_float:
        return a if a_float else b
    if {a, b} == NARROW_FLOATS:
        return float32.np
    return np.promote_types(a, b)
