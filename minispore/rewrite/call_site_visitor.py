"""SiteFinder: an AST visitor that collects the call sites of one cell, methods and functions it calls included."""

import ast
import inspect
from types import FunctionType, MethodType

from minispore.core.dtype import DType
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional
from minispore.rewrite.call_site_names import LocalNames, unwrapped
from minispore.rewrite.resolve.cell_contents import COLLECTIONS, callables_in, is_leaf, parts_of
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import Origin, Scope, first_argument, is_users, module_of
from minispore.rewrite.resolve.opaque_syntax import stays_python
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.site_record import FUNCTIONS, NAMED, Callee, name_of, unread

__all__ = ["SiteFinder"]

_MADE = "the code makes it itself"
_DEFAULT = "it is the default of a parameter"
_CALLED_LATER = "the code makes it here, and may call it elsewhere"
_HANDED = "it is handed over as a value"
_OF_TENSOR = "it is called as a method of a Tensor"
_ASKING = {*map(id, (bool, callable, hasattr, id, isinstance, len, print, repr, str, type))}  # call nothing they get
_GIVING_CELLS = ("cells", "cells_and_names", "name_cells")
_TYPES = {"half": ("Float16",), "double": ("Float64",), "bfloat16": ("BFloat16",)}  # methods of Tensors
_SHOWN = (Cell, Primitive, *COLLECTIONS)  # values that show their parts; a function does not


