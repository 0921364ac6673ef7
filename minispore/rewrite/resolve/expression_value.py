"""The value of an expression in a network's code, found without running anything of the user's.

Beside the value there is the way to it: which of a network's cells a pass can exchange depends on who holds them.
"""

import ast
import inspect
import sys
from contextlib import contextmanager
from enum import Enum
from types import FunctionType, MethodType, ModuleType, SimpleNamespace

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import CONTAINERS, HOLDERS, held_by, hooks_of, is_leaf
from minispore.rewrite.resolve.outside import UNKNOWN, captured_variables, outside_value

__all__ = ["NAMING", "Origin", "OwnScope", "Scope", "first_argument", "held_by_objects", "is_users", "module_of"]

_OTHERS = {*sys.stdlib_module_names, "numpy", "minispore", "builtins"}
NAMING = (ast.Name, ast.Attribute, ast.Subscript)  # the expressions that may stand for something known
_INDEXED = (list, tuple, dict, *CONTAINERS)  # types of which a constant picks an element


class Origin(Enum):
    """The way by which code comes by a value; the text is what a receipt shows."""

    OWN = ""  # through the cell itself
    NAMED = "it is called by a name from outside the network"
    MODULE = "it is called by a dotted name from outside the network"
    DOTTED = "it is called by a dotted name, or as an element, from outside the network"
    OBJECT = "an object that is no cell holds it"


def is_users(module):
    """True if a module of that name is the user's own, not Python's, NumPy's or the package's."""
    return (module or "").partition(".")[0] not in _OTHERS


def module_of(function):
    """The name of the module that a function or method was written in: ``functools.wraps`` gives it another's."""
    return getattr(function, "__globals__", {}).get("__name__", function.__module__)


def _is_object(value):
    """True if it is an object of a user's class that is no Cell."""
    kinds = (Cell, Primitive, type, ModuleType, FunctionType, MethodType, *_INDEXED)
    return not isinstance(value, kinds) and is_users(type(value).__module__)


class OwnScope:
    """The values of expressions on a cell (``self.layers[0]``); every other name is unknown.

    Args:
        root (Cell): The cell.
        self_name (str): The name that the code has for it.
        way (Origin): How one comes by the cell. Default: ``Origin.OWN``.
    """

    def __init__(self, root, self_name, way=Origin.OWN):
        self.root, self.self_name, self.way = root, self_name, way
        self._hidden = frozenset()

    @contextmanager
    def hiding(self, names):
        """Let these names be unknown: a lambda, a comprehension or a function inside has bound them anew."""
        before, self._hidden = self._hidden, self._hidden | names
        try:
            yield
        finally:
            self._hidden = before

    def __call__(self, expression):
        """The value of an expression and its Origin; UNKNOWN for a value known only at run time."""
        if isinstance(expression, ast.Name) and expression.id in self._hidden:
            return UNKNOWN, self.way
        if isinstance(expression, ast.Name):
            return (self.root, self.way) if expression.id == self.self_name else self._other(expression.id)
        if isinstance(expression, ast.Attribute):
            return _attribute(*self(expression.value), expression.attr)
        if isinstance(expression, ast.Subscript) and isinstance(expression.slice, (ast.Constant, ast.UnaryOp)):
            return _element(*self(expression.value), expression.slice)
        return UNKNOWN, self.way

    def own(self, expression):
        """The value of an expression on the cell itself; UNKNOWN for any other."""
        value, way = self(expression)
        return value if way is Origin.OWN else UNKNOWN

    def outside(self, expression):
        """The value of a name from outside, dotted with modules; UNKNOWN for any other expression."""
        value, way = self(expression)
        return value if way in (Origin.NAMED, Origin.MODULE) else UNKNOWN

    def _other(self, name):
        return UNKNOWN, self.way


class Scope(OwnScope):
    """The values of the names in a function.

    Args:
        function (Function): The function.
        root (object): What its first parameter is. Default: UNKNOWN.
        self_name (str): The name of that parameter; None for a function without. Default: None.
        way (Origin): How one comes by the root, and by what the function captured. Default: ``Origin.NAMED``.
    """

    def __init__(self, function, root=UNKNOWN, self_name=None, way=Origin.NAMED):
        super().__init__(root, self_name, way)
        self.function, self._captured = function, captured_variables(function)
        self._is_held = way is Origin.OWN and root is UNKNOWN  # an edit replaces what cells hold, captured too
        self._own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}

    def _other(self, name):
        if name in self._own:
            return UNKNOWN, self.way
        held = name in self._captured and self._is_held
        return outside_value(self.function, name), Origin.OWN if held else Origin.NAMED


