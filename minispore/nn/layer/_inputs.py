"""Checks of layers' inputs, which raise in the layer's name."""

from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor


def check_input(layer, x, kind=None):
    """Raise TypeError in the layer's name unless ``x`` is a floating Tensor, of dtype ``kind`` where one is given."""
    if not isinstance(x, Tensor):
        raise type_error(layer, "the 'x' must be a Tensor", type(x).__name__)
    if kind is not None and x.dtype != kind:
        raise type_error(layer, f"the 'x' must have the weight's dtype, {kind}", x.dtype)
    if x.array.dtype not in FLOATS:
        raise type_error(layer, "the 'x' must be floating", x.dtype)


def check_length(layer, x, axis, argument, length):
    """Raise ValueError in the layer's name unless ``x`` has ``length``, the layer's ``argument``, along ``axis``."""
    if x.shape[axis:][:1] != (length,):
        place = "the last axis" if axis == -1 else f"axis {axis}"
        expected = f"{place} of 'x' must have the length of '{argument}', {length}"
        raise value_error(layer, expected, f"shape {x.shape}")
