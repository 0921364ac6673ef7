"""Checks of the arguments of learning rate schedules."""

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import value_error
from minispore.ops.number_checks import check_python_float

__all__ = []


def check_decay(operation, learning_rate, decay_rate, is_stair, **counts):
    """Check the arguments of the exponential, natural exponential and inverse decays; counts are ints above 0."""
    check_python_float(operation, "learning_rate", learning_rate, 0, above=True)
    check_python_float(operation, "decay_rate", decay_rate, 0, above=True)
    check_bool(operation, "is_stair", is_stair)
    check_counts(operation, **counts)


def check_cosine(operation, min_lr, max_lr, **counts):
    """Check the arguments of a cosine decay."""
    check_python_float(operation, "min_lr", min_lr, 0)
    check_python_float(operation, "max_lr", max_lr, 0, above=True)
    if max_lr <= min_lr:
        raise value_error(operation, f"the 'max_lr' must be above the 'min_lr', {min_lr}", max_lr)
    check_counts(operation, **counts)


def check_polynomial(operation, learning_rate, end_learning_rate, power, **counts):
    """Check the arguments of a polynomial decay."""
    check_python_float(operation, "learning_rate", learning_rate, 0, above=True)
    check_python_float(operation, "end_learning_rate", end_learning_rate, 0)
    check_python_float(operation, "power", power, 0, above=True)
    check_counts(operation, **counts)


def check_counts(operation, **counts):
    """Raise an error unless each is an int above 0."""
    for name, value in counts.items():
        check_positive_int(operation, name, value)
