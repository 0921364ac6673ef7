"""Checks of arguments that hold several values, or one of them: axes, lengths, names.

Each takes the operation's name, the argument's name and the value. It returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value.
"""

from minispore.core.checks import check_64_bits, is_int, plain
from minispore.core.errors import shown, type_error

__all__ = []


def is_axes(value):
    """True if ``value`` is an int, or a tuple or list of ints."""
    return is_int(value) or (isinstance(value, (tuple, list)) and all(map(is_int, value)))


def check_axes(operation, argument, value):
    """``value``, an axis or several: an int, or a tuple or list of ints."""
    if not is_axes(value) and not is_axes(value := plain(value)):
        raise type_error(operation, f"the '{argument}' must be an int, or a tuple or list of ints", shown(value))
    return check_64_bits(operation, argument, value)


def check_names(operation, argument, value):
    """``value`` as a list of names: a str is one name, a list or tuple of str several."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise type_error(operation, f"the '{argument}' must be a str or a list of str", shown(value))
    return list(names)


def listed_axes(axis):
    """The axes of a list, or of a Tensor with one axis, as a tuple; another value as it is."""
    axis = axis.tolist() if getattr(axis, "ndim", 0) == 1 else axis
    return tuple(axis) if isinstance(axis, list) else axis
