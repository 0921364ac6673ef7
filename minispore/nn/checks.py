"""Checks of the numbers that losses and learning rates are made with."""

from minispore.errors import type_error, value_error
from minispore.nn.basic import check_bool
from minispore.ops.common import check_positive_int

__all__ = []


def check_real(operation, argument, value, low, high=None, above=False):
    """A float from ``low`` (or above it) to ``high``; ints are refused, as in MindSpore."""
    if not isinstance(value, float):
        raise type_error(operation, f"the '{argument}' must be a float", f"{value!r}")
    if not (value > low if above else value >= low) or (high is not None and value > high):
        bounds = f"{'above' if above else 'at least'} {low}" if high is None else f"in [{low}, {high}]"
        raise value_error(operation, f"the '{argument}' must be {bounds}", value)
    return value


def check_decay(operation, learning_rate, decay_rate, is_stair, **counts):
    """The arguments that the exponential, natural exponential and inverse decays share; counts are ints above 0."""
    check_real(operation, "learning_rate", learning_rate, 0, above=True)
    check_real(operation, "decay_rate", decay_rate, 0, above=True)
    check_bool(operation, "is_stair", is_stair)
    check_counts(operation, **counts)


def check_cosine(operation, min_lr, max_lr, **counts):
    """The arguments of a cosine decay."""
    check_real(operation, "min_lr", min_lr, 0)
    check_real(operation, "max_lr", max_lr, 0, above=True)
    if max_lr <= min_lr:
        raise value_error(operation, f"the 'max_lr' must be above the 'min_lr', {min_lr}", max_lr)
    check_counts(operation, **counts)


def check_polynomial(operation, learning_rate, end_learning_rate, power, **counts):
    """The arguments of a polynomial decay."""
    check_real(operation, "learning_rate", learning_rate, 0, above=True)
    check_real(operation, "end_learning_rate", end_learning_rate, 0)
    check_real(operation, "power", power, 0, above=True)
    check_counts(operation, **counts)


def check_counts(operation, **counts):
    """Refuse what is no int above 0."""
    for name, value in counts.items():
        check_positive_int(operation, name, value)
