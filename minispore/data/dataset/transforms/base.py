"""The base of transforms: callables on one column, or on several, that return NumPy arrays or images."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.errors import runtime_error, shown, type_error
from minispore.ops.object_text import of_arguments

__all__ = ["PyTensorOperation", "TensorOperation", "as_array", "is_pil", "one_of"]


def is_pil(value):
    """True if ``value`` is an image of Pillow's, which need not be installed."""
    if type(value) is np.ndarray:  # the quick answer for the usual case
        return False
    return any(kind.__module__.startswith("PIL.") and kind.__name__ == "Image" for kind in type(value).__mro__)


def as_array(operation, value):
    """A column as an array: of an array, an image, a number, a text, or a list of them."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (int, float, np.generic, str, bytes, list, tuple)) or is_pil(value):
        array = np.asarray(value)
        if array.dtype != object:
            return array
    raise type_error(operation, "the input must be a NumPy array, an image, a number or a text", shown(value))


def one_of(operation, columns):
    """The only one of ``columns``; RuntimeError if there are more or fewer."""
    if len(columns) != 1:
        raise runtime_error(operation, "there must be one input column", f"{len(columns)}")
    return columns[0]


def name_of(transform):
    """The name of a transform in error messages."""
    return type(transform).__name__


class TensorOperation:
    """Base of transforms of arrays: a subclass defines ``_array(x)``, and is called with one column."""

    __repr__ = of_arguments

    def __call__(self, *columns) -> Any:
        return self._array(as_array(name_of(self), one_of(name_of(self), columns)))

    def _strided(self, *columns):
        """As a call, but the arrays, inputs and results, may lie in memory in any order.

        ``map`` calls it in a run of transforms, if the last one has a true ``_lays_out``. So flips and crops there are
        views, and colours are brought into channels' order in one pass.
        """
        return self(*columns)

    _lays_out = False  # True if ``_strided`` returns an array in the usual order of memory

    def _array(self, x):
        """The transformed column."""
        raise NotImplementedError


class PyTensorOperation:
    """Base of transforms that users write in Python: ``_execute_py(x)`` gives a call's result."""

    __repr__ = of_arguments

    def __call__(self, *columns) -> Any:
        return self._execute_py(*columns)

    def _execute_py(self, *columns):
        """The transformed columns."""
        raise NotImplementedError
