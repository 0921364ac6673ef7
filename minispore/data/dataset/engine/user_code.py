"""Calls of the user's functions: an error in one becomes a sentence that names the function and the row."""

from minispore.core.errors import runtime_error, shown

__all__ = ["called", "name_of"]


def name_of(function):
    """The name of a function or a callable object in an error message."""
    return getattr(function, "__name__", type(function).__name__)


def failed(operation, argument, function, number, error):
    """The RuntimeError for an error that a function raised on row ``number``."""
    expected = f"the '{argument}' must work on every row"
    what = f"{type(error).__name__}: {shown(error, str, 300)}"
    return runtime_error(operation, expected, f"{what} from '{name_of(function)}' on row {number}")


def called(operation, argument, function, values, number):
    """``function(*values)``; an error in it is a RuntimeError that names the function and the row."""
    try:
        return function(*values)
    except Exception as error:
        raise failed(operation, argument, function, number, error) from error