def _static_attribute(owner, name):
    """The value of ``owner.name``, of a Cell; UNKNOWN where a property decides."""
    in_class = UNKNOWN
    for kind in type(owner).__mro__:
        if name in vars(kind):
            in_class = vars(kind)[name]
            break
    if isinstance(in_class, property):
        return UNKNOWN
    if name in owner.__dict__:
        return owner.__dict__[name]
    if in_class is not UNKNOWN:
        return in_class.__func__ if isinstance(in_class, (staticmethod, classmethod)) else in_class
    return owner._params.get(name, owner._cells.get(name, UNKNOWN))


def _attribute(owner, way, name):
    if isinstance(owner, Cell):
        return _static_attribute(owner, name), _inside(way)
    if isinstance(owner, ModuleType):
        return getattr(owner, name, UNKNOWN), Origin.MODULE if way in (Origin.NAMED, Origin.MODULE) else Origin.DOTTED
    if isinstance(owner, SimpleNamespace):
        return vars(owner).get(name, UNKNOWN), _inside(way)
    if not isinstance(owner, type) and not _is_object(owner):
        return UNKNOWN, way
    found = inspect.getattr_static(owner, name, UNKNOWN)
    if isinstance(found, (staticmethod, classmethod)):
        found = found.__func__
    if type(found).__name__ == "member_descriptor":  # of __slots__
        found = getattr(owner, name, UNKNOWN)
    if isinstance(found, property):
        return UNKNOWN, way
    dotted = isinstance(owner, type) or way in (Origin.NAMED, Origin.MODULE, Origin.DOTTED)
    return found, Origin.DOTTED if dotted else Origin.OBJECT


def _inside(way):
    """The way to a part of a value, given the way to the value."""
    return Origin.DOTTED if way in (Origin.NAMED, Origin.MODULE) else way


def _element(holder, way, index):
    if not isinstance(holder, _INDEXED):
        return UNKNOWN, way
    try:
        return holder[ast.literal_eval(index)], _inside(way)
    except (LookupError, TypeError, ValueError):  # no such element, or no constant
        return UNKNOWN, way


def first_argument(owner, name, way):
    """The first argument that a function gets when called as ``owner.name()``, and the way to it."""
    found = inspect.getattr_static(owner, name, None)
    if isinstance(found, classmethod):
        return type(owner), Origin.DOTTED
    of_class = not inspect.ismodule(owner) and hasattr(type(owner), name) and not isinstance(found, staticmethod)
    return (owner if of_class else UNKNOWN), way


def held_by_objects(cell):
    """Map each cell or primitive that only a plain object or a hook can reach to a description of its holder.

    Returns:
        dict from Cell or Primitive to str: "an object of class 'Holder'", or "a hook".
    """
    found, seen = {}, set()
    waiting = [(part, None) for part in held_by(cell) if not isinstance(part, (Cell, Primitive))]
    leaves = [child for child in cell._cells.values() if child is not None and is_leaf(child)]
    waiting += [(hook, "a hook") for each in (cell, *leaves) for hook in hooks_of(each)]
    while waiting:
        value, holder = waiting.pop()
        if isinstance(value, (Cell, Primitive)):
            if holder is not None:
                found.setdefault(value, holder)
        elif id(value) not in seen:
            seen.add(id(value))
            inside = f"an object of class '{type(value).__name__}'" if _is_object(value) else holder
            waiting += [(part, inside) for part in _parts(value)]
    return found


def _parts(value):
    """The contents of a list, tuple, dict, function or object; nothing for anything else."""
    if _is_object(value):
        slots = [name for kind in type(value).__mro__ for name in vars(kind).get("__slots__", ()) if name != "__dict__"]
        return [*getattr(value, "__dict__", {}).values(), *(getattr(value, name, None) for name in slots)]
    return held_by(value) if isinstance(value, HOLDERS) else []
