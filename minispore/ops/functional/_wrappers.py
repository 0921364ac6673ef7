"""Tools of functional wrappers: one primitive for equal attributes, and functions of one and two Tensors.

``relu``, ``prelu`` and ``ger`` stay primitives: mixed precision lists these, and converts a cell that holds one.
"""

from __future__ import annotations

from functools import lru_cache

from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.fast_call import of_two

__all__ = ["binary", "check_tensors", "give_name", "make", "unary"]


def check_tensors(operation, **tensors):
    """Raise TypeError unless all arguments are Tensors: a wrapper checks this before it reads a shape."""
    for argument, x in tensors.items():
        if not isinstance(x, Tensor):
            raise type_error(operation, f"the '{argument}' must be a Tensor", type(x).__name__)


def unary(primitive, argument="input"):
    """The functional wrapper of an operation on one Tensor: a plain function, whose argument has a name."""

    def function(x: Tensor) -> Tensor:
        return primitive(x)

    return _named(function, primitive, argument)


def binary(primitive, first="input", second="other"):
    """The functional wrapper of an operation on two Tensors: a plain function, so that it can be a method of Tensor."""
    return _named(of_two(primitive), primitive, first, second)


def _named(function, primitive, *arguments):
    """The function with other names for its arguments, as ``test_arguments_are_taken_by_name`` calls them.

    The names are written into its code object, because a second function around it would slow down every call.
    """
    code = function.__code__
    function.__code__ = code.replace(co_varnames=arguments + code.co_varnames[len(arguments) :])
    function.__module__, function.__doc__ = __name__, type(primitive).__doc__
    return function


def give_name(function, module, name):
    """Give a function made by :func:`unary` or :func:`binary` its first name and its module."""
    if getattr(function, "__module__", None) == __name__:
        function.__module__, function.__name__, function.__qualname__ = module, name, name


def make(kind, *arguments):
    """The primitive ``kind(*arguments)``, cached by its arguments; made anew for unhashable ones."""
    try:
        return _made(kind, *arguments)
    except TypeError:
        if _hashable(arguments):
            raise
        return kind(*arguments)


def _hashable(arguments):
    try:
        hash(arguments)
    except TypeError:
        return False
    return True


# Typed, since an int is no float where kinds are checked
_made = lru_cache(maxsize=1024, typed=True)(lambda kind, *arguments: kind(*arguments))
