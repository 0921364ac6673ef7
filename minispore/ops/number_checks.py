"""Checks of arguments that are numbers: kinds, bounds, and what a float can hold.

Each takes the operation's name, the argument's name and the value. It returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value. A bool is not a number here, and nan is in no range.
"""

import math
import numbers

from minispore.core.checks import plain
from minispore.core.errors import shown, type_error, value_error

__all__ = []


def is_real(value):
    """True if ``value`` is an int or a float, NumPy's included, but not a bool."""
    return type(value) is float or (isinstance(value, numbers.Real) and not isinstance(value, bool))


def is_float_sized(value):
    """True if ``value`` is a number that fits into a float: nan and inf do, a bool and an int of 400 digits do not."""
    if not is_real(value):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def check_number(operation, argument, value, kind="a number"):
    """``value``, a number that fits into a float, nan and inf included; the error text calls it ``kind``."""
    if is_float_sized(value) or is_float_sized(value := plain(value)):
        return value
    if not is_real(value):
        raise type_error(operation, f"the '{argument}' must be {kind}", shown(value))
    raise value_error(operation, f"the '{argument}' must be a number that a float can hold", shown(value))


def check_no_complex(operation, argument, value):
    """Raise TypeError if ``value`` is complex, a number, an array or a Tensor: its imaginary part would be lost."""
    array_type = getattr(getattr(value, "array", value), "dtype", None)
    if isinstance(value, complex) or getattr(array_type, "kind", "") == "c":
        raise type_error(operation, f"the '{argument}' must be a real number", shown(value))


def check_real(operation, argument, value, low=None, high=None, above=False, below=False, kinds=(int, float)):
    """``value``, a finite number from ``low`` to ``high``.

    Args:
        operation (str): The operation that takes it.
        argument (str): The argument's name.
        value (object): The value.
        low (float): The lower bound, inclusive unless ``above``. Default: None, no bound.
        high (float): The upper bound, inclusive unless ``below``. Default: None, no bound.
        above (bool): Whether ``low`` is exclusive.
        below (bool): Whether ``high`` is exclusive.
        kinds (tuple[type]): ``(float,)`` where MindSpore refuses ints.
    """
    value = value if type(value) in (int, float) else plain(value)
    fits = isinstance(value, kinds) or (is_real(value) and int in kinds)
    if isinstance(value, bool) or not fits:
        raise type_error(operation, f"the '{argument}' must be a {'number' if int in kinds else 'float'}", shown(value))
    number = float(value) if is_finite(value) else math.nan  # NumPy would round the bounds to the value's type
    too_low = low is not None and not (number > low if above else number >= low)
    too_high = high is not None and not (number < high if below else number <= high)
    if too_low or too_high or math.isnan(number):
        raise value_error(operation, f"the '{argument}' must be {_real_range(low, high, above, below)}", shown(value))
    return value


def check_python_float(operation, argument, value, low=None, high=None, above=False):
    """``value``, a finite float from ``low`` (or above it) to ``high``: for arguments where MindSpore refuses ints."""
    return check_real(operation, argument, value, low, high, above=above, kinds=(float,))


def is_finite(value):
    """True if a number is neither nan nor infinite; an int too large for a float is not finite."""
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
