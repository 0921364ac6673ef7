"""The sizes by which an initializer scales: a weight's fans, and the gain of a nonlinearity."""

from __future__ import annotations

import math

from minispore.core.errors import value_error

__all__ = []


def fans(shape):
    """``(fan_in, fan_out)`` of a weight: its input and output channels, times the size of the kernel."""
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) < 1:
        raise value_error("initializer", "the 'shape' must have at least one axis", shape)
    positions = math.prod(shape[2:])
    return shape[1] * positions, shape[0] * positions


_GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0)}


def gain(nonlinearity, negative_slope):
    """The factor by which the weights before a nonlinearity are scaled."""
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + negative_slope**2))
    if nonlinearity not in _GAINS:
        raise value_error("initializer", f"the 'nonlinearity' must be one of {[*_GAINS, 'leaky_relu']}", nonlinearity)
    return _GAINS[nonlinearity]
