"""Checks of arguments that are bools, ints, texts or choices: what most layers, operations and settings take.

Each takes the operation's name, the argument's name and the value. It returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value. A bool is not an int here.
"""

import numbers
import warnings

from minispore.core.errors import shown, type_error, value_error

__all__ = []


def plain(value):
    """The number or bool of Python that an array, a Tensor or NumPy's own without axes holds; another value itself."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def is_int(value):
    """True if ``value`` is an int, NumPy's included, but not a bool."""
    return type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, bool))


def check_bool(operation, argument, value):
    """``value`` as a bool, which it must be."""
    if not isinstance(value, bool) and not isinstance(value := plain(value), bool):
        raise type_error(operation, f"the '{argument}' must be a bool", shown(value))
    return value


def check_64_bits(operation, argument, value):
    """``value``, in which each int, itself or an element of a tuple or list, fits into 64 bits."""
    for n in value if isinstance(value, (tuple, list)) else (value,):
        if is_int(n) and not -(2**63) <= n < 2**63:
            bound = "below 2 ** 63" if n > 0 else "at least -2 ** 63"
            raise value_error(operation, f"the '{argument}' must be {bound}", shown(value))
    return value


def check_int(operation, argument, value, low=None, high=None):
    """``value`` as an int in ``[low, high)``; a bound that is None is that of 64 bits."""
    if not is_int(value) and not is_int(value := plain(value)):
        raise type_error(operation, f"the '{argument}' must be an int", shown(value))
    value = int(value)
    if (low is not None and value < low) or (high is not None and value >= high):
        raise value_error(operation, f"the '{argument}' must be {_int_range(low, high)}", shown(value))
    return check_64_bits(operation, argument, value)


def _int_range(low, high):
    if high is None:
        return "above 0" if low == 1 else f"at least {low}"
    return f"below {high}" if low is None else f"in [{low}, {high})"


def check_positive_int(operation, argument, value):
    """``value`` as an int above 0: a length or a count."""
    return check_int(operation, argument, value, low=1)


def check_switch(operation, argument, value):
    """``value`` as a bool, where MindSpore takes anything by its truth; a warning tells of neither number nor None."""
    if getattr(value, "size", 1) != 1:  # several values have no truth
        raise type_error(operation, f"the '{argument}' must be a bool", shown(value))
    if not (value is None or isinstance(value, int) or isinstance(plain(value), numbers.Number)):
        warnings.warn(f"For '{operation}', the '{argument}' is no bool: {shown(value)} counts as one.", stacklevel=3)
    return bool(value)


def check_text(operation, argument, value):
    """``value``, which must be a str."""
    if not isinstance(value, str):
        raise type_error(operation, f"the '{argument}' must be a str", shown(value))
    return value


def check_choice(operation, argument, value, choices):
    """``value``, which must be one of ``choices``."""
    try:
        hash(value)  # an array of one element, which is not hashable, may equal a choice
        known = value in choices
    except (TypeError, ValueError):  # not hashable, or its comparison has no single truth value
        known = False
    if not known:
        raise value_error(operation, f"the '{argument}' must be one of {list(choices)}", shown(value))
    return value
