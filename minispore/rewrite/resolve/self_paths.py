"""Paths from self: what an expression on the cell means (``self.layers[0]``), and which cells Python code may call.

Nothing of the user's runs here: a property is unknown, and code that reads one may call every cell.
"""

import ast
import inspect
from types import FunctionType, MethodType

from minispore.nn.cell import Cell
from minispore.nn.layer.container import CellList, SequentialCell
from minispore.ops.primitive import Primitive
from minispore.rewrite.resolve.cell_contents import called_in, called_inside
from minispore.rewrite.resolve.source import UNKNOWN, read_function

_HOLDERS = (list, tuple, dict, CellList, SequentialCell)


def static_attribute(owner, name):
    """What ``owner.name`` is; UNKNOWN where a property or another type decides."""
    if not isinstance(owner, Cell):
        return UNKNOWN
    in_class = inspect.getattr_static(type(owner), name, UNKNOWN)
    if isinstance(in_class, property):
        return UNKNOWN
    if name in owner.__dict__:
        return owner.__dict__[name]
    if in_class is not UNKNOWN:
        return in_class.__func__ if isinstance(in_class, (staticmethod, classmethod)) else in_class
    return owner._params.get(name, owner._cells.get(name, UNKNOWN))


def resolve(expression, network, self_name):
    """What an expression of attributes and constant indices on ``self`` is; UNKNOWN for any other."""
    if isinstance(expression, ast.Name):
        return network if expression.id == self_name else UNKNOWN
    if isinstance(expression, ast.Attribute):
        return static_attribute(resolve(expression.value, network, self_name), expression.attr)
    if isinstance(expression, ast.Subscript) and isinstance(expression.slice, (ast.Constant, ast.UnaryOp)):
        return _element(resolve(expression.value, network, self_name), expression.slice)
    return UNKNOWN


def _element(holder, index):
    if not isinstance(holder, _HOLDERS):
        return UNKNOWN
    try:
        return holder[ast.literal_eval(index)]
    except (LookupError, TypeError, ValueError):  # no such element, or no constant
        return UNKNOWN


def cells_reached(nodes, network, self_name, beyond):
    """The cells and primitives below ``network`` that code may call, methods that it calls included.

    What those methods call by names from outside is put into the dict ``beyond``, with the method's name.
    """
    reached = _Reached(network, self_name, beyond, set())
    for node in nodes:
        reached.visit(node)
    reached.cells.pop(network, None)
    return tuple(reached.cells)


def _called_by_global_names(method, syntax):
    """The cells and primitives that names in a method mean which it does not bind, each with the method's name."""
    names = {n.id for n in ast.walk(syntax) if isinstance(n, ast.Name)}
    known = {name: method.__globals__[name] for name in sorted(names & set(method.__globals__))}
    return {v: method.__name__ for v in known.values() if isinstance(v, (Cell, Primitive))}


class _Reached(ast.NodeVisitor):
    """Collects the cells that code names through ``self``; bare ``self`` and ``super()`` may mean any."""

    def __init__(self, network, self_name, beyond, methods):
        self.network, self.self_name = network, self_name
        self.cells, self.beyond, self.methods = {}, beyond, methods

    def visit_Name(self, node):
        if node.id in (self.self_name, "super"):
            called_inside(self.network, self.cells)

    def _visit_path(self, node):
        value = resolve(node, self.network, self.self_name)
        value = value.__func__ if isinstance(value, MethodType) and value.__self__ is self.network else value
        if isinstance(value, FunctionType) and isinstance(node, ast.Attribute):
            self._follow(value)
        elif value is UNKNOWN:
            self.generic_visit(node)
        else:
            called_in(value, self.cells)

    visit_Attribute = visit_Subscript = _visit_path  # noqa: N815 - ast looks methods up by these names

    def _follow(self, method):
        method = inspect.unwrap(method)
        if method in self.methods:
            return
        self.methods.add(method)
        syntax = read_function(method)
        if syntax is None or not syntax.args.args:
            called_inside(self.network, self.cells)
            return
        inside = _Reached(self.network, syntax.args.args[0].arg, self.beyond, self.methods)
        self.beyond.update(_called_by_global_names(method, syntax))
        for statement in syntax.body:
            inside.visit(statement)
        self.cells.update(inside.cells)
