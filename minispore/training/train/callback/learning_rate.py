"""The learning rate that callbacks read and write: the optimizer's own Parameter."""

import numpy as np

from minispore.core.errors import value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor

__all__ = []


def rate_of(operation, optimizer):
    """The Parameter of an optimizer's constant learning rate.

    Raises:
        ValueError: If there is no optimizer, or its learning rate is a schedule, a list or one for each group.
    """
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Parameter):
        expected = "the optimizer of the Model must have one constant learning rate"
        raise value_error(operation, expected, "no optimizer" if optimizer is None else "a schedule")
    return rate


def read(rate):
    """The rate as a float of at most eight digits behind the point, as MindSpore's callbacks see it."""
    return float(np.array2string(rate.asnumpy()))


def write(rate, value):
    """Set the rate for the next step."""
    rate.set_data(Tensor(value, rate.dtype))
