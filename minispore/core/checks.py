"""Checks of arguments: one function for each kind of plain Python value that layers, operations and settings take.

Each takes the operation's name, the argument's name and the value. It returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value. A bool is not a number here, and nan is in no range.
"""

import math
import numbers
import operator
import os

from minispore.core.errors import shown, type_error, value_error

__all__ = []


def is_int(value):
    """True if ``value`` is an int, NumPy's included, but not a bool."""
    return type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, bool))


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
    if is_float_sized(value):
        return value
    if not is_real(value):
        raise type_error(operation, f"the '{argument}' must be {kind}", shown(value))
    raise value_error(operation, f"the '{argument}' must be a number that a float can hold", shown(value))


def check_no_complex(operation, argument, value):
    """Raise TypeError if ``value`` is complex, a number, an array or a Tensor: its imaginary part would be lost."""
    array_type = getattr(getattr(value, "array", value), "dtype", None)
    if isinstance(value, complex) or getattr(array_type, "kind", "") == "c":
        raise type_error(operation, f"the '{argument}' must be a real number", shown(value))


def check_bool(operation, argument, value):
    """``value``, which must be a bool."""
    if not isinstance(value, bool):
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
    if not is_int(value):
        raise type_error(operation, f"the '{argument}' must be an int", shown(value))
    value = operator.index(value)
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


_MOST_LAYERS = 2**16  # more would be made for hours before memory is full


def check_layers(operation, argument, value):
    """``value`` as an int: how many layers a stack has."""
    return check_int(operation, argument, value, high=_MOST_LAYERS)


def check_workers(operation, argument, value):
    """``value``, how many workers MindSpore would start: None or an int above 0."""
    return None if value is None else check_positive_int(operation, argument, value)


def is_axes(value):
    """True if ``value`` is an int, or a tuple or list of ints."""
    return is_int(value) or (isinstance(value, (tuple, list)) and all(map(is_int, value)))


def check_axes(operation, argument, value):
    """``value``, an axis or several: an int, or a tuple or list of ints."""
    if not is_axes(value):
        raise type_error(operation, f"the '{argument}' must be an int, or a tuple or list of ints", shown(value))
    return check_64_bits(operation, argument, value)


def check_lengths(operation, argument, value):
    """``value``, one length or several: an int, or a tuple or list of ints and Nones."""
    if not is_axes([n for n in value if n is not None] if isinstance(value, (tuple, list)) else value):
        raise type_error(operation, f"the '{argument}' must be an int, or ints or None", shown(value))
    return check_64_bits(operation, argument, value)


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


def check_switch(operation, argument, value):
    """``value``, a bool, or an int where MindSpore accepts one as a bool."""
    if not isinstance(value, int):
        raise type_error(operation, f"the '{argument}' must be a bool", shown(value))
    return value if isinstance(value, bool) else check_64_bits(operation, argument, value)


def check_callable(operation, argument, value):
    """``value``, which must be callable."""
    if not callable(value):
        raise type_error(operation, f"the '{argument}' must be a function", shown(value))
    return value


def check_optional_callable(operation, argument, value):
    """``value``, which must be None or callable."""
    return None if value is None else check_callable(operation, argument, value)


def check_text(operation, argument, value):
    """``value``, which must be a str."""
    if not isinstance(value, str):
        raise type_error(operation, f"the '{argument}' must be a str", shown(value))
    return value


def check_path(operation, argument, value):
    """``value``, a str or a path that can be the name of a file: without lone surrogates and zero bytes."""
    if not isinstance(value, (str, os.PathLike)):
        raise type_error(operation, f"the '{argument}' must be a str or a path", type(value).__name__)
    try:
        fits = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise value_error(operation, f"the '{argument}' must be a name that the file system can hold", shown(value))
    return value


def check_names(operation, argument, value):
    """``value`` as a list of names: a str is one name, a list or tuple of str several."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise type_error(operation, f"the '{argument}' must be a str or a list of str", shown(value))
    return list(names)


def check_dropout(operation, value, kinds=(int, float)):
    """``value``, a probability to drop, in [0, 1); ``kinds`` is ``(float,)`` where MindSpore refuses the int 0."""
    return check_real(operation, "dropout", value, 0, 1, below=True, kinds=kinds)


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
