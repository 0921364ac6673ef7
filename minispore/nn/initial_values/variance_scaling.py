"""Initializers whose variance is a scale over the fans: the general one, and those of Glorot and Bengio."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_choice
from minispore.core.errors import value_error
from minispore.nn.initial_values.base import Initializer, number
from minispore.nn.initial_values.distributions import normal, uniform
from minispore.nn.initial_values.fans import fans

__all__ = ["VarianceScaling", "XavierNormal", "XavierUniform"]


class VarianceScaling(Initializer):
    """Values of the variance ``scale / n``, with the fan ``n`` chosen by ``mode``.

    Args:
        scale (float): Above 0. Default: 1.0.
        mode (str): "fan_in", "fan_out" or "fan_avg", their mean. Default: "fan_in".
        distribution (str): "uniform", "truncated_normal" (cut at two deviations) or "untruncated_normal". Default:
            "truncated_normal".

    Raises:
        TypeError: If the ``scale`` is no number.
        ValueError: If an argument has another value.
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal") -> None:
        scale = number("VarianceScaling", "scale", scale)
        if not scale > 0:
            raise value_error("VarianceScaling", "the 'scale' must be above 0", scale)
        check_choice("VarianceScaling", "mode", mode, ("fan_in", "fan_out", "fan_avg"))
        legal = ("uniform", "truncated_normal", "untruncated_normal")
        check_choice("VarianceScaling", "distribution", distribution, legal)
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def draw(self, stream, shape) -> Any:
        """Values of the distribution."""
        fan_in, fan_out = fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(fan, 1))
        if self.distribution == "uniform":
            return uniform(stream, shape, math.sqrt(3) * deviation)
        if self.distribution == "untruncated_normal":
            return normal(stream, shape, deviation)
        return stream.truncated_normal(shape, -2.0, 2.0) * (deviation / _DEVIATION_WITHIN_TWO)


_DEVIATION_WITHIN_TWO = 0.8796256610342398  # of a standard normal variable that is cut at -2 and 2


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
