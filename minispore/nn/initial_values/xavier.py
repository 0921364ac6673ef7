"""The initializers of Glorot and Bengio: the deviation follows both fans."""

from __future__ import annotations

import math
from typing import Any

from minispore.nn.initial_values.base import Initializer, number
from minispore.nn.initial_values.distributions import normal, uniform
from minispore.nn.initial_values.fans import fans

__all__ = ["XavierNormal", "XavierUniform"]


class XavierUniform(Initializer):
    """``U(-b, b)`` with ``b = gain * sqrt(6 / (fan_in + fan_out))`` (Glorot and Bengio, 2010)."""

    def __init__(self, gain=1) -> None:
        self.gain = number(type(self).__name__, "gain", gain)

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return uniform(stream, shape, self.gain * math.sqrt(6 / sum(fans(shape))))


class XavierNormal(Initializer):
    """``N(0, s**2)`` with ``s = gain * sqrt(2 / (fan_in + fan_out))`` (Glorot and Bengio, 2010)."""

    def __init__(self, gain=1) -> None:
        self.gain = number(type(self).__name__, "gain", gain)

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return normal(stream, shape, self.gain * math.sqrt(2 / sum(fans(shape))))
