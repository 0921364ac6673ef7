"""Parameters of layers: their default initializers, and drawing them."""

import math

from minispore.core.errors import value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.initial_values.distributions import Uniform
from minispore.nn.initial_values.he import HeUniform
from minispore.nn.initializer import initializer


def default_weight(weight_init):
    """The initializer of a weight: the given one, or ``U(-b, b)`` with ``b = 1 / sqrt(fan_in)``."""
    return HeUniform(math.sqrt(5)) if weight_init is None else weight_init


def default_bias(bias_init, fan_in):
    """The initializer of a bias: the given one, or ``U(-b, b)`` with ``b = 1 / sqrt(fan_in)``."""
    return Uniform(1 / math.sqrt(fan_in)) if bias_init is None else bias_init


def new_parameter(operation, argument, init, shape, dtype):
    """A Parameter drawn by ``init``; a Tensor given as ``init`` must have the shape."""
    if isinstance(init, Tensor) and init.shape != tuple(shape):
        raise value_error(operation, f"the '{argument}' must have the shape {tuple(shape)}", init.shape)
    return Parameter(initializer(init, shape, dtype))
