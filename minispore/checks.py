"""Checks of arguments: one function for each kind of plain Python value that layers, operations and settings take.

Each takes the operation's name, the argument's name and the value, and returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value. A bool is not a number here, and nan is in no range.
"""

import math
import numbers
import operator

from minispore.errors import type_error, value_error

__all__ = []


def shown(value):
    """How an error shows a value: its ``repr``, shortened, which cannot fail and takes no long time."""
    try:
        text = repr(value)
    except Exception:  # a broken or an endlessly nested object must not hide the error that names it
        return f"an object of type '{type(value).__name__}'"
    return text if len(text) <= 80 else f"{text[:77]}..."


def is_int(value):
    """Whether ``value`` is an int, NumPy's included, but no bool."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_real(value):
    """Whether ``value`` is an int or a float, NumPy's included, but no bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_bool(operation, argument, value):
    """``value``, which must be a bool."""
    if not isinstance(value, bool):
        raise type_error(operation, f"the '{argument}' must be a bool", shown(value))
    return value


def check_int(operation, argument, value, low=None, high=None):
    """``value`` as an int in ``[low, high)``; a bound that is None does not bind."""
    if not is_int(value):
        raise type_error(operation, f"the '{argument}' must be an int", shown(value))
    value = operator.index(value)
    if (low is not None and value < low) or (high is not None and value >= high):
        raise value_error(operation, f"the '{argument}' must be {_int_range(low, high)}", shown(value))
    return value


def _int_range(low, high):
    if high is None:
        return "above 0" if low == 1 else f"at least {low}"
    return f"below {high}" if low is None else f"in [{low}, {high})"


def check_positive_int(operation, argument, value):
    """``value`` as an int above 0."""
    return check_int(operation, argument, value, low=1)


def check_real(operation, argument, value, low=None, high=None, above=False, below=False, kinds=(int, float)):
    """``value``, a finite number from ``low`` to ``high``.

    Args:
        operation (str): Whose argument it is.
        argument (str): The argument's name.
        value (object): What came.
        low (float): The lower bound, allowed itself unless ``above``. Default: None, no bound.
        high (float): The upper bound, allowed itself unless ``below``. Default: None, no bound.
        above (bool): Whether ``low`` itself is refused.
        below (bool): Whether ``high`` itself is refused.
        kinds (tuple[type]): ``(float,)`` where MindSpore refuses ints.
    """
    fits = isinstance(value, kinds) or (is_real(value) and int in kinds)
    if isinstance(value, bool) or not fits:
        raise type_error(operation, f"the '{argument}' must be a {'number' if int in kinds else 'float'}", shown(value))
    number = float(value) if is_finite(value) else math.nan  # NumPy would round the bounds to the value's type
    too_low = low is not None and not (number > low if above else number >= low)
    too_high = high is not None and not (number < high if below else number <= high)
    if too_low or too_high or math.isnan(number):
        raise value_error(operation, f"the '{argument}' must be {_real_range(low, high, above, below)}", shown(value))
    return value


def is_finite(value):
    """Whether a number is neither nan nor infinite; an int that no float can hold is not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _real_range(low, high, above, below):
    if low is None and high is None:
        return "finite"
    if high is None:
        return f"finite and {'above' if above else 'at least'} {low}"
    if low is None:
        return f"finite and {'below' if below else 'at most'} {high}"
    return f"in {'(' if above else '['}{low}, {high}{')' if below else ']'}"


def check_choice(operation, argument, value, choices):
    """``value``, which must be one of ``choices``."""
    try:
        known = value in choices
    except TypeError:  # it cannot be compared or hashed
        known = False
    if not known:
        raise value_error(operation, f"the '{argument}' must be one of {list(choices)}", shown(value))
    return value
