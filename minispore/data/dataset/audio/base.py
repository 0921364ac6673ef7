"""The base of transforms of sound: their inputs, the checks of their arguments, and the dtype of their results."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.transforms.arrays import cast
from minispore.data.dataset.transforms.base import TensorOperation, name_of, one_of
from minispore.ops.number_checks import check_real

__all__ = ["AudioTensorOperation"]

LARGEST_INT, LARGEST_FLOAT = 2147483647, 3.4028235e38  # of int32 and float32


class AudioTensorOperation(TensorOperation):
    """Base of transforms of one column of sound, an array of shape (..., time) or (..., frequency, time).

    A subclass defines ``_sound(x)`` of float64 numbers. The result is float64 for a float64 column, float32 for others.
    The class says the least ``rank`` of a column, its ``kinds``, and if its last axis is ``complex_pairs``.

    Examples:
        >>> from minispore.dataset import audio
        >>> print(isinstance(audio.Gain(), audio.AudioTensorOperation))
        True
    """

    rank, kinds, complex_pairs = 1, "biuf", False

    def __call__(self, *columns) -> Any:
        x = one_of(name_of(self), columns)
        if not isinstance(x, np.ndarray):
            raise type_error(name_of(self), "the input must be a NumPy array", shown(x))
        return self._array(x)

    def _array(self, x):
        self._check(x)
        found, kind = self._sound(x.astype(np.float64)), self._kind(x)
        return tuple(cast(part, kind) for part in found) if isinstance(found, tuple) else cast(found, kind)

    def _kind(self, x):
        """The dtype of the result."""
        return np.float64 if x.dtype == np.float64 else np.float32

    def _check(self, x):
        """Raise unless ``x`` is a column that this transform takes."""
        name = name_of(self)
        if x.dtype.kind not in self.kinds:
            kinds = "floating numbers" if self.kinds == "f" else "numbers"
            raise runtime_error(name, f"the input must be {kinds}", x.dtype.name)
        if x.ndim < self.rank or (self.complex_pairs and x.shape[-1] != 2):
            raise runtime_error(name, f"the input must have a shape {self._axes()}", f"{x.shape}")
        if not x.size:
            raise runtime_error(name, "the input must not be empty", f"shape {x.shape}")

    def _axes(self):
        if self.complex_pairs:
            return "(..., complex = 2)"
        return "(..., time)" if self.rank == 1 else "(..., frequency, time)"

    def _sound(self, x):
        """The transformed column."""
        raise NotImplementedError


def check_kind_of(operation, argument, value, kind):
    """``value`` if it is a choice of the enumeration ``kind``."""
    if not isinstance(value, kind):
        raise type_error(operation, f"the '{argument}' must be an audio.{kind.__name__}", shown(value))
    return value


def check_float(operation, argument, value, low=None, high=None, above=False):
    """``value`` as a float that float32 can hold, of at least ``low``, or above it."""
    low, high = -LARGEST_FLOAT if low is None else low, LARGEST_FLOAT if high is None else high
    return float(check_real(operation, argument, value, low, high, above))


def check_size(operation, argument, value, low=1):
    """``value`` if it is an int of int32, at least ``low``."""
    return check_int(operation, argument, value, low, LARGEST_INT)


def check_rate(operation, argument, value, low=None):
    """``value`` if it is an int other than 0, the number of samples in a second."""
    check_int(operation, argument, value, -LARGEST_INT if low is None else low, LARGEST_INT)
    if value == 0:
        raise value_error(operation, f"the '{argument}' must not be 0", "0")
    return value
