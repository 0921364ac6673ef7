"""The base of initializers, and what each reads of its arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.errors import memory_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.initial_values.weights import number_of
from minispore.ops.kernels.random_streams import next_stream
from minispore.ops.number_checks import check_number

__all__ = ["Initializer"]


class Initializer:
    """Base of initializers: override ``draw(stream, shape)``, or MindSpore's ``_initialize(arr)``, which fills arr."""

    def draw(self, stream, shape) -> Any:
        """The values of a new array, drawn from a stream of ``ops.kernels.random_streams``."""
        array = np.zeros(shape, np.float32)
        self._initialize(array)
        return array

    def _initialize(self, arr):
        raise NotImplementedError(f"For '{type(self).__name__}', 'draw' or '_initialize' must be defined.")

    def fill(self, shape, data_type) -> Any:
        """A new Tensor of ``shape`` and ``data_type``."""
        shape = as_shape(shape, 0, "non-negative")
        if math.prod(shape) >= 2**60:  # NumPy could not count its bytes
            raise value_error("initializer", "the 'shape' must be of fewer than 2 ** 60 elements", shown(shape))
        try:
            drawn = self.draw(next_stream(), shape)
        except MemoryError as error:
            raise memory_error("initializer", error) from error
        return Tensor(np.asarray(drawn), data_type)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({arguments})"


def number(operation, argument, value):
    """``value``, a number that a float can hold, a bool, or a Tensor of one of them."""
    if isinstance(value, Tensor):
        return number_of(operation, argument, value)
    return value if isinstance(value, bool) else check_number(operation, argument, value)


def as_shape(shape, lowest, kind):
    """``shape`` as a tuple, of ints that are at least ``lowest``: an int is one length."""
    if not isinstance(shape, (int, tuple, list)):
        raise type_error("initializer", "the 'shape' must be an int, or a tuple or list of ints", shown(shape))
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    for n in shape:
        if not isinstance(n, int) or n < lowest:
            raise value_error("initializer", f"the 'shape' must be {kind} ints", shown(shape))
    return shape
