"""Sites: where in the user's source a network calls its cells, its primitives and the functions that stand for some.

Unlike a tree, which is to be edited, a list of sites looks into everything: loops, lambdas, methods.
"""

import ast
import inspect
from types import FunctionType
from typing import NamedTuple

from minispore.nn.cell import Cell
from minispore.nn.container import CellList, SequentialCell
from minispore.ops.primitive import Primitive
from minispore.rewrite.holding import is_leaf
from minispore.rewrite.parse.lookup import resolve
from minispore.rewrite.parse.source import read_function

__all__ = ["Site", "call_sites"]


class Site(NamedTuple):
    """One call: ``place`` is ``file:line``, ``owner`` the path of the calling cell, ``text`` what it calls, as written.

    ``called`` is the Cell or Primitive; for an operator or a function of the package, its name.
    """

    place: str
    owner: str
    text: str
    called: object


def call_sites(network):
    """Every call of a leaf in the constructs of a network's own cells, in the order of the cells and of evaluation.

    A leaf whose call is not found by its name (the element of a container, or of a list that a loop runs over) stands
    where the cell that holds it is called, or else at the construct of that cell.

    Returns:
        list[Site].
    """
    sites, places = [], {}
    for path, cell in network.cells_and_names():
        if is_leaf(cell) and cell is not network:
            continue
        found = _Sites(path, cell)
        if type(cell) not in (SequentialCell, CellList):
            found.follow(type(cell).construct)
        sites += found.sites
        places.update((site.called, site.place) for site in found.sites if isinstance(site.called, Cell))
        for name, child in cell._cells.items():
            if child is not None and child not in places:
                places[child] = places.get(cell) or _place(inspect.unwrap(type(cell).construct))
                sites.append(Site(places[child], path, f"self.{name}", child))
    return [site for site in sites if not isinstance(site.called, Cell) or is_leaf(site.called)]


def _place(function, line=None):
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}"


class _Sites(ast.NodeVisitor):
    """Collects the sites of one cell, methods that it calls included."""

    def __init__(self, path, cell):
        self.path, self.cell = path, cell
        self.sites, self.followed = [], set()

    def follow(self, function):
        """Look through a function of the cell's class, once."""
        function = inspect.unwrap(function)
        syntax = None if function in self.followed else read_function(function)
        self.followed.add(function)
        if syntax is None or not syntax.args.args:
            return
        outer = getattr(self, "here", None)
        self.here = function, syntax.args.args[0].arg, function.__code__.co_firstlineno - _first_line(syntax)
        for statement in syntax.body:
            self.visit(statement)
        self.here = outer

    def visit_Call(self, node):
        """Note a call of a cell or a primitive, after those in its arguments; follow one of a method."""
        self.generic_visit(node)
        function, self_name, _ = self.here
        called = resolve(node.func, self.cell, self_name)
        if isinstance(called, FunctionType):
            self.follow(called)
        elif isinstance(called, (Cell, Primitive)):
            self._note(node, called)
        else:
            outside = _outside(node.func, function)
            face = (getattr(outside, "__module__", None) or "").startswith("minispore.ops.functional")
            if face or isinstance(outside, Primitive):
                self._note(node, getattr(outside, "name", None) or outside.__name__)

    def visit_BinOp(self, node):
        """Note a matrix product."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            self._note(node, "matmul", "@")

    def _note(self, node, called, text=None):
        function, _, offset = self.here
        text = ast.unparse(node.func) if text is None else text
        self.sites.append(Site(_place(function, node.lineno + offset), self.path, text, called))


def _first_line(syntax):
    return min([syntax.lineno, *(decorator.lineno for decorator in syntax.decorator_list)])


def _outside(expression, function):
    """What a dotted name means in the function's module; None if it cannot be told without running anything."""
    if isinstance(expression, ast.Name):
        return function.__globals__.get(expression.id)
    if not isinstance(expression, ast.Attribute):
        return None
    holder = _outside(expression.value, function)
    return getattr(holder, expression.attr, None) if inspect.ismodule(holder) else None
