"""Visible state: which state of Python objects can be inspected: constants, collections, functions, attributes."""

import array
import collections
import datetime
import decimal
import functools
import logging
import re
import sys
import sysconfig
import threading
import types
import typing

import numpy as np

from minispore.dtype import DType
from minispore.tensor import Tensor

HERE = __name__.partition(".")[0]
COLLECTIONS = (list, tuple, set, frozenset, dict, collections.deque, types.MappingProxyType)
FIXED = (tuple, frozenset)
BYTES = (bytearray, array.array, memoryview)
FUNCTIONS = (types.FunctionType, types.MethodType)
BUILTINS = (types.BuiltinFunctionType, types.MethodWrapperType)
BEHIND_NAMES = (property, classmethod, staticmethod, functools.cached_property)
CACHED = type(functools.lru_cache(lambda: None))
NUMBERS = (bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented), range, slice)
CONSTANT = (
    Tensor,
    DType,
    np.generic,
    np.dtype,
    np.ufunc,
    type(np.concatenate),  # NumPy's own functions
    re.Pattern,
    decimal.Decimal,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.tzinfo,
    types.CodeType,
    types.GenericAlias,
    types.UnionType,
    typing.TypeVar,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    type(threading.Lock()),  # the following have side effects elsewhere, but none on numbers
    type(threading.RLock()),
    logging.Logger,
)
_PLAIN_BASES = {"object", "ABC", "Generic", "Protocol", "SimpleNamespace"}  # classes whose only state is attributes
_IMMUTABLE = 1 << 8  # the type flag of classes implemented in C
NOWHERE = object()
_PLAIN = {*COLLECTIONS, *BYTES, np.ndarray, *NUMBERS, collections.OrderedDict, collections.defaultdict}


class _Slots:
    """The attributes of an object that are stored in slots, with the interface of a dict."""

    def __init__(self, value, names):
        self._value, self._names = value, names

    def __iter__(self):
        return iter(self._names)

    def get(self, name, default):
        """The attribute, or ``default``."""
        return getattr(self._value, name, default) if name in self._names else default


def attributes_of(value):
    """The tables of an object's attributes."""
    slots = set()
    for kind in type(value).__mro__:
        names = vars(kind).get("__slots__", ())
        slots.update((names,) if isinstance(names, str) else names)
    slots -= {"__dict__", "__weakref__"}
    found = [vars(value)] if hasattr(value, "__dict__") else []
    return [*found, _Slots(value, frozenset(slots))] if slots else found


def answers_for_any_name(kind):
    """Whether the class computes attributes that do not exist (``__getattr__``): which ones, only its code knows."""
    return any(
        not is_ours(base) and not vars(base).keys().isdisjoint(("__getattr__", "__getattribute__"))
        for base in kind.__mro__
    )


def bytes_of(value):
    """The current bytes of an array or a buffer."""
    return bytes(value) if isinstance(value, bytearray) else value.tobytes()


def is_special(name):
    """Whether Python itself calls a method of this name."""
    return name.startswith("__") and name.endswith("__")


def is_plain(kind):
    """Whether objects of the class have no state besides what is inspected, or none at all."""
    return kind in _PLAIN or (kind.__name__ in _PLAIN_BASES and is_ours(kind))


@functools.lru_cache(maxsize=4096)
def is_made_in_c(kind):
    """Whether its objects may hold state that no attribute shows."""
    spec = getattr(sys.modules.get(kind.__module__), "__spec__", None)
    origin = getattr(spec, "origin", None) or ".py"
    return bool(kind.__flags__ & _IMMUTABLE) or not (origin == "frozen" or origin.endswith((".py", ".pyc")))


def home_of(value):
    """The name of the outermost package that defines a class, function or module."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
    elif isinstance(value, types.FunctionType):
        name = value.__globals__.get("__name__")  # `functools.wraps` replaces __module__
    else:
        name = getattr(value, "__module__", None)
    return str(name).partition(".")[0]


def is_ours(value):
    """Whether it is part of this package, NumPy or Python, and so does not change while a program runs."""
    return _is_standard(home_of(value))


@functools.cache
def _is_standard(package):
    """Whether a package is this one, NumPy, or Python's own, and not a user's of the same name."""
    if package in (HERE, "numpy"):
        return True
    if package not in sys.stdlib_module_names:
        return False
    origin = getattr(getattr(sys.modules.get(package), "__spec__", None), "origin", None)
    return origin in (None, "built-in", "frozen") or origin.startswith(sysconfig.get_path("stdlib"))


def held_in(cell):
    """The value of a closure's variable."""
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return NOWHERE


def elements_of(collection):
    """The elements of a collection, keys included."""
    if isinstance(collection, (dict, types.MappingProxyType)):
        return [*collection.keys(), *collection.values()]
    return list(collection)


def differ(now, then):
    """Whether two lists hold different objects."""
    return len(now) != len(then) or any(a is not b for a, b in zip(now, then, strict=True))