class SiteFinder(LocalNames, ast.NodeVisitor):
    """Collects the sites of one cell, methods and functions it calls included, in order of evaluation.

    The arguments are those of ``SiteRecord``.
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
            self._note_defaults(function, code.syntax.args, "" if held else _DEFAULT)
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

    def _mention_default(self, parameter, value, reason):
        if is_package_function(value):
            self._mention(parameter, name_of(value), reason or _DEFAULT, parameter.arg)
        elif isinstance(value, _SHOWN):
            for called in callables_in(value):
                self._mention_part(parameter, called, reason, parameter.arg)

    def visit(self, node):
        """Visit a node, and track if it is in Python code; a node that cannot be read becomes a site that says so."""
        before = self.in_python
        self.in_python = before or stays_python(node)
        try:
            super().visit(node)
        except Exception as error:  # an object of the user's
            self.sites.append(self._site(node, Callee(None), unread(error)))
        self.in_python = before

    def _visit_headed(self, node):
        """Visit the header of a statement as Python code: it need not be a node."""
        before, self.in_python = self.in_python, True
        if isinstance(node, ast.For):
            self._bind_each(node.target, node.iter)
        elif not self._is_shown(node.test):
            self.visit(node.test)
        self.in_python = before
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    visit_If = visit_While = visit_For = _visit_headed  # noqa: N815 - ast looks methods up by these names

    def visit_Compare(self, node):
        """Visit the operands; comparing a cell with None or another cell does not call it."""
        for part in (node.left, *node.comparators):
            if not self._is_shown(part):
                self.visit(part)

    def _is_shown(self, expression):
        """True if an expression is a cell or primitive, or contains some: testing it does not call it."""
        return isinstance(self.scope(expression)[0], (Cell, Primitive, list, tuple, dict))

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

    def _visit_unknown(self, node):
        """Record the possible values of a local name that is called, or else the mentions of the callee."""
        found, start = self.found, len(self.mentions)
        bound = self.bound.get(node.func.id, ()) if isinstance(node.func, ast.Name) else ()
        for mention in dict.fromkeys(bound):
            self._note_mentioned(node, mention)
        self.in_nodes.add(node.func)
        self.visit(node.func)
        if not isinstance(node.func, ast.Call):  # one of several that the callee names, as in self.layers[i](x)
            for mention in dict.fromkeys(self.mentions[start:]):
                self._note_mentioned(node, mention, NAMED)
        self._note_unknown(node)
        if not self._is_known(node.func) and (self.found == found or isinstance(node.func, ast.Name)):
            self.sites.append(self._site(node, Callee(None)))

    def _reason(self, value, way):
        """The reason why an edit of the trees does not replace the callee; "" if it does."""
        in_construct = self.scope.function is inner_function(type(self.cell).construct)
        if way is Origin.NAMED and not in_construct:
            return "a method or function calls it by a name from outside the network"
        direct = isinstance(value, Primitive) and in_construct and not self.in_python
        return "" if way is Origin.NAMED or (way is Origin.MODULE and direct) else way.value

    def _follow_function(self, node, callee, value, way, given=()):
        """Visit a function that is called or handed over: a method, or a function of the cell, an object or a module.

        ``node`` is the call, or the ``callee`` itself where that is handed over.
        """
        root, owner, name = UNKNOWN, None, value.__name__
        if isinstance(value, MethodType):
            root = owner = value.__self__
            value = value.__func__
            name = "__call__" if value is Cell.__call__ else name
            way = (Origin.OWN if root is self.cell else way) if isinstance(root, Cell) else Origin.OBJECT
        elif isinstance(callee, ast.Attribute):
            owner, name = self._owner(callee), callee.attr
            if isinstance(owner, Cell) and name in _GIVING_CELLS and not is_users(value.__module__):
                self._mention_held(node, owner)
                return
            root, way = first_argument(owner, name, way)
            if root is UNKNOWN and isinstance(owner, type) and issubclass(owner, Cell):
                root, given = self._given_self(node, owner, given)
        if isinstance(owner, Cell) and owner is not self.cell:
            callee = Callee(owner, reason=self._reason(owner, way), held=True)
            self._follow_of_cell(node, callee, name, value, root)
        elif is_users(module_of(value)):
            self.follow(value, root, Origin.OWN if root is self.cell else way, given)

    def _follow_handed(self, node, callee, value, way):
        """Visit a function that the code names without calling it: its calls may never happen."""
        before = {id(site) for site in self.sites}
        self._follow_function(node, callee, value, way)
        self.sites = [s if s.doubt or id(s) in before else s._replace(doubt=NAMED) for s in self.sites]

    def _owner(self, callee):
        """The owner of an attribute; the cell itself behind ``super()``."""
        return self.cell if isinstance(callee.value, ast.Call) else self.scope(callee.value)[0]

    def _given_self(self, node, kind, given):
        """The cell in ``Base.construct(self, x)``, and the other arguments."""
        first = self.scope(node.args[0])[0] if isinstance(node, ast.Call) and node.args else UNKNOWN
        if not isinstance(first, kind):
            return UNKNOWN, given
        others = [(key - 1 if isinstance(key, int) else key, each) for key, each in given if key != 0]
        return first, tuple(others)

    def _follow_of_cell(self, node, callee, name, value, root):
        """Record or visit a method of another cell: it runs under this cell's mark."""
        if name == "__call__":
            self._note(node, callee)
        elif name == "construct" or not hasattr(Cell, name):
            if is_leaf(callee.called):
                self._note(node, callee._replace(reason="its method is called, not it"))
            else:
                self._look_into(node, callee, value, root)

    def _look_into(self, node, callee, value, root):
        text, owner = ast.unparse(getattr(node, "func", node)).rpartition(".")[0], callee.called
        inside = SiteFinder(text, owner, self.walk, self.runs, self.reason or callee.reason)
        inside.path, inside.followed = self.walk.path_of(owner, text), self.followed
        inside.follow(value, root, Origin.OWN)
        self.sites += inside.finished()

    def _note_made(self, node, kind):
        """Record the class of an object that the code makes, except primitives that a node calls at once or by name."""
        if (
            issubclass(kind, Cell)
            and isinstance(vars(kind).get("__init__"), FunctionType)
            and is_users(kind.__module__)
        ):
            self.follow(kind.__init__)
        elif issubclass(kind, Cell) or self.in_python or node not in self.in_nodes:
            self._note(node, Callee(kind, reason=_MADE), "" if node in self.in_nodes else _CALLED_LATER)
        elif node not in self.named:
            self._note(node, Callee(kind))

    def _note_unknown(self, node):
        """Record a Tensor method that stands for a primitive, and a primitive that the code made before."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in functional.__all__ and hasattr(Tensor, name):
            self._note(node, Callee(name, reason=_OF_TENSOR), is_method=True)
        elif isinstance(node.func, ast.Name) and node.func.id in self.made:
            self._note(node, Callee(self.made[node.func.id], reason=_MADE if self.in_python else ""))

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
            self._mention(node, name_of(value), _HANDED)
        elif value is self.cell:
            self._mention_held(node, value)
        elif isinstance(value, _SHOWN):
            for called in callables_in(value):
                named = way is Origin.OWN or (called is value and way is Origin.NAMED)
                self._mention_part(node, called, self._reason(called, way if named else Origin.DOTTED), None, way)
        elif isinstance(unwrapped(value), FUNCTIONS):
            self._follow_handed(node, node, unwrapped(value), way)
        elif isinstance(node, ast.Name) and node.id in self.made and node not in self.in_nodes:
            self._note(node, Callee(self.made[node.id], reason=_MADE))
        if value is UNKNOWN and not self._is_of_cell(node):
            self.generic_visit(node)

    visit_Name = visit_Attribute = visit_Subscript = _visit_mention  # noqa: N815 - ast looks methods up by these names

    def _mention_part(self, node, called, reason, text=None, way=Origin.NAMED):
        """Mention a cell, a primitive or a function of the package; visit a function of the user's."""
        if isinstance(called, FunctionType) and is_package_function(called):
            self._mention(node, name_of(called), _HANDED, text)
        elif isinstance(called, FUNCTIONS):
            self._follow_handed(node, None, called, way)
        else:
            self._mention(node, called, reason, text)

    def _is_of_cell(self, node):
        """True if a node is a cell's attribute that only a run determines: a property (visited) or a new one."""
        owner = self.scope(node.value)[0] if isinstance(node, ast.Attribute) else None
        if not isinstance(owner, Cell):
            return False
        found = inspect.getattr_static(type(owner), node.attr, None)
        if isinstance(found, property) and is_users(found.fget.__module__):
            return owner is self.cell and self.follow(found.fget, owner, Origin.OWN)
        return not hasattr(type(owner), "__getattr__") or type(owner).__getattr__ is Cell.__getattr__

    def _mention_held(self, node, cell):
        """Mention all cells and primitives that a cell holds: it is passed on, or its children are requested."""
        for called in callables_in(parts_of(cell)):
            self._mention_part(node, called, "", None, Origin.OWN)

    def visit_Constant(self, node):
        """Record the name of a type, as in ``x.astype("float16")``."""
        if isinstance(node.value, str):
            self.walk.types.add(node.value)

    def visit_BinOp(self, node):
        """Record a matrix product."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            self._note(node, Callee("matmul", "@"))

    def visit_AugAssign(self, node):
        """Record an augmented matrix product."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            stays = "" if isinstance(node.target, ast.Name) else "its target is not a plain name"
            self._note(node, Callee("matmul", "@=", stays))


def _other_parameters(syntax, self_name):
    """The names of a function's positional parameters, except ``self_name``."""
    names = [each.arg for each in (*syntax.args.posonlyargs, *syntax.args.args)]
    return names[1:] if self_name is not None else names


def _call_of(value):
    return inspect.getattr_static(type(value), "__call__", None)
