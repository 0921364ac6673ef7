"""The way in which a class gets what a lower floor or room adds to it."""

from types import FunctionType

__all__ = []

_OF_THE_CLASS = {"__dict__", "__doc__", "__module__", "__qualname__", "__weakref__"}


def add_to(kind, addition):
    """Set the attributes of the class ``addition`` on ``kind``, under the name of ``kind``."""
    for name, value in vars(addition).items():
        if name not in _OF_THE_CLASS:
            for function in _functions(value):
                function.__qualname__ = f"{kind.__qualname__}.{name}"
            setattr(kind, name, value)


def _functions(value):
    """The functions of an attribute: itself, or those of a property."""
    parts = (value.fget, value.fset) if isinstance(value, property) else (value,)
    return [part for part in parts if isinstance(part, FunctionType)]
