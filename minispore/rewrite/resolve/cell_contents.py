"""Cell contents: the parts of a cell (children, lists, dicts and functions), and their exchange."""

from collections import OrderedDict
from functools import partial
from types import CellType, FunctionType, MethodType, SimpleNamespace

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.nn.layer.container import CellList, SequentialCell
from minispore.rewrite.resolve.outside import contents
from minispore.rewrite.resolve.package_functions import is_package_function

TABLES = ("_cells", "_params")  # a cell's dicts of children and Parameters
_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_flags")
FRAMEWORK = ["minispore.core", "minispore.nn", "minispore.ops", "minispore.amp"]  # packages of cells and primitives
COLLECTIONS = (list, tuple, dict, partial, SimpleNamespace)
HOLDERS = (*COLLECTIONS, FunctionType, MethodType)  # holders that are made anew with other cells
CONTAINERS = (CellList, SequentialCell)


def is_framework(cell):
    """True if the cell's class is one of the package's own; a tree does not look inside it."""
    if "rewritten_source" in vars(type(cell)):
        return False  # made from a tree: in the module of the class that it subclasses
    return f"{type(cell).__module__}.".startswith(tuple([f"{name}." for name in FRAMEWORK]))


def is_leaf(cell):
    """True if a tree does not look inside: a primitive, or a cell of the package's own that is no container."""
    return isinstance(cell, Primitive) or (is_framework(cell) and type(cell) not in CONTAINERS)


def held_by(value):
    """All that a cell, list, tuple, dict or function holds, its hooks and tables left out."""
    if isinstance(value, Cell):
        skipped = (*TABLES, *_HOOKS)
        own = [part for name, part in value.__dict__.items() if name not in skipped]
        return [*value._cells.values(), *own, *class_attributes(value).values()]
    if isinstance(value, MethodType):
        return [value.__self__]
    if isinstance(value, partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, SimpleNamespace):
        return list(vars(value).values())
    if isinstance(value, FunctionType):
        captured = [contents(variable) for variable in value.__closure__ or ()]
        return [*captured, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    return list(value.values() if isinstance(value, dict) else value)


def hooks_of(cell):
    """The hooks of a cell, which are shared by its copies."""
    return [hook for table in _HOOKS[:3] for hook in cell.__dict__.get(table, {}).values()]


def parts_of(value):
    """The callables, and containers of callables, that a value holds."""
    return [part for part in held_by(value) if isinstance(part, (Cell, Primitive, *HOLDERS))]


def class_attributes(cell):
    """The class attributes of a user's cell that are cells, or hold some, by name."""
    found = {}
    for kind in type(cell).__mro__:
        if not kind.__module__.startswith(("minispore.", "builtins")):
            found = {**vars(kind), **found}
    kinds = (Cell, Primitive, list, tuple, dict, SimpleNamespace)
    return {name: value for name, value in found.items() if isinstance(value, kinds) and not name.startswith("__")}


def called_in(value, seen=None):
    """Every cell and primitive that ``value`` is or holds, at any depth, each once; leaves are not entered.

    Returns:
        dict, whose keys they are, in order.
    """
    seen = {} if seen is None else seen
    waiting, holders = [value], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Cell, Primitive)):
            entered = part not in seen and isinstance(part, Cell) and not is_leaf(part)
            seen[part] = True
        else:
            entered = isinstance(part, HOLDERS) and id(part) not in holders
            holders.add(id(part))
        waiting += reversed(parts_of(part)) if entered else ()
    return seen


def callables_in(value):
    """Every cell, primitive, function and method that ``value`` is, or that lists, dicts, functions in it hold.

    Of a container its cells stand for it; cells and the package's functions are not entered.

    Returns:
        list, each once, in order; a function before what it captured.
    """
    found, waiting, seen = {}, [value], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, (FunctionType, MethodType)):
            found[part] = True
        if is_package_function(part) or (isinstance(part, (Cell, Primitive)) and type(part) not in CONTAINERS):
            found[part] = True
        elif id(part) not in seen:
            seen.add(id(part))
            waiting += reversed([*part._cells.values()] if isinstance(part, Cell) else parts_of(part))
    return list(found)


def called_inside(cell, seen=None):
    """Every cell and primitive that a cell holds, be it a leaf or not."""
    seen = {} if seen is None else seen
    for part in parts_of(cell):
        called_in(part, seen)
    return seen


def refill(cell, other):
    """Put ``other(part)`` in the place of each cell and primitive that the cell holds.

    Lists and dicts are made anew where that matters, and functions that captured a cell, and its bound methods too.
    What its class holds, the cell gets as attributes of its own.
    """
    exchange = _Exchange(other)
    for name, value in class_attributes(cell).items():
        if exchange(value) is not value:
            cell.__dict__.setdefault(name, value)
    for name, child in cell._cells.items():
        cell._cells[name] = child and other(child)
    for name, value in cell.__dict__.items():
        if isinstance(value, (Cell, Primitive, *HOLDERS)) and name not in (*TABLES, *_HOOKS):
            cell.__dict__[name] = exchange(value)


class _Exchange:
    """Values with ``other`` cells in them; themselves where that changes nothing. A shared list stays shared."""

    def __init__(self, other):
        self._other, self._done = other, {}

    def __call__(self, value):
        """The substitute for ``value``."""
        if isinstance(value, (Cell, Primitive)):
            return self._other(value)
        if isinstance(value, HOLDERS):
            if id(value) not in self._done:
                self._done[id(value)] = value  # for what holds itself
                self._done[id(value)] = self._made_anew(value)
            return self._done[id(value)]
        return value

    def _made_anew(self, value):
        if isinstance(value, MethodType):
            owner = self(value.__self__)
            return value if owner is value.__self__ else MethodType(value.__func__, owner)
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, SimpleNamespace):
            new = self(vars(value))
            return value if new is vars(value) else SimpleNamespace(**new)
        if isinstance(value, partial):
            function, args, keywords = self(value.func), self(value.args), self(value.keywords)
            kept = function is value.func and args is value.args and keywords is value.keywords
            return value if kept else partial(function, *args, **keywords)
        return self._dict(value) if isinstance(value, dict) else self._sequence(value)

    def _dict(self, value):
        new = {key: self(part) for key, part in value.items()}
        kept = type(value) not in (dict, OrderedDict) or all(new[key] is value[key] for key in new)
        return value if kept else type(value)(new)

    def _sequence(self, value):
        new = [self(part) for part in value]
        if all(a is b for a, b in zip(new, value, strict=True)):
            return value
        return value._make(new) if hasattr(value, "_make") else type(value)(new)

    def _function(self, function):
        """The function, with its captured cells and its defaults exchanged."""
        before = [contents(variable) for variable in function.__closure__ or ()]
        after = [self(value) for value in before]
        defaults, keywords = self(function.__defaults__), self(function.__kwdefaults__)
        kept = defaults is function.__defaults__ and keywords is function.__kwdefaults__
        if kept and all(a is b for a, b in zip(after, before, strict=True)):
            return function
        cells = zip(function.__closure__ or (), before, after, strict=True)
        closure = tuple(cell if a is b else CellType(a) for cell, b, a in cells) or None
        new = FunctionType(function.__code__, function.__globals__, function.__name__, defaults, closure)
        new.__kwdefaults__, new.__doc__ = keywords, function.__doc__
        new.__dict__.update(function.__dict__)
        return new
