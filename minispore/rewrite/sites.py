"""Sites: where in the user's source a network calls its cells, its primitives and the functions that stand for some.

Unlike a tree, which is to be edited, a list of sites looks into everything: loops, lambdas, methods, functions of the
user's modules. A site that no edit of the trees reaches says why.
"""

import ast
import inspect
from types import FunctionType, MethodType
from typing import NamedTuple

from minispore.nn.cell import Cell
from minispore.nn.container import CellList, SequentialCell
from minispore.ops.primitive import Primitive
from minispore.rewrite.holding import called_in, called_inside, is_leaf
from minispore.rewrite.meaning import UNKNOWN, Scope, Way, first_argument, held_by_objects, is_face, is_users
from minispore.rewrite.parse.locals import must_stay_whole
from minispore.rewrite.parse.source import read_function
from minispore.rewrite.staying import stays_python

__all__ = ["Site", "call_sites"]

_MADE = "the code makes it itself"


class Site(NamedTuple):
    """One call: ``place`` is ``file:line``, ``owner`` the path of the calling cell, ``text`` what it calls, as written.

    ``called`` is the Cell or Primitive; for an operator or a function of the package, or a class of which the code
    makes an object, its name. ``reason`` says why an edit of the trees does not reach it; "" where one does.
    ``cell`` is the calling cell.
    """

    place: str
    owner: str
    text: str
    called: object
    reason: str = ""
    cell: object = None


def call_sites(network):
    """Every call of a leaf in the constructs of a network's own cells, in the order of the cells and of evaluation.

    A leaf whose call is not found by its name (the element of a container, or of a list that a loop runs over) stands
    where the cell that holds it is called, or else at the construct of that cell.

    Returns:
        list[Site].
    """
    sites, places = [], {}
    waiting = [(path, cell) for path, cell in network.cells_and_names() if not is_leaf(cell) or cell is network]
    known = {cell for _, cell in waiting}
    for path, cell in waiting:
        found, outside = _sites_of(path, cell)
        sites += found
        more = [
            (f"{text}.{name}".rstrip("."), each)
            for one, text in outside.items()
            for name, each in one.cells_and_names()
        ]
        waiting += [(name, each) for name, each in more if not is_leaf(each) and each not in known]
        known.update(each for _, each in more)
        places.update((site.called, site.place) for site in found if isinstance(site.called, Cell))
        for name, child in cell._cells.items():
            if child is not None and child not in places:
                places[child] = places.get(cell) or _place(inspect.unwrap(type(cell).construct))
                sites.append(Site(places[child], path, f"self.{name}", child, "", cell))
    return [site for site in sites if not isinstance(site.called, Cell) or is_leaf(site.called)]


def _sites_of(path, cell):
    """The sites in what a cell's construct runs, and of what objects hold that it holds; the user's cells it names."""
    if type(cell) in (SequentialCell, CellList):
        return [], {}
    found = _Sites(path, cell)
    construct = inspect.unwrap(type(cell).construct)
    found.follow(construct, cell, Way.OWN)
    known = {site.called for site in found.sites if site.reason}
    for called, holder in held_by_objects(cell).items():
        if called not in known:
            text = f"{type(called).__name__} of {holder}"
            found.sites.append(Site(_place(construct), path, text, called, f"{holder} holds it", cell))
    return found.sites, found.outside


def _place(function, line=None):
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}"


