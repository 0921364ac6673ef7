"""SiteFinder: a walk over the code of one cell that collects its sites; methods and functions are followed."""

import ast
import inspect
from types import FunctionType, MethodType
from typing import NamedTuple

from minispore.nn.cell import Cell
from minispore.ops.primitive import Primitive
from minispore.rewrite.holding import called_in, called_inside, is_leaf
from minispore.rewrite.meaning import UNKNOWN, Scope, Way, first_argument, is_face, is_users
from minispore.rewrite.parse.locals import must_stay_whole
from minispore.rewrite.parse.source import read_function, read_lambda
from minispore.rewrite.staying import stays_python

__all__ = ["Site", "SiteFinder", "place_of"]

_MADE = "the code makes it itself"
_DEFAULT = "it is the default of a parameter"


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


def place_of(function, line=None):
    """Where a line of a function stands, or the function itself, as ``file:line``."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}"


class SiteFinder(ast.NodeVisitor):
    """Collects the sites of one cell, those in methods and functions that it calls included."""

    def __init__(self, path, cell):
        self.path, self.cell = path, cell
        self.sites, self.followed, self.made, self.in_nodes, self.outside = [], set(), {}, set(), {}
        self.scope, self.offset, self.in_python = None, 0, False

    def follow(self, function, root=UNKNOWN, way=Way.NAMED):
        """Look through a function, once; ``root`` is what its first parameter is, where it is a method."""
        function = inspect.unwrap(function)
        syntax = None if function in self.followed else read_function(function) or read_lambda(function)
        self.followed.add(function)
        if syntax is None:
            return
        first = [*syntax.args.posonlyargs, *syntax.args.args][:1]
        self_name = first[0].arg if first and root is not UNKNOWN else None
        before = self.scope, self.offset, self.in_python
        self.scope, own = Scope(function, root, self_name, way), inspect.unwrap(type(self.cell).construct)
        self.in_python = function is not own or must_stay_whole(syntax, self_name)
        self.offset = function.__code__.co_firstlineno - _first_line(syntax)
        static = isinstance(inspect.getattr_static(type(self.cell), function.__name__, None), staticmethod)
        if static or root is not UNKNOWN or way is not Way.OWN:  # else the cell holds it, and gets another
            self._note_defaults(function, syntax.args)
        for statement in syntax.body:
            self.visit(statement)
        self.scope, self.offset, self.in_python = before

    def _note_defaults(self, function, arguments):
        """Note the cells, primitives and functions of the package that are defaults of parameters."""
        pairs = list(zip(arguments.defaults, function.__defaults__ or (), strict=False))
        known = function.__kwdefaults__ or {}
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        pairs += [(syntax, known[argument.arg]) for argument, syntax in named if argument.arg in known]
        for syntax, value in pairs:
            if is_face(value):
                self._note(syntax, _name_of(value), None, _DEFAULT)
            elif isinstance(value, (Cell, Primitive, list, tuple, dict)):
                for called in called_in(value):
                    self._note(syntax, called, None, _DEFAULT)

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
            self._note(node, _name_of(value))
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
        return "" if way is Way.NAMED or (way is Way.MODULE and direct) else way.value

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
                self._note(node, _name_of(value), None, "it is handed over as a value")
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

    def visit_AugAssign(self, node):
        """Note a matrix product that is assigned to its first factor."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            stays = "" if isinstance(node.target, ast.Name) else "it is assigned to what is no name"
            self._note(node, "matmul", "@=", stays)

    def _note(self, node, called, text=None, reason=""):
        """Note a site; of a cell of the user's that no edit reaches, what it holds."""
        text = ast.unparse(getattr(node, "func", node)) if text is None else text
        place = place_of(self.scope.function, node.lineno + self.offset)
        if isinstance(called, Cell) and not is_leaf(called):
            self.outside.update({} if reason else {called: text})
            inside = called_inside(called) if reason else ()
        else:
            inside = (called,)
        self.sites += [Site(place, self.path, text, each, reason, self.cell) for each in inside]


def _name_of(face):
    return getattr(face, "name", None) or face.__name__


def _call_of(value):
    return inspect.getattr_static(type(value), "__call__", None)


def _first_line(syntax):
    return min([syntax.lineno, *(decorator.lineno for decorator in syntax.decorator_list)])
