"""Surroundings: what a function sees beside Tensors: names, lists, dicts, arrays, attributes, which Python may change.

A recording holds as long as they are what they were when it was made. Only what the function's code names is looked at,
and what the functions and cells that it names do. Cells and primitives count changes of their own attributes
(``context.changes``), and Tensors are read at each replay.
"""

import functools
import types

import numpy as np

from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

_OURS = ("minispore", "numpy", "builtins", "math", "functools", "itertools", "collections")
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


class Surroundings:
    """What ``function`` sees; ``changed()`` tells whether any of it is no longer what it was.

    Args:
        function (Callable): The function.
    """

    def __init__(self, function):
        self._names, self._closures, self._contents, self._arrays = [], [], [], []
        self._seen = {}  # what has been looked at, by identity and by the names looked for; kept, so that ids stay
        self._of_function = _names_in(getattr(function, "__code__", None))
        self.look_at(function, self._of_function)

    def changed(self):
        """Whether a name stands for another thing, or a list, dict or array holds other things."""
        for table, name, value in self._names:
            if table.get(name, _NOWHERE) is not value:
                return True
        for cell, value in self._closures:
            if _held(cell) is not value:
                return True
        return any(_differ(_elements(now), then) for now, then in self._contents) or any(
            now.tobytes() != then for now, then in self._arrays
        )

    def look_at_arguments(self, values):
        """Watch what the function sees of its arguments that are no Tensors."""
        self._look_into(tuple(values), self._of_function)

    def look_at(self, value, names):
        """Watch ``value``; of an object or a module, what ``names`` say."""
        if isinstance(value, _CONSTANT) or (id(value), names) in self._seen:
            return
        self._seen[id(value), names] = value
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            self._look_into(value, names)
        elif isinstance(value, np.ndarray):
            self._arrays.append((value, value.tobytes()))
        elif isinstance(value, types.FunctionType):
            self._look_at_function(value)
        elif isinstance(value, types.MethodType):
            self.look_at(value.__self__, _names_in(value.__func__.__code__))
            self.look_at(value.__func__, names)
        elif isinstance(value, functools.partial):
            self._look_into((value.func, *value.args, *value.keywords.values()), names)
        elif hasattr(value, "__dict__"):
            self._look_at_object(value, names)

    def _look_into(self, collection, names):
        elements = _elements(collection)
        if not isinstance(collection, (tuple, frozenset)):
            self._contents.append((collection, elements))
        for x in elements:
            self.look_at(x, names)

    def _look_at_function(self, function):
        names = _names_in(function.__code__)
        for cell in function.__closure__ or ():
            self._closures.append((cell, _held(cell)))
            self.look_at(_held(cell), names)
        self._look_into((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()), names)
        if not _ours(function):
            self._look_up(function.__globals__, names)

    def _look_up(self, table, names, bound=True):
        """Watch what stands in ``table`` under ``names``, and with ``bound`` whether it is still that."""
        for name in names:
            value = table.get(name, _NOWHERE)
            if value is not _NOWHERE:
                if bound:
                    self._names.append((table, name, value))
                self.look_at(value, names)

    def _look_at_object(self, value, names):
        counted = getattr(type(value), "_counted", None)
        if counted is not None:
            self._look_at_cell(value, names, counted)
        elif _ours(value) or _ours(type(value)):
            for x in vars(value).values() if not isinstance(value, (type, types.ModuleType)) else ():
                if isinstance(x, (types.FunctionType, types.MethodType)) or hasattr(type(x), "_counted"):
                    self.look_at(x, names)
        else:
            self._look_up(vars(value), names)
            for kind in _classes(type(value)):
                self._look_up(vars(kind), (*names, "__call__"))

    def _look_at_cell(self, cell, names, counted):
        """A cell counts what is assigned to it, but not what is put into the lists that it holds."""
        attributes = {name: x for name, x in vars(cell).items() if name not in counted}
        for child in cell._cells.values():
            self.look_at(child, names)
        mine = _classes(type(cell))
        for kind in mine:
            for name, x in vars(kind).items():
                function = x.fget if isinstance(x, property) else x
                if isinstance(function, types.FunctionType) and name != "__init__":
                    self._look_at_function(function)
                    names = (*names, *_names_in(function.__code__))
        names = tuple(dict.fromkeys(names))
        self._look_up(attributes, names if mine else tuple(attributes), bound=False)
        for kind in mine:
            self._look_up(vars(kind), names)


def _classes(kind):
    """The class and its bases, without the package's own."""
    return [base for base in kind.__mro__ if not _ours(base)]


def _ours(value):
    """Whether it comes from here or from Python, and so does not change while a program runs."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return str(name).partition(".")[0] in _OURS


@functools.lru_cache(maxsize=1024)
def _names_in(code):
    """The names that a code object, and those within it, look up."""
    if code is None:
        return ()
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
