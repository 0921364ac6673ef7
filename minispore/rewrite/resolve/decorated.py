"""Decorated functions: the function inside the decorators, whose source is read."""

import inspect
from types import FunctionType, MethodType

__all__ = ["inner_function"]


def inner_function(value):
    """The function inside decorators, the last in the chain of ``__wrapped__``; ``value`` itself if there is none.

    ``functools.wraps`` takes anything: where it wraps a cell or a partial, the function around that is the last one.
    """
    found, seen = value, set()
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        found = value if isinstance(value, FunctionType) else found
        value = _wrapped_by(value)
    return found


def _wrapped_by(value):
    """``value.__wrapped__`` without running anything of the user's; None if it has none."""
    value = value.__func__ if isinstance(value, MethodType) else value
    if isinstance(value, FunctionType):
        return value.__dict__.get("__wrapped__")
    return inspect.getattr_static(value, "__wrapped__", None)
