"""Reached cells: which cells and primitives Python code may call, as far as that is known without running it.

Nothing of the user's runs here: a property is unknown, and code that reads one may call every cell.
"""

import ast
from types import FunctionType, MethodType

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import called_in, called_inside, is_leaf
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import Origin, OwnScope, first_argument
from minispore.rewrite.resolve.outside import UNKNOWN

__all__ = ["cells_reached"]


def cells_reached(nodes, network, self_name, beyond, sources):
    """The cells and primitives below ``network`` that code may call, methods that it calls included.

    What those methods call by names from outside is put into the dict ``beyond``, with the method's name; ``sources``
    reads them.
    """
    reached = _Reached(network, self_name, beyond, sources, set())
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

    def __init__(self, network, self_name, beyond, sources, methods):
        self.network, self.scope = network, OwnScope(network, self_name)
        self.cells, self.beyond, self.sources, self.methods = {}, beyond, sources, methods

    def visit_Name(self, node):
        if node.id in (self.scope.self_name, "super"):
            called_inside(self.network, self.cells)

    def _visit_path(self, node):
        value = self.scope.own(node)
        value = value.__func__ if isinstance(value, MethodType) and value.__self__ is self.network else value
        owner = self.scope.own(node.value) if isinstance(node, ast.Attribute) else None
        if isinstance(value, FunctionType) and isinstance(owner, Cell):
            self._follow(value, owner, node.attr)
        elif value is UNKNOWN:
            self.generic_visit(node)
        else:
            called_in(value, self.cells)

    visit_Attribute = visit_Subscript = _visit_path  # noqa: N815 - ast looks methods up by these names

    def _follow(self, function, owner, name):
        """Read a method, or a function that a cell holds, once for each cell that it is called on."""
        function, receiver = inner_function(function), first_argument(owner, name, Origin.OWN)[0]
        if is_leaf(owner) or (function, receiver) in self.methods:
            return
        self.methods.add((function, receiver))
        code = self.sources(function)
        syntax = code and code.syntax
        if syntax is not None:
            self.beyond.update(_called_by_global_names(function, syntax))
        if not isinstance(receiver, Cell):  # a static method, or a function that the cell holds
            called_in(function, self.cells)
        elif syntax is None or not syntax.args.args:
            called_inside(receiver, self.cells)
        else:
            inside = _Reached(receiver, syntax.args.args[0].arg, self.beyond, self.sources, self.methods)
            for statement in syntax.body:
                inside.visit(statement)
            self.cells.update(inside.cells)
