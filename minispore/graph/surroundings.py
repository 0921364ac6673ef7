"""Surroundings: what a function sees beside Tensors: names, lists, dicts, arrays, attributes, which Python may change.

A recording holds as long as they are what they were when it was made. Looked at is what the code of the function names,
and the code of the functions, cells and objects that it names. Cells and primitives count changes of their own
attributes (``context.changes``), and Tensors are read at each replay.
"""

import collections
import functools
import sys
import types

import numpy as np

from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

_HERE = __name__.partition(".")[0]
_OURS = {_HERE, "numpy", *sys.stdlib_module_names}
_COLLECTIONS = (list, tuple, set, frozenset, dict, collections.deque)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_CONSTANT = (
    Tensor,
    Primitive,
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    types.BuiltinFunctionType,
    np.generic,
)
_NOWHERE = object()
_MANY = 10_000  # values, more than which are not looked at in every call


class Surroundings:
    """What a function sees; ``changed()`` tells whether any of it is no longer what it was.

    Args:
        function (Callable): The function.
        arguments (list): What it is called with, beside Tensors.
    """

    def __init__(self, function, arguments):
        self._roots, self._named = [function, *arguments], set()
        self._look()

    def add(self, arguments):
        """Look at further arguments too."""
        new = [x for x in arguments if not isinstance(x, _CONSTANT) and not any(x is root for root in self._roots)]
        if new:
            self._roots += new
            self._look()

    @property
    def are_too_many(self):
        """Whether to look at all of it would take longer than a replay saves."""
        return self._count > _MANY

    def changed(self):
        """Whether a name stands for another thing, or a list, dict or array holds other things."""
        for table, name, value in self._bindings:
            if table.get(name, _NOWHERE) is not value:
                return True
        for cell, value in self._closures:
            if _held(cell) is not value:
                return True
        return any(_differ(_elements(now), then) for now, then in self._contents) or any(
            now.tobytes() != then for now, then in self._arrays
        )

    def _look(self):
        """Look at everything, again as long as more code was found, which names more attributes."""
        known = None
        while known != len(self._named):
            known, self._seen, self._count = len(self._named), {}, 0
            self._bindings, self._closures, self._contents, self._arrays = [], [], [], []
            for root in self._roots:
                self._look_at(root)

    def _look_at(self, value):
        if isinstance(value, _CONSTANT) or id(value) in self._seen:
            return
        self._seen[id(value)] = value  # kept, so that no other takes its id
        self._count += 1
        if isinstance(value, _COLLECTIONS):
            self._look_into(value)
        elif isinstance(value, np.ndarray):
            self._arrays.append((value, value.tobytes()))
            self._count += value.size // 64
        elif isinstance(value, types.FunctionType):
            self._look_at_function(value)
        elif isinstance(value, types.MethodType):
            self._look_at(value.__self__)
            self._look_at(value.__func__)
        elif isinstance(value, functools.partial):
            self._look_into((value.func, *value.args, *value.keywords.values()))
        elif hasattr(type(value), "_counted"):
            self._look_at_cell(value)
        else:
            self._look_at_object(value)

    def _look_into(self, collection):
        elements = _elements(collection)
        self._count += len(elements)
        if self.are_too_many:
            return
        if not isinstance(collection, (tuple, frozenset)):
            self._contents.append((collection, elements))
        for x in elements:
            self._look_at(x)

    def _look_at_function(self, function):
        names = _names_in(function.__code__)
        self._named.update(names)
        for cell in function.__closure__ or ():
            self._closures.append((cell, _held(cell)))
            self._look_at(_held(cell))
        self._look_into((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()))
        if not _ours(function):
            self._look_up(function.__globals__, names)

    def _look_up(self, table, names):
        """Watch what stands in ``table`` under ``names``, and whether it is still that."""
        for name in names:
            value = table.get(name, _NOWHERE)
            if value is not _NOWHERE:
                self._bindings.append((table, name, value))
                self._look_at(value)

    def _look_at_object(self, value):
        """The attributes, methods and class members that any code names; of this package's objects what they call."""
        if isinstance(value, (type, types.ModuleType)):
            if not _ours(value):
                self._look_up(vars(value), self._named)
        elif _home(type(value)) == _HERE:
            for x in getattr(value, "__dict__", {}).values():
                if isinstance(x, _FUNCTIONS) or hasattr(type(x), "_counted"):
                    self._look_at(x)
        else:
            self._look_up(vars(value) if hasattr(value, "__dict__") else _Slots(value), self._named)
            self._look_at_class(value, {*self._named, "__call__"})

    def _look_at_cell(self, cell):
        """A cell counts what is assigned to it, but not what is put into the lists that it holds."""
        own = self._look_at_class(cell, None)
        for child in cell._cells.values():
            self._look_at(child)
        for name, x in vars(cell).items():
            if name not in cell._counted and (not own or name in self._named):
                self._look_at(x)

    def _look_at_class(self, value, names):
        """The members of a user's class under ``names`` (None for all); returns those that there are."""
        found = []
        for kind in type(value).__mro__:
            if not _ours(kind):
                members = [name for name in vars(kind) if (name in names if names else not _is_special(name))]
                found += members
                self._look_up(vars(kind), members)
                for name in members:
                    self._look_at(_function_of(vars(kind)[name]))
        return found


class _Slots:
    """The attributes of an object without a ``__dict__``, looked up as in one."""

    def __init__(self, value):
        self._value = value

    def get(self, name, default):
        """The attribute, or ``default``."""
        return getattr(self._value, name, default)


def _is_special(name):
    return name.startswith("__") and name.endswith("__")


def _function_of(member):
    """The Python function of a method or property, as a class holds it; None of anything else."""
    function = getattr(member, "fget", None) or getattr(member, "__func__", member)
    return function if isinstance(function, types.FunctionType) else None


def _home(value):
    """The outermost package that a class, function or module comes from."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return str(name).partition(".")[0]


def _ours(value):
    """Whether it comes from here or from Python, and so does not change while a program runs."""
    return _home(value) in _OURS


@functools.lru_cache(maxsize=1024)
def _names_in(code):
    """The names that a code object, and those within it, look up."""
    inner = [name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names_in(part)]
    return tuple(dict.fromkeys((*code.co_names, *inner)))


def _held(cell):
    """What a closure's variable stands for."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return _NOWHERE


def _elements(collection):
    return [*collection.keys(), *collection.values()] if isinstance(collection, dict) else list(collection)


def _differ(now, then):
    return len(now) != len(then) or any(a is not b for a, b in zip(now, then, strict=True))
