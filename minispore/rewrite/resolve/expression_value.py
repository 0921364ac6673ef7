"""The value of an expression in a network's code, told without running anything of the user's.

Beside the value there is the way to it: which of a network's cells a pass can exchange depends on who holds them.
"""

import ast
import inspect
import sys
from enum import Enum
from types import FunctionType, MethodType, ModuleType, SimpleNamespace

from minispore.nn.cell import Cell
from minispore.nn.layer.container import CellList, SequentialCell
from minispore.ops import functional
from minispore.ops.primitive import Primitive
from minispore.rewrite.resolve.cell_contents import held_by, hooks_of, is_leaf
from minispore.rewrite.resolve.names import captured_variables
from minispore.rewrite.resolve.self_paths import static_attribute
from minispore.rewrite.resolve.source import UNKNOWN

__all__ = ["UNKNOWN", "Origin", "Scope", "first_argument", "held_by_objects", "is_face", "is_users"]

_OTHERS = {*sys.stdlib_module_names, "numpy", "minispore", "builtins"}
_HOLDERS = (list, tuple, dict, CellList, SequentialCell)


class Origin(Enum):
    """How code comes by a value; the text is what a person is told."""

    OWN = ""  # through the cell itself
    NAMED = "it is called by a name from outside the network"
    MODULE = "it is called by a dotted name from outside the network"
    DOTTED = "it is called by a dotted name, or as an element, from outside the network"
    OBJECT = "an object that is no cell holds it"


def is_users(module):
    """Whether a module of that name is the user's own, rather than Python's, NumPy's or the package's."""
    return (module or "").partition(".")[0] not in _OTHERS


def _is_object(value):
    """Whether it is an object of a class of the user's that is no Cell."""
    kinds = (Cell, Primitive, type, ModuleType, FunctionType, MethodType, *_HOLDERS)
    return not isinstance(value, kinds) and is_users(type(value).__module__)


class Scope:
    """What the names in a function stand for.

    Args:
        function (Function): The function.
        root (object): What its first parameter is. Default: UNKNOWN.
        self_name (str): The name of that parameter; None for a function without. Default: None.
        way (Way): How one comes by the root, and by what the function captured. Default: ``Way.NAMED``.
    """

    def __init__(self, function, root=UNKNOWN, self_name=None, way=Origin.NAMED):
        self.function, self.root, self.self_name, self.way = function, root, self_name, way
        self._captured = captured_variables(function)
        self._is_held = way is Origin.OWN and root is UNKNOWN  # what cells hold is exchanged with what it captured
        self._own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}

    def __call__(self, expression):
        """The value of an expression and the Way to it; UNKNOWN for what only running the code could tell."""
        if isinstance(expression, ast.Name):
            return self._name(expression.id)
        if isinstance(expression, ast.Attribute):
            return _attribute(*self(expression.value), expression.attr)
        if isinstance(expression, ast.Subscript) and isinstance(expression.slice, (ast.Constant, ast.UnaryOp)):
            return _element(*self(expression.value), expression.slice)
        return UNKNOWN, self.way

    def _name(self, name):
        if name == self.self_name:
            return self.root, self.way
        if name in self._captured:
            try:
                return self._captured[name].cell_contents, Origin.OWN if self._is_held else Origin.NAMED
            except ValueError:  # not bound yet
                return UNKNOWN, self.way
        if name in self._own:
            return UNKNOWN, self.way
        return self.function.__globals__.get(name, UNKNOWN), Origin.NAMED


def _attribute(owner, way, name):
    if isinstance(owner, Cell):
        return static_attribute(owner, name), _inside(way)
    if isinstance(owner, ModuleType):
        return vars(owner).get(name, UNKNOWN), Origin.MODULE if way in (Origin.NAMED, Origin.MODULE) else Origin.DOTTED
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
    """The way to what something holds, by the way to that."""
    return Origin.DOTTED if way in (Origin.NAMED, Origin.MODULE) else way


def _element(holder, way, index):
    if not isinstance(holder, _HOLDERS):
        return UNKNOWN, way
    try:
        return holder[ast.literal_eval(index)], _inside(way)
    except (LookupError, TypeError, ValueError):  # no such element, or no constant
        return UNKNOWN, way


def first_argument(owner, name, way):
    """What a function gets as its first argument that is called as ``owner.name()``, and the way to it."""
    found = inspect.getattr_static(owner, name, None)
    if isinstance(found, classmethod):
        return type(owner), Origin.DOTTED
    of_class = not inspect.ismodule(owner) and hasattr(type(owner), name) and not isinstance(found, staticmethod)
    return (owner if of_class else UNKNOWN), way


def is_face(value):
    """Whether a value is one of the package's functions, or a primitive of it that is ready to be called."""
    if isinstance(value, Primitive):
        return any(value is face for face in vars(functional).values())
    return isinstance(value, FunctionType) and value.__module__.startswith("minispore.ops.functional")


def held_by_objects(cell):
    """The cells and primitives that objects and hooks hold which a cell and its leaves hold, with what holds each.

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
    """What a list, tuple, dict, function or object holds; nothing for anything else."""
    if _is_object(value):
        slots = [name for kind in type(value).__mro__ for name in vars(kind).get("__slots__", ()) if name != "__dict__"]
        return [*getattr(value, "__dict__", {}).values(), *(getattr(value, name, None) for name in slots)]
    holders = (list, tuple, dict, FunctionType, MethodType)
    known = isinstance(value, holders) or type(value).__name__ in ("partial", "SimpleNamespace")
    return held_by(value) if known else []