class _Sites(ast.NodeVisitor):
    """Collects the sites of one cell, those in methods and functions that it calls included."""

    def __init__(self, path, cell):
        self.path, self.cell = path, cell
        self.sites, self.followed, self.made, self.in_nodes, self.outside = [], set(), {}, set(), {}
        self.scope, self.offset, self.in_python = None, 0, False

    def follow(self, function, root=UNKNOWN, way=Way.NAMED):
        """Look through a function, once; ``root`` is what its first parameter is, where it is a method."""
        function = inspect.unwrap(function)
        syntax = None if function in self.followed else read_function(function)
        self.followed.add(function)
        if syntax is None:
            return
        first = [*syntax.args.posonlyargs, *syntax.args.args][:1]
        self_name = first[0].arg if first and root is not UNKNOWN else None
        before = self.scope, self.offset, self.in_python
        self.scope, own = Scope(function, root, self_name, way), inspect.unwrap(type(self.cell).construct)
        self.in_python = function is not own or must_stay_whole(syntax, self_name)
        self.offset = function.__code__.co_firstlineno - _first_line(syntax)
        for statement in syntax.body:
            self.visit(statement)
        self.scope, self.offset, self.in_python = before

    def visit(self, node):
        """Visit a node, knowing whether it stands in Python code."""
        before = self.in_python
        self.in_python = before or stays_python(node)
        super().visit(node)
        self.in_python = before

    def _visit_headed(self, node):
        """What stands in the head of a statement need not be a node."""
        before, self.in_python = self.in_python, True
        self.visit(node.iter if isinstance(node, ast.For) else node.test)
        self.in_python = before
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    visit_If = visit_While = visit_For = _visit_headed  # noqa: N815 - ast looks methods up by these names

    def visit_Call(self, node):
        """Note a call of a cell or a primitive, after those in its arguments; follow one of a function."""
        value, way = self._called(node.func)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.visit(argument)
        if is_face(value) and not (isinstance(value, Primitive) and way is Way.OWN):
            self._note(node, getattr(value, "name", None) or value.__name__)
        elif isinstance(value, (Cell, Primitive)):
            self._note(node, value, None, self._reason(value, way))
        elif isinstance(value, (FunctionType, MethodType)):
            self._follow_called(node, value, way)
        elif isinstance(value, type) and issubclass(value, (Cell, Primitive)):
            self._note_made(node, value)
        elif value is UNKNOWN:
            self.in_nodes.add(node.func)
            self.visit(node.func)
            self._note_unknown(node)
        elif is_users(type(value).__module__) and isinstance(_call_of(value), FunctionType):
            self.follow(_call_of(value), value, Way.OBJECT if way is Way.OWN else way)

    def _called(self, callee):
        """What is called, and how the code comes by it; what ``super().f`` means too."""
        if not (isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Call)):
            return self.scope(callee)
        name = callee.value.func
        start = self.scope(ast.Name("__class__", ast.Load()))[0]
        if not (isinstance(name, ast.Name) and name.id == "super") or not isinstance(start, type):
            return UNKNOWN, self.scope.way
        bases = type(self.cell).__mro__
        behind = bases[bases.index(start) + 1 :] if start in bases else ()
        return next((vars(base)[callee.attr] for base in behind if callee.attr in vars(base)), UNKNOWN), self.scope.way

    def _reason(self, value, way):
        """Why an edit of the trees does not exchange what is called; "" if it does."""
        in_construct = self.scope.function is inspect.unwrap(type(self.cell).construct)
        if way is Way.NAMED and not in_construct:
            return "a method or function calls it by a name from outside the network"
        direct = isinstance(value, Primitive) and in_construct and not self.in_python
        return "" if way is Way.NAMED or (way is Way.DOTTED and direct) else way.value

    def _follow_called(self, node, value, way):
        """Look through a function that is called: a method of the cell or of an object, or a function of a module."""
        root = UNKNOWN
        if isinstance(value, MethodType):
            root, value = value.__self__, value.__func__
            way = Way.OWN if root is self.cell else Way.OBJECT
        elif isinstance(node.func, ast.Attribute):
            behind_super = isinstance(node.func.value, ast.Call)
            owner = self.cell if behind_super else self.scope(node.func.value)[0]
            if isinstance(owner, Cell) and owner is not self.cell:
                direct = node.func.attr == "__call__"
                self._note(node, owner, None, self._reason(owner, way) if direct else "its method is called, not it")
                return
            root, way = first_argument(owner, node.func.attr, way)
        if is_users(value.__module__):
            self.follow(value, root, way)

    def _note_made(self, node, kind):
        """Note what the code makes objects of, but for primitives that a node calls at once, or by their name."""
        if (
            issubclass(kind, Cell)
            and isinstance(vars(kind).get("__init__"), FunctionType)
            and is_users(kind.__module__)
        ):
            self.follow(kind.__init__)
        elif issubclass(kind, Cell) or self.in_python or node not in self.in_nodes:
            self._note(node, kind.__name__, None, _MADE)

    def _note_unknown(self, node):
        """Note a method of a Tensor that stands for a primitive, and a primitive that the code made before."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "matmul":
            self._note(node, "matmul", None, "it is called as a method of a Tensor")
        elif isinstance(node.func, ast.Name) and self.in_python and node.func.id in self.made:
            self._note(node, self.made[node.func.id], None, _MADE)

    def visit_Assign(self, node):
        """Know the names of primitives that the code makes."""
        made = self._called(node.value.func)[0] if isinstance(node.value, ast.Call) else None
        if isinstance(made, type) and issubclass(made, Primitive) and isinstance(node.targets[0], ast.Name):
            self.made[node.targets[0].id] = made.__name__
            self.in_nodes.add(node.value)
        self.generic_visit(node)

    def _visit_mention(self, node):
        """What is named without being called: handed over, bound to another name, run over by a loop."""
        if isinstance(node.ctx, ast.Load):
            value, way = self.scope(node)
            if is_face(value):
                self._note(node, getattr(value, "name", None) or value.__name__, None, "it is handed over as a value")
            elif way is not Way.OWN and value is not UNKNOWN:
                for called in called_in(value) if isinstance(value, (Cell, Primitive, list, tuple, dict)) else ():
                    named = called is value and way is Way.NAMED
                    self._note(node, called, None, self._reason(called, Way.NAMED if named else Way.DOTTED))
            elif isinstance(node, ast.Name) and node.id in self.made and node not in self.in_nodes:
                self._note(node, self.made[node.id], None, _MADE)
            if value is not UNKNOWN:
                return
        self.generic_visit(node)

    visit_Name = visit_Attribute = visit_Subscript = _visit_mention  # noqa: N815 - ast looks methods up by these names

    def visit_BinOp(self, node):
        """Note a matrix product."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            self._note(node, "matmul", "@")

    def _note(self, node, called, text=None, reason=""):
        """Note a site; of a cell of the user's that no edit reaches, what it holds."""
        text = ast.unparse(getattr(node, "func", node)) if text is None else text
        place = _place(self.scope.function, node.lineno + self.offset)
        if isinstance(called, Cell) and not is_leaf(called):
            self.outside.update({} if reason else {called: text})
            inside = called_inside(called) if reason else ()
        else:
            inside = (called,)
        self.sites += [Site(place, self.path, text, each, reason, self.cell) for each in inside]


def _call_of(value):
    return inspect.getattr_static(type(value), "__call__", None)


def _first_line(syntax):
    return min([syntax.lineno, *(decorator.lineno for decorator in syntax.decorator_list)])
