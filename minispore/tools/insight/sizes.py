"""Sizes of Parameters: the ones that are large, or have grown in a training, as after too high a learning rate."""

import math
from typing import NamedTuple

import numpy as np

from minispore.tools.insight.in_float64 import on_host
from minispore.tools.insight.numerics import power_and_value

__all__ = []

_GROWN = 16.0  # so many times the initial size
_LARGE, _LARGE_VECTOR = 4.0, 64.0  # root mean square of a large matrix, above any usual initializer's


class Size(NamedTuple):
    """A Parameter that has grown, or is large: its name, its size at first, or None, and its size now."""

    name: str
    before: float
    now: float

    def __str__(self):
        now = power_and_value(_power(self.now))
        return f"{self.name} ({now})" if self.before is None else f"{self.name} ({self._first()} to {now})"

    @property
    def growth(self):
        """The power of two by which it has grown; a small initial size counts as 2**-4: a bias may begin at 0."""
        return _power(self.now / max(self.before, 1.0 / _GROWN))

    def _first(self):
        return power_and_value(_power(self.before)) if self.before else "0"


def size_of(array):
    """The root mean square of an array; not finite if one of its numbers is not."""
    x = on_host(array)
    with np.errstate(over="ignore"):
        return float(np.sqrt(np.square(x).mean())) if x.size else 0.0


def sizes_of(parameters):
    """The sizes of Parameters, by name."""
    return {p.name: size_of(p.array) for p in parameters}


def notable(weights, first=None):
    """Pairs ``(Parameter, Size)`` of Parameters that have grown since the sizes ``first``; without any, of large ones.

    ``weights`` are pairs of a Parameter and its array.
    """
    sized = [(p, size_of(array)) for p, array in weights]
    sized = [(p, now) for p, now in sized if math.isfinite(now)]
    grown = [(p, Size(p.name, first[p.name], now)) for p, now in sized if _has_grown(now, (first or {}).get(p.name))]
    if grown:
        return grown
    return [(p, Size(p.name, None, now)) for p, now in sized if _is_large(p, now)]


def diverged(sized):
    """True if Parameters have grown, and one of them beyond any usual size, as at too high a learning rate."""
    return any(size.before is not None and _is_large(p, size.now) for p, size in sized)


def _is_large(parameter, size):
    return size >= (_LARGE if parameter.ndim > 1 else _LARGE_VECTOR)


def _has_grown(now, before):
    return before is not None and now >= _GROWN * max(before, 1.0 / _GROWN)


def divisor_of(parameter, size):
    """The power of two to divide a Parameter by: then it has its initial size, or the usual one for its width."""
    usual = size.before or 1.0 / math.sqrt(parameter.size // parameter.shape[0] if parameter.ndim else 1)
    return _power(size.now / usual)


def _power(x):
    return 2.0 ** round(math.log2(x)) if x > 0 else 1.0
