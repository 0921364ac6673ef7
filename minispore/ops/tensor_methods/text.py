"""The text of a Tensor's values, as MindSpore prints them."""

import numpy as np

from minispore.core import dtype
from minispore.core.tensor_data import converted

__all__ = []

_DIGITS = {"float16": 4, "bfloat16": 4, "float32": 8, "float64": 8}


def _complex_text(number):
    return f"{number.real:g}{number.imag:+g}j"


def value_text(array):
    """The values as MindSpore prints them: floats in scientific notation with the digits of their type."""
    if array.dtype in dtype.STORED:
        array = converted(array, dtype.float64.np)
        return value_text(array) if array.ndim == 0 else _written(array, {"float_kind": "{:g}".format})
    if array.ndim == 0:
        if array.dtype in dtype.COMPLEX:
            return " " + _complex_text(array.item())
        return f" {array.item():.9g}" if array.dtype in dtype.FLOATS else f" {array.item()}"
    if not array.size:
        return " "
    formatter = {}
    if array.dtype in dtype.COMPLEX:
        formatter = {"complex_kind": _complex_text}
    elif array.dtype in dtype.FLOATS:
        digits = _DIGITS[array.dtype.name]
        width = digits + 7
        formatter = {"float_kind": lambda v: f"{v:.{digits}e}".rjust(width)}
        if array.dtype.name == "bfloat16":
            array = array.astype(np.float32)
    return _written(array, formatter)


def _written(array, formatter):
    """The values of an array with an axis."""
    text = np.array2string(array, separator=", ", formatter=formatter or None, max_line_width=10**6)
    text = text.replace("\n\n", "\n").replace(", ...,", " ...").replace(",\n ...,", "\n ...")
    return (" " if array.ndim == 1 else "\n") + text
