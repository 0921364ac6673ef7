"""The initializers of He et al.: the deviation follows one of the fans and the nonlinearity."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import shown, value_error
from minispore.nn.initial_values.base import Initializer, number
from minispore.nn.initial_values.distributions import normal, uniform
from minispore.nn.initial_values.fans import fans, gain

__all__ = ["HeNormal", "HeUniform"]


class _He(Initializer):
    """Base of HeUniform and HeNormal: the standard deviation ``gain / sqrt(fan)`` (He et al., 2015)."""

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu") -> None:
        name = type(self).__name__
        self.negative_slope = number(name, "negative_slope", negative_slope)
        if not isinstance(mode, str) or mode not in ("fan_in", "fan_out"):
            raise value_error(name, "the 'mode' must be 'fan_in' or 'fan_out'", shown(mode))
        self.mode = mode
        self.nonlinearity = check_text(name, "nonlinearity", nonlinearity)

    def deviation(self, shape) -> Any:
        """The standard deviation for a weight of ``shape``."""
        fan = fans(shape)[0 if self.mode == "fan_in" else 1]
        return gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


class HeUniform(_He):
    """``U(-b, b)``, ``b = sqrt(3) * gain / sqrt(fan)``; with ``negative_slope=sqrt(5)``, ``b = 1 / sqrt(fan_in)``."""

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return uniform(stream, shape, math.sqrt(3) * self.deviation(shape))


class HeNormal(_He):
    """``N(0, s**2)`` with ``s = gain / sqrt(fan)``."""

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return normal(stream, shape, self.deviation(shape))
