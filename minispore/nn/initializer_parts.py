"""MindSpore's inner functions of initializers, which networks call to compute bounds and to fill arrays by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_text
from minispore.core.dtype import float32
from minispore.core.errors import shown, value_error
from minispore.nn.initial_values.distributions import Normal, TruncatedNormal, Uniform
from minispore.nn.initial_values.fans import fans, gain
from minispore.nn.initial_values.names import _INITIALIZER_ALIAS

__all__ = []


def _calculate_fan_in_and_fan_out(shape) -> Any:
    """``(fan_in, fan_out)`` of a weight of at least two axes."""
    if len(shape) < 2:
        raise value_error("initializer", "the 'shape' must have at least two axes", shown(tuple(shape)))
    return fans(shape)


def _calculate_in_and_out(arr) -> Any:
    """:func:`_calculate_fan_in_and_fan_out` of an array."""
    return _calculate_fan_in_and_fan_out(arr.shape)


def _calculate_correct_fan(shape, mode) -> Any:
    """The fan of a shape that ``mode`` names: "fan_in" or "fan_out"."""
    modes = ("fan_in", "fan_out")
    if not isinstance(mode, str) or mode.lower() not in modes:
        raise value_error("initializer", f"the 'mode' must be one of {list(modes)}", shown(mode))
    return _calculate_fan_in_and_fan_out(shape)[modes.index(mode.lower())]


def _calculate_gain(nonlinearity, param=None) -> Any:
    """The factor by which a nonlinearity's weights are scaled; ``param`` is the slope of "leaky_relu", 0.01 if None."""
    return gain(nonlinearity, 0.01 if param is None else param)


def _assignment(arr, num) -> Any:
    """``arr`` filled with ``num``, a number or an array; an array of no axes is replaced."""
    if arr.shape == ():
        return np.array(num, arr.dtype).reshape(())
    arr[:] = num
    return arr


def _init_random_normal(mean, sigma, shape) -> Any:
    """Normally distributed float32 numbers, an array."""
    return Normal(sigma, mean).fill(shape, float32).asnumpy()


def _init_random_uniform(a, b, shape) -> Any:
    """Float32 numbers between ``a`` and ``b``, an array."""
    middle = (a + b) / 2
    return Uniform((b - a) / 2).fill(shape, float32).asnumpy() + np.float32(middle)


def _init_truncated_normal(a, b, mean, sigma, shape) -> Any:
    """Normally distributed float32 numbers between ``a`` and ``b``, an array."""
    return TruncatedNormal(sigma, mean, a, b).fill(shape, float32).asnumpy()


def _register(*aliases) -> Any:
    """Decorate an Initializer: its name in lower case and the aliases name it, as in ``initializer("zeros", ...)``."""
    names = [check_text("_register", "aliases", alias).lower() for alias in aliases]

    def decorate(kind):
        _INITIALIZER_ALIAS.update(dict.fromkeys([kind.__name__.lower(), *names], kind))
        return kind

    return decorate
