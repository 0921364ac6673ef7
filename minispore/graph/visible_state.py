"""Visible state: what can be seen of Python's objects: constants, collections, functions, objects, C's own."""

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
    type(threading.Lock()),  # what follows has effects elsewhere, and none on numbers
    type(threading.RLock()),
    logging.Logger,
)
_PLAIN_BASES = {"object", "ABC", "Generic", "Protocol", "SimpleNamespace"}  # what they hold are attributes
_IMMUTABLE = 1 << 8  # a flag of classes that are made in C
NOWHERE = object()
_PLAIN = {*COLLECTIONS, *BYTES, np.ndarray, *NUMBERS, collections.OrderedDict, collections.defaultdict}


class _Slots:
    """The attributes of an object that stand in slots, looked up as in a dict."""

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
    """Whether the class answers for attributes that do not exist: for which ones, its code alone knows."""
    return any(
        not is_ours(base) and not vars(base).keys().isdisjoint(("__getattr__", "__getattribute__"))
        for base in kind.__mro__
    )


def bytes_of(value):
    """The bytes that an array or a buffer holds now."""
    return bytes(value) if isinstance(value, bytearray) else value.tobytes()


def is_special(name):
    """Whether Python itself calls what stands under the name."""
    return name.startswith("__") and name.endswith("__")


def is_plain(kind):
    """Whether all that an object of the class holds has been looked at, or it holds nothing."""
    return kind in _PLAIN or (kind.__name__ in _PLAIN_BASES and is_ours(kind))


@functools.lru_cache(maxsize=4096)
def is_made_in_c(kind):
    """Whether its objects may hold what no attribute tells."""
    spec = getattr(sys.modules.get(kind.__module__), "__spec__", None)
    origin = getattr(spec, "origin", None) or ".py"
    return bool(kind.__flags__ & _IMMUTABLE) or not (origin == "frozen" or origin.endswith((".py", ".pyc")))


def home_of(value):
    """The outermost package that a class, function or module comes from."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
    elif isinstance(value, types.FunctionType):
        name = value.__globals__.get("__name__")  # `functools.wraps` puts another one in the place of __module__
    else:
        name = getattr(value, "__module__", None)
    return str(name).partition(".")[0]


def is_ours(value):
    """Whether it comes from here or from Python, and so does not change while a program runs."""
    return _is_standard(home_of(value))


@functools.cache
def _is_standard(package):
    """Whether a package is this one, NumPy, or Python's own rather than a user's of the same name."""
    if package in (HERE, "numpy"):
        return True
    if package not in sys.stdlib_module_names:
        return False
    origin = getattr(getattr(sys.modules.get(package), "__spec__", None), "origin", None)
    return origin in (None, "built-in", "frozen") or origin.startswith(sysconfig.get_path("stdlib"))


def held_in(cell):
    """What a closure's variable stands for."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return NOWHERE


def elements_of(collection):
    """What a collection holds, keys included."""
    if isinstance(collection, (dict, types.MappingProxyType)):
        return [*collection.keys(), *collection.values()]
    return list(collection)


def differ(now, then):
    """Whether two lists hold other objects."""
    return len(now) != len(then) or any(a is not b for a, b in zip(now, then, strict=True))
