"""Initializers that fill with one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.nn.initial_values.base import Initializer, number

__all__ = ["Constant", "One", "Zero"]


class Zero(Initializer):
    """All zeros."""

    def draw(self, stream, shape) -> Any:
        """Zeros."""
        return np.zeros(shape)


class One(Initializer):
    """All ones."""

    def draw(self, stream, shape) -> Any:
        """Ones."""
        return np.ones(shape)


class Constant(Initializer):
    """All ``value``."""

    def __init__(self, value) -> None:
        self.value = number("Constant", "value", value)

    def draw(self, stream, shape) -> Any:
        """The constant."""
        return np.full(shape, self.value)
