"""Visible state: the state of Python objects that can be inspected: constants, collections, functions, attributes."""

import array
import collections
import datetime
import decimal
import functools
import re
import sys
import sysconfig
import threading
import types
import typing

import numpy as np

from minispore.core.dtype import DType
from minispore.core.tensor import Tensor

HERE = __name__.partition(".")[0]
COLLECTIONS = (list, tuple, set, frozenset, dict, collections.deque, types.MappingProxyType)
FIXED = (tuple, frozenset)
BYTES = (bytearray, array.array, memoryview)
FUNCTIONS = (types.FunctionType, types.MethodType)
BUILTINS = (types.BuiltinFunctionType, types.MethodWrapperType)
BEHIND_NAMES = (property, classmethod, staticmethod, functools.cached_property)
CACHED = type(functools.lru_cache(lambda: None))
NUMBERS = (bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented), range)
CONSTANT = (
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
    types.GenericAlias,
    types.UnionType,
    typing.TypeVar,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
LOCKS = (type(threading.Lock()), type(threading.RLock()))
_PLAIN_BASES = {"object", "ABC", "Generic", "Protocol", "SimpleNamespace"}  # classes without state besides attributes
# Methods that Python calls itself, though no code names them.
_CALLED_BY_PYTHON = {"keys", "get", "items", "values", "send", "throw", "close", "write", "flush"}
_CALLED_BY_PYTHON |= {"numerator", "denominator", "as_integer_ratio"}
_IMMUTABLE = 1 << 8  # the type flag of classes implemented in C
NOWHERE = object()
_PLAIN = {*COLLECTIONS, *BYTES, np.ndarray, *NUMBERS, collections.OrderedDict, collections.defaultdict}


class Slots:
    """The attributes in an object's slots, with the interface of a dict."""

    def __init__(self, value, members):
        self._value, self._members = value, members

    def __iter__(self):
        return iter(self._members)

    def get(self, name, default):
        """The attribute, or ``default``."""
        if name not in self._members:
            return default
        try:
            return self._members[name].__get__(self._value)
        except AttributeError:
            return default


def slots_of(value):
    """The :class:`Slots` of an object, or None."""
    members = {}
    for kind in reversed(type(value).__mro__):
        if not is_made_in_c(kind):  # Python has already changed a private ``__name`` to ``_Class__name``
            members.update((n, x) for n, x in vars(kind).items() if isinstance(x, types.MemberDescriptorType))
    return Slots(value, members) if members else None


def table_of(value):
    """The ``__dict__`` of an object, or None; no code of its class runs."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def answers_for_any_name(kind):
    """True if the class computes missing attributes (``__getattr__``): only its code knows their names."""
    return any(
        not is_ours(base) and not vars(base).keys().isdisjoint(("__getattr__", "__getattribute__"))
        for base in kind.__mro__
    )


def buffer_of(value):
    """The present values of an array, a record or a buffer, and their layout."""
    if issubclass(type(value), np.ndarray):
        value = np.ndarray.view(value, np.ndarray)  # no code of its class runs
    if isinstance(value, (np.ndarray, np.void)):
        return value.shape, value.strides, repr(value.dtype), value.tobytes()
    if isinstance(value, memoryview):
        return value.shape, value.strides, value.format, value.tobytes()
    return getattr(value, "typecode", None), bytes(value)


def is_special(name):
    """True if Python itself calls a method of this name."""
    return name in _CALLED_BY_PYTHON or (name.startswith("__") and name.endswith("__"))


def is_plain(kind):
    """True if the guards inspect all the state that objects of the class have."""
    return kind in _PLAIN or (kind.__name__ in _PLAIN_BASES and is_ours(kind))


@functools.lru_cache(maxsize=4096)
def is_made_in_c(kind):
    """True if its objects may hold state that no attribute shows."""
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
    """True for a part of this package, NumPy or Python: it does not change while a program runs."""
    return _is_standard(home_of(value))


@functools.cache
def _is_standard(package):
    """True if a package is this one, NumPy, or Python's own; a user's package of the same name is not."""
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
    if isinstance(collection, dict):
        kind = collections.OrderedDict if isinstance(collection, collections.OrderedDict) else dict
        return [*kind.keys(collection), *kind.values(collection)]
    if isinstance(collection, types.MappingProxyType):
        return [*collection.keys(), *collection.values()]
    return list(collection)


def form_of(tensor):
    """The shape and the type of a Tensor's array; None before it has one."""
    try:
        array = Tensor.array.__get__(tensor)  # no code of its class runs
        return array.shape, array.dtype
    except AttributeError:
        return None


def entries_of(cached):
    """The number of computations of a cached function, and the number of results that it keeps."""
    info = cached.cache_info()
    return info.misses, info.currsize
