"""Checks of arguments that are no plain values: functions and paths.

Each takes the operation's name, the argument's name and the value. It returns the value or raises the house sentence:
TypeError for a wrong kind, ValueError for a wrong value.
"""

import os

from minispore.core.errors import shown, type_error, value_error

__all__ = []


def check_callable(operation, argument, value):
    """``value``, which must be callable."""
    if not callable(value):
        raise type_error(operation, f"the '{argument}' must be a function", shown(value))
    return value


def check_optional_callable(operation, argument, value):
    """``value``, which must be None or callable."""
    return None if value is None else check_callable(operation, argument, value)


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
