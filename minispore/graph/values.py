"""``mutable`` and ``jit_class``: marks on values and classes for MindSpore's compiler, without an effect here."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error
from minispore.core.nest import is_nest, parts_of
from minispore.core.tensor import Tensor

__all__ = ["jit_class", "ms_class", "mutable"]


def mutable(input_data: object, dynamic_len: bool = False) -> Any:
    """``input_data`` itself. Graph mode here records a new kind of input for each other value, and compiles nothing.

    Args:
        input_data (object): An int, float, bool, Tensor, or a tuple, list or dict of them, nested or not.
        dynamic_len (bool): If True, the length of a list or tuple may change. Default: False.

    Raises:
        TypeError: If the data are something else, or ``dynamic_len`` is True for anything but a list or tuple.

    Examples:
        >>> import minispore as ms
        >>> ms.mutable((1, [2.0, 3]))
        (1, [2.0, 3])
    """
    check_bool("mutable", "dynamic_len", dynamic_len)
    _check_data(input_data)
    if dynamic_len and not isinstance(input_data, (list, tuple)):
        raise type_error("mutable", "with 'dynamic_len' the 'input_data' must be a list or tuple", shown(input_data))
    return input_data


def _check_data(value):
    rest = [value]  # a list, not a recursion: a nest may have any depth
    while rest:
        value = rest.pop()
        if is_nest(value):
            rest.extend(parts_of(value))
        elif not isinstance(value, (bool, int, float, Tensor)):
            expected = "the 'input_data' must be int, float, bool, Tensor, or a tuple, list or dict of them"
            raise type_error("mutable", expected, shown(value))


def jit_class(cls) -> Any:
    """The class itself. Graph mode may create and call its objects: here Python runs them.

    Raises:
        TypeError: If ``cls`` is not a class, or a class of cells: these need no mark.

    Examples:
        >>> import minispore as ms
        >>> @ms.jit_class
        ... class Scale:
        ...     def __call__(self, x):
        ...         return 2 * x
        >>> Scale()(3)
        6
    """
    if not isinstance(cls, type):
        raise type_error("jit_class", "the decorated object must be a class", shown(cls))
    if hasattr(cls, "cells_and_names"):
        raise type_error("jit_class", "the class must not be a Cell, which graph mode knows", cls.__name__)
    if not cls.__flags__ & 1 << 9:  # Python's own and extensions' classes
        raise type_error("jit_class", "the class must be one of Python code", cls.__name__)
    cls.__ms_class__ = True
    return cls


ms_class = jit_class
