"""Initializers that draw from a distribution, for any shape."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import value_error
from minispore.nn.initial_values.base import Initializer, number

__all__ = ["Normal", "TruncatedNormal", "Uniform"]


def uniform(stream, shape, scale):
    """Values of ``U(-scale, scale)``."""
    return (2 * stream.uniform(shape) - 1) * scale


def normal(stream, shape, sigma, mean=0.0):
    """Values of ``N(mean, sigma**2)``."""
    return stream.normal(shape) * sigma + mean


class Normal(Initializer):
    """``N(mean, sigma**2)``."""

    def __init__(self, sigma=0.01, mean=0.0) -> None:
        self.sigma, self.mean = number("Normal", "sigma", sigma), number("Normal", "mean", mean)

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return normal(stream, shape, self.sigma, self.mean)


class TruncatedNormal(Initializer):
    """``N(mean, sigma**2)`` restricted to values between ``a`` and ``b``.

    As in MindSpore the bounds are values, not multiples of ``sigma``: the default ones are 200 deviations away.
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0) -> None:
        given = {"sigma": sigma, "mean": mean, "a": a, "b": b}
        sigma, mean, a, b = (number("TruncatedNormal", name, value) for name, value in given.items())
        if not sigma > 0:
            raise value_error("TruncatedNormal", "the 'sigma' must be above 0", sigma)
        if not a < b:
            raise value_error("TruncatedNormal", "the 'a' must be below the 'b'", f"{a} and {b}")
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def draw(self, stream, shape) -> Any:
        """Normal values within the bounds."""
        low, high = ((bound - self.mean) / self.sigma for bound in (self.a, self.b))
        return stream.truncated_normal(shape, low, high) * self.sigma + self.mean


class Uniform(Initializer):
    """``U(-scale, scale)``."""

    def __init__(self, scale=0.07) -> None:
        self.scale = number("Uniform", "scale", scale)

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return uniform(stream, shape, self.scale)
