"""Decorators of a user's own primitives and of functions of Python values, as MindSpore has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from minispore.core.errors import shown, type_error

__all__ = ["constexpr", "prim_attr_register"]


def prim_attr_register(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a primitive's ``__init__``: its arguments become attributes, as ``add_prim_attr`` sets them.

    Examples:
        >>> from minispore import ops
        >>> class Scaled(ops.Primitive):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2):
        ...         pass
        >>> Scaled(3).factor
        3
    """
    if not isinstance(fn, FunctionType):
        raise type_error("prim_attr_register", "the 'fn' must be a function", shown(fn))
    names = fn.__code__.co_varnames[1 : fn.__code__.co_argcount]
    defaults = dict(zip(names[len(names) - len(fn.__defaults__ or ()) :], fn.__defaults__ or (), strict=False))

    @wraps(fn)
    def init(self, *args, **kwargs):
        for name, value in {**defaults, **dict(zip(names, args, strict=False)), **kwargs}.items():
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    return init


def constexpr(fn=None, get_instance: bool = True, name=None, reuse_result: bool = True, check: bool = True) -> Any:
    """Decorate a function of Python values: it is called as it stands, since nothing is compiled here.

    Examples:
        >>> from minispore import ops
        >>> @ops.constexpr
        ... def half(n):
        ...     return n // 2
        >>> half(9)
        4
    """
    return fn if fn is not None else lambda function: function
