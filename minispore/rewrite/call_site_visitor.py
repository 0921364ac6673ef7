"""SiteFinder: an AST visitor that collects the call sites of one cell, methods and functions it calls included."""

import ast
import inspect
from types import FunctionType

from minispore.core.dtype import DType
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.call_site_functions import FollowedFunctions
from minispore.rewrite.call_site_handed import DEFAULT, HANDED, SHOWN, HandedOver
from minispore.rewrite.call_site_names import LocalNames, unwrapped
from minispore.rewrite.call_site_operators import Operators
from minispore.rewrite.call_site_unknown import MADE, UnknownCallees
from minispore.rewrite.resolve.cell_contents import callables_in
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import Origin, Scope, is_users
from minispore.rewrite.resolve.opaque_syntax import stays_python
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.site_record import FUNCTIONS, Callee, name_of, unread

__all__ = ["SiteFinder"]

_ASKING = {*map(id, (bool, callable, hasattr, id, isinstance, len, print, repr, str, type))}  # call nothing they get
_TYPES = {"half": ("Float16",), "double": ("Float64",), "bfloat16": ("BFloat16",)}  # methods of Tensors


class SiteFinder(LocalNames, FollowedFunctions, HandedOver, Operators, UnknownCallees, ast.NodeVisitor):
    """Collects the sites of one cell, methods and functions it calls included, in order of evaluation.

    The arguments are those of ``SiteRecord``. The other bases have what only some code needs: functions that it calls,
    values that it hands over, ``@`` and headers, callees that only a run knows.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.followed, self.in_python = set(), False

    def follow(self, function, root=UNKNOWN, way=Origin.NAMED, given=()):
        """Visit a function, once; ``root`` is the value of its first parameter, if it is a method.

        ``given`` holds pairs of another parameter, by index or name, and the Mentions passed to it. Returns whether the
        function has source to visit.
        """
        function = inner_function(function)
        key = function, id(root), *given
        if key in self.followed:
            return True
        self.followed.add(key)
        code = self.walk.sources(function)
        if code is None:
            return False
        before = self.scope, self.in_python, self.bound, self.known
        self._begin(function, code, root, way, given)
        static = isinstance(inspect.getattr_static(type(self.cell), function.__name__, None), staticmethod)
        held = not static and root is UNKNOWN and way is Origin.OWN  # its holder gets one with other defaults
        try:
            self._note_defaults(function, code.syntax.args, "" if held else DEFAULT)
            for statement in code.syntax.body:
                self.visit(statement)
        finally:
            self.scope, self.in_python, self.bound, self.known = before
        return True

    def _begin(self, function, code, root, way, given):
        """Know what the names in a function stand for, whose Code is visited next."""
        first = [*code.syntax.args.posonlyargs, *code.syntax.args.args][:1]
        self_name = first[0].arg if first and root is not UNKNOWN else None
        names = _other_parameters(code.syntax, self_name)
        by_name = [(names[key] if isinstance(key, int) and key < len(names) else key, each) for key, each in given]
        self.bound, self.known = dict(by_name), {name for name, _ in by_name}
        self.scope, own = Scope(function, root, self_name, way), inner_function(type(self.cell).construct)
        self.in_python = function is not own or code.names.fixed

    def _note_defaults(self, function, arguments, reason):
        """Record the cells, primitives and functions of the package that are defaults of parameters."""
        by_position = [*arguments.posonlyargs, *arguments.args]
        known = dict(function.__kwdefaults__ or {})
        for parameter, value in zip(reversed(by_position), reversed(function.__defaults__ or ()), strict=False):
            known[parameter.arg] = value
        for parameter in (*by_position, *arguments.kwonlyargs):
            if parameter.arg in known and parameter.arg not in self.bound:
                start = len(self.mentions)
                self._mention_default(parameter, known[parameter.arg], reason)
                self.bound[parameter.arg] = tuple(self.mentions[start:])
                self.known |= {parameter.arg} if self.bound[parameter.arg] else set()

    def visit(self, node):
        """Visit a node, and track if it is in Python code; a node that cannot be read becomes a site that says so."""
        before = self.in_python
        self.in_python = before or stays_python(node)
        try:
            super().visit(node)
        except Exception as error:  # an object of the user's
            self.sites.append(self._site(node, Callee(None), unread(error)))
        self.in_python = before

    def visit_Call(self, node):
        """Record a call of a cell or a primitive, after those in its arguments; follow a call of a function."""
        value, way = self._called(node.func)
        value = unwrapped(value)
        asked = id(value) in _ASKING
        arguments = [(i, each) for i, each in enumerate(node.args)] + [(k.arg, k.value) for k in node.keywords]
        handed = [(key, self._mentioned(each), each) for key, each in arguments if not (asked and self._is_shown(each))]
        if is_package_function(value) and not (isinstance(value, Primitive) and way is Origin.OWN):
            self._note(node, Callee(name_of(value)))
        elif isinstance(value, (Cell, Primitive)):
            self._note(node, Callee(value, reason=self._reason(value, way)))
        elif isinstance(value, FUNCTIONS):
            given = tuple((key, mentions) for key, mentions, each in handed if mentions or self._is_code(each))
            self._follow_function(node, node.func, value, way, given)
        elif isinstance(value, type) and issubclass(value, (Cell, Primitive)):
            self._note_made(node, value)
        elif value is UNKNOWN:
            self.walk.types.update(_TYPES.get(getattr(node.func, "attr", ""), ()))
            self._visit_unknown(node)
        elif is_users(type(value).__module__) and isinstance(_call_of(value), FunctionType):
            self.follow(_call_of(value), value, Origin.OBJECT if way is Origin.OWN else way)
        else:
            self.visit(node.func)  # a partial, for example

    def _reason(self, value, way):
        """The reason why an edit of the trees does not replace the callee; "" if it does."""
        in_construct = self.scope.function is inner_function(type(self.cell).construct)
        if way is Origin.NAMED and not in_construct:
            return "a method or function calls it by a name from outside the network"
        direct = isinstance(value, Primitive) and in_construct and not self.in_python
        return "" if way is Origin.NAMED or (way is Origin.MODULE and direct) else way.value

    def _visit_mention(self, node):
        """Record a name used without a call: passed on, bound to another name, or iterated over."""
        if not isinstance(node.ctx, ast.Load):
            if isinstance(node, ast.Name) or not self._is_shown(node.value):
                self.generic_visit(node)
            return
        value, way = self.scope(node)
        if isinstance(value, DType):
            self.walk.types.add(str(value))
        elif is_package_function(value) and not (isinstance(value, Primitive) and way is Origin.OWN):
            self._mention(node, name_of(value), HANDED)
        elif value is self.cell:
            self._mention_held(node, value)
        elif isinstance(value, SHOWN):
            for called in callables_in(value):
                named = way is Origin.OWN or (called is value and way is Origin.NAMED)
                self._mention_part(node, called, self._reason(called, way if named else Origin.DOTTED), None, way)
        elif isinstance(unwrapped(value), FUNCTIONS):
            self._follow_handed(node, node, unwrapped(value), way)
        elif isinstance(node, ast.Name) and node.id in self.made and node not in self.in_nodes:
            self._note(node, Callee(self.made[node.id], reason=MADE))
        if value is UNKNOWN and not self._is_of_cell(node):
            self.generic_visit(node)

    visit_Name = visit_Attribute = visit_Subscript = _visit_mention  # noqa: N815 - ast looks methods up by these names

    def _is_of_cell(self, node):
        """True if a node is a cell's attribute that only a run determines: a property (visited) or a new one."""
        owner = self.scope(node.value)[0] if isinstance(node, ast.Attribute) else None
        if not isinstance(owner, Cell):
            return False
        found = inspect.getattr_static(type(owner), node.attr, None)
        if isinstance(found, property) and is_users(found.fget.__module__):
            return owner is self.cell and self.follow(found.fget, owner, Origin.OWN)
        return not hasattr(type(owner), "__getattr__") or type(owner).__getattr__ is Cell.__getattr__


def _other_parameters(syntax, self_name):
    """The names of a function's positional parameters, except ``self_name``."""
    names = [each.arg for each in (*syntax.args.posonlyargs, *syntax.args.args)]
    return names[1:] if self_name is not None else names


def _call_of(value):
    return inspect.getattr_static(type(value), "__call__", None)
