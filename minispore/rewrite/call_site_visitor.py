"""SiteFinder: an AST visitor that collects the call sites of one cell, methods and functions it calls included."""

import ast
import inspect
from types import FunctionType, MethodType
from typing import NamedTuple

from minispore.dtype import DType
from minispore.nn.cell import Cell
from minispore.ops import functional
from minispore.ops.primitive import Primitive
from minispore.rewrite.resolve.cell_contents import COLLECTIONS, callables_in, is_leaf, parts_of
from minispore.rewrite.resolve.expression_value import Origin, Scope, first_argument, is_users
from minispore.rewrite.resolve.local_names import must_stay_whole
from minispore.rewrite.resolve.opaque_syntax import stays_python
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.resolve.source import read_function, read_lambda
from minispore.tensor import Tensor

__all__ = ["NEVER", "Site", "SiteFinder", "called_as", "place_of"]

_MADE = "the code makes it itself"
_DEFAULT = "it is the default of a parameter"
NEVER = "no call of it is found"
_NAMED = "the code names it, and may call it elsewhere"
_CALLED_LATER = "the code makes it here, and may call it elsewhere"
_HANDED = "it is handed over as a value"
_OF_TENSOR = "it is called as a method of a Tensor"
_ASKING = (bool, callable, hasattr, id, isinstance, len, print, repr, str, type)  # they call nothing that they get
_PAIRING = ("enumerate", "zip")
_GIVING_CELLS = ("cells", "cells_and_names", "name_cells")
_TYPES = {"half": ("Float16",), "double": ("Float64",), "bfloat16": ("BFloat16",)}  # methods of Tensors
_SHOWN = (Cell, Primitive, *COLLECTIONS)  # what shows its parts, which a function does not
_FUNCTIONS = (FunctionType, MethodType)
_PYTHONS = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, object)
_METHODS = {name for kind in (Tensor, *_PYTHONS) for name in dir(kind)}  # no cell is called by them


class Site(NamedTuple):
    """One call: ``place`` is ``file:line``, ``owner`` the path of the calling cell, ``text`` the callee as written.

    ``called`` is the Cell or Primitive; for a function of the package, an operator or a method of a Tensor the name of
    the function; for an object made by the code its class. ``reason`` says why no edit of the trees reaches it; "" if
    one does. ``cell`` is the cell whose mark the call runs under. ``path`` is the callee's path in the network, or else
    ``text``. ``doubt`` says why the call may never happen; "" if the code calls it by name. ``is_method`` says that the
    code calls a method of that name, which is the function of the package if the object is a Tensor. ``called`` is None
    where what is called is known only at run time.
    """

    place: str
    owner: str
    text: str
    called: object
    reason: str = ""
    cell: object = None
    path: str = ""
    doubt: str = ""
    is_method: bool = False


class Mention(NamedTuple):
    """A name used without a call: its value, its text, why no edit of the trees reaches it, and its place."""

    called: object
    text: str
    reason: str
    place: str


def place_of(function, line=None):
    """The place of a line of a function, or of the function itself, as ``file:line``."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}"


class SiteFinder(ast.NodeVisitor):
    """Collects the sites of one cell, methods and functions it calls included, in order of evaluation.

    A value that the code mentions without calling may be called elsewhere under another name: if no call is found that
    goes back to the mention, the site is placed at the mention, with a doubt.

    Args:
        path (str): The path of the cell.
        cell (Cell): The cell.
        walk (object): With ``enter(site)``, which gives the sites inside a user's cell or a container, for others the
            site itself, and ``path_of(called, text)``, which gives the path of the callee, or else the text.
        runs (Cell): The cell whose mark the code runs under. Default: None, the cell itself.
        reason (str): Why no edit reaches anything in the cell. Default: "".
    """

    def __init__(self, path, cell, walk, runs=None, reason=""):
        self.path, self.cell, self.walk, self.reason = path, cell, walk, reason
        self.runs = cell if runs is None else runs
        self.sites, self.followed, self.made, self.in_nodes, self.named = [], set(), {}, set(), set()
        self.mentions, self.waiting, self.called, self.bound, self.known = [], {}, set(), {}, set()
        self.found = 0
        self.scope, self.offset, self.in_python = None, 0, False

    def finished(self):
        """The sites, and, at their places, the mentions for which no call was found."""
        waiting = set(map(id, self.waiting.values()))
        parts = [self.walk.enter(site) if id(site) in waiting else [site] for site in self.sites]
        return [site for part in parts for site in part]

    def follow(self, function, root=UNKNOWN, way=Origin.NAMED, given=()):
        """Visit a function, once; ``root`` is the value of its first parameter, if it is a method.

        ``given`` holds pairs of another parameter, by index or name, and the Mentions passed to it. Returns whether the
        function has source to visit.
        """
        function = inspect.unwrap(function)
        key = function, id(root), *given
        if key in self.followed:
            return True
        self.followed.add(key)
        syntax = read_function(function) or read_lambda(function)
        if syntax is None:
            return False
        first = [*syntax.args.posonlyargs, *syntax.args.args][:1]
        self_name = first[0].arg if first and root is not UNKNOWN else None
        before = self.scope, self.offset, self.in_python, self.bound, self.known
        names = _other_parameters(syntax, self_name)
        by_name = [(names[key] if isinstance(key, int) and key < len(names) else key, each) for key, each in given]
        self.bound, self.known = dict(by_name), {name for name, _ in by_name}
        self.scope, own = Scope(function, root, self_name, way), inspect.unwrap(type(self.cell).construct)
        self.in_python = function is not own or must_stay_whole(syntax, self_name)
        self.offset = function.__code__.co_firstlineno - _first_line(syntax)
        static = isinstance(inspect.getattr_static(type(self.cell), function.__name__, None), staticmethod)
        held = (
            not static and root is UNKNOWN and way is Origin.OWN
        )  # the function's holder gets one with other defaults
        self._note_defaults(function, syntax.args, "" if held else _DEFAULT)
        for statement in syntax.body:
            self.visit(statement)
        self.scope, self.offset, self.in_python, self.bound, self.known = before
        return True

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
            self._mention(parameter, _name_of(value), reason or _DEFAULT, parameter.arg)
        elif isinstance(value, _SHOWN):
            for called in callables_in(value):
                self._mention_part(parameter, called, reason, parameter.arg)

    def visit(self, node):
        """Visit a node, tracking whether it is in Python code."""
        before = self.in_python
        self.in_python = before or stays_python(node)
        super().visit(node)
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

    def _visit_comprehension(self, node):
        """Visit the loops before the element, in the order in which they run."""
        for generator in node.generators:
            self._bind_each(generator.target, generator.iter)
            for test in generator.ifs:
                self.visit(test)
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                self.visit(getattr(node, field))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815 - as above

    def visit_Compare(self, node):
        """Visit the operands; comparing a cell with None or another cell does not call it."""
        for part in (node.left, *node.comparators):
            if not self._is_shown(part):
                self.visit(part)

    def _is_shown(self, expression):
        """Whether an expression is a cell or primitive, or contains some: testing it does not call it."""
        return isinstance(self.scope(expression)[0], (Cell, Primitive, list, tuple, dict))

    def _mentioned(self, expression):
        """Visit an expression; returns its mentions."""
        start = len(self.mentions)
        self.visit(expression)
        return tuple(self.mentions[start:])

    def _bind(self, target, mentions, is_known):
        """Record the possible values of the names in a target, and whether the code shows what they may call."""
        for name in ast.walk(target):
            if isinstance(name, ast.Name):
                self.bound[name.id] = (*self.bound.get(name.id, ()), *mentions)
                (self.known.add if is_known else self.known.discard)(name.id)

    def visit_FunctionDef(self, node):
        """Visit a function or class that the code makes: its name calls nothing else."""
        self.known.add(node.name)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # noqa: N815 - ast looks methods up by these names

    def visit_Lambda(self, node):
        """Bind the parameters that have defaults, and visit the body."""
        arguments = node.args
        by_position = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(by_position), reversed(arguments.defaults), strict=False)][::-1]
        for parameter, default in (*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
            self._bind_each(ast.Name(parameter.arg, ast.Store()), default)
        self.visit(node.body)

    def visit_Import(self, node):
        """Note the names of modules and functions that call no cell: those of Python and NumPy."""
        module = getattr(node, "module", None)
        for name in node.names:
            source = (module or name.name).partition(".")[0]
            if not is_users(source) and source != "minispore":
                self.known.add((name.asname or name.name).partition(".")[0])

    visit_ImportFrom = visit_Import  # noqa: N815 - as above

    def visit_NamedExpr(self, node):
        """Bind the name of an assignment within an expression."""
        self._bind_each(node.target, node.value)

    def visit_AnnAssign(self, node):
        """Bind the name of an assignment with a type."""
        self._bind_each(node.target, node.value)

    def _bind_each(self, target, value, parallel=False):
        """Bind a target to the mentions of an expression, part by part over zip and in a ``parallel`` assignment."""
        targets, values = _parts(target), _parts(value) if parallel else []
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _PAIRING:
            values = ([None] if value.func.id == "enumerate" else []) + value.args
        if len(targets) > 1 and len(targets) == len(values):
            for part, of in zip(targets, values, strict=True):
                self._bind_each(part, of, parallel)
        elif value is not None:
            mentions = self._mentioned(value)
            self._bind(target, mentions, bool(mentions) or self._is_code(value))

    def visit_Call(self, node):
        """Record a call of a cell or a primitive, after those in its arguments; follow a call of a function."""
        value, way = self._called(node.func)
        value = _unwrapped(value)
        asked = any(value is function for function in _ASKING)
        arguments = [(i, each) for i, each in enumerate(node.args)] + [(k.arg, k.value) for k in node.keywords]
        handed = [(key, self._mentioned(each), each) for key, each in arguments if not (asked and self._is_shown(each))]
        if is_package_function(value) and not (isinstance(value, Primitive) and way is Origin.OWN):
            self._note(node, _name_of(value))
        elif isinstance(value, (Cell, Primitive)):
            self._note(node, value, None, self._reason(value, way))
        elif isinstance(value, _FUNCTIONS):
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
                self._note_mentioned(node, mention, _NAMED)
        self._note_unknown(node)
        if not self._is_known(node.func) and (self.found == found or isinstance(node.func, ast.Name)):
            self.sites.append(self._site(node, None, None, "", False))

    def _is_known(self, callee):
        """Whether the code shows what an expression of unknown value may call."""
        if isinstance(callee, ast.Name):
            return callee.id in self.known or callee.id in self.made
        if isinstance(callee, ast.Subscript):
            return self._is_known(callee.value)
        if isinstance(callee, ast.Attribute):
            holder = self.scope(callee.value)[0]
            if holder is not UNKNOWN:
                return callee.attr in _METHODS or not (isinstance(holder, Cell) or is_users(type(holder).__module__))
            return callee.attr in _METHODS or self._is_known(callee.value)
        return self._is_code(callee)

    def _is_code(self, expression):
        """Whether an expression makes or names a function whose code is visited, or anything of known value."""
        for node in ast.walk(expression):
            if isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in self.known):
                return True
            if isinstance(_unwrapped(self.scope(node)[0]), _FUNCTIONS):
                return True
            if isinstance(node, ast.Call) and self._gives_code(_unwrapped(self._called(node.func)[0])):
                return True
        return self.scope(expression)[0] is not UNKNOWN

    def _gives_code(self, called):
        """Whether what a call returns is shown by the code: that of a function, or a cell or primitive."""
        if isinstance(called, type):
            return issubclass(called, (Cell, Primitive))
        return isinstance(called, _FUNCTIONS) and is_users(called.__module__)

    def _called(self, callee):
        """The called object, and how the code reaches it; handles ``super().f`` too."""
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
        """Why an edit of the trees does not replace the callee; "" if it does."""
        in_construct = self.scope.function is inspect.unwrap(type(self.cell).construct)
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
            self._follow_of_cell(node, owner, name, value, root, way)
        elif is_users(value.__module__):
            self.follow(value, root, Origin.OWN if root is self.cell else way, given)

    def _follow_handed(self, node, callee, value, way):
        """Visit a function that the code names without calling it: its calls may never happen."""
        before = {id(site) for site in self.sites}
        self._follow_function(node, callee, value, way)
        self.sites = [s if s.doubt or id(s) in before else s._replace(doubt=_NAMED) for s in self.sites]

    def _owner(self, callee):
        """What an attribute is read from; the cell itself behind ``super()``."""
        return self.cell if isinstance(callee.value, ast.Call) else self.scope(callee.value)[0]

    def _given_self(self, node, kind, given):
        """The cell in ``Base.construct(self, x)``, and the other arguments."""
        first = self.scope(node.args[0])[0] if isinstance(node, ast.Call) and node.args else UNKNOWN
        if not isinstance(first, kind):
            return UNKNOWN, given
        others = [(key - 1 if isinstance(key, int) else key, each) for key, each in given if key != 0]
        return first, tuple(others)

    def _follow_of_cell(self, node, owner, name, value, root, way):
        """Record or visit a method of another cell: it runs under this cell's mark."""
        if name == "__call__":
            self._note(node, owner, None, self._reason(owner, way), held=True)
        elif name == "construct" or not hasattr(Cell, name):
            if is_leaf(owner):
                self._note(node, owner, None, "its method is called, not it", held=True)
            else:
                self._look_into(node, owner, value, root, way)

    def _look_into(self, node, owner, value, root, way):
        text = ast.unparse(getattr(node, "func", node)).rpartition(".")[0]
        inside = SiteFinder(text, owner, self.walk, self.runs, self.reason or self._reason(owner, way))
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
            self._note(node, kind, None, _MADE, doubt="" if node in self.in_nodes else _CALLED_LATER)
        elif node not in self.named:
            self._note(node, kind)

    def _note_unknown(self, node):
        """Record a Tensor method that stands for a primitive, and a primitive that the code made before."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in functional.__all__ and hasattr(Tensor, name):
            self._note(node, name, None, _OF_TENSOR, is_method=True)
        elif isinstance(node.func, ast.Name) and node.func.id in self.made:
            self._note(node, self.made[node.func.id], None, _MADE if self.in_python else "")

    def visit_Assign(self, node):
        """Record the names of primitives that the code makes, and of cells and primitives that it mentions."""
        made = self._called(node.value.func)[0] if isinstance(node.value, ast.Call) else None
        if isinstance(made, type) and issubclass(made, Primitive) and isinstance(node.targets[0], ast.Name):
            self.made[node.targets[0].id] = made
            self.in_nodes.add(node.value)
            self.named.add(node.value)
        if len(node.targets) == 1:
            self._bind_each(node.targets[0], node.value, parallel=True)
        else:
            mentions = self._mentioned(node.value)
            for target in node.targets:
                self._bind(target, mentions, bool(mentions) or self._is_code(node.value))
        for target in node.targets:
            self.visit(target)

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
            self._mention(node, _name_of(value), _HANDED)
        elif value is self.cell:
            self._mention_held(node, value)
        elif isinstance(value, _SHOWN):
            for called in callables_in(value):
                named = way is Origin.OWN or (called is value and way is Origin.NAMED)
                self._mention_part(node, called, self._reason(called, way if named else Origin.DOTTED), None, way)
        elif isinstance(_unwrapped(value), _FUNCTIONS):
            self._follow_handed(node, node, _unwrapped(value), way)
        elif isinstance(node, ast.Name) and node.id in self.made and node not in self.in_nodes:
            self._note(node, self.made[node.id], None, _MADE)
        if value is UNKNOWN and not self._is_of_cell(node):
            self.generic_visit(node)

    visit_Name = visit_Attribute = visit_Subscript = _visit_mention  # noqa: N815 - ast looks methods up by these names

    def _mention_part(self, node, called, reason, text=None, way=Origin.NAMED):
        """Mention a cell, a primitive or a function of the package; visit a function of the user's."""
        if isinstance(called, FunctionType) and is_package_function(called):
            self._mention(node, _name_of(called), _HANDED, text)
        elif isinstance(called, _FUNCTIONS):
            self._follow_handed(node, None, called, way)
        else:
            self._mention(node, called, reason, text)

    def _is_of_cell(self, node):
        """Whether a node is a cell's attribute that only a run determines: a property (visited) or a new one."""
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
            self._note(node, "matmul", "@")

    def visit_AugAssign(self, node):
        """Record an augmented matrix product."""
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            stays = "" if isinstance(node.target, ast.Name) else "its target is not a plain name"
            self._note(node, "matmul", "@=", stays)

    def _note(self, node, called, text=None, reason="", held=False, doubt="", is_method=False):
        """Record a call; it covers a mention of the callee in the same line."""
        site = self._site(node, called, text, reason, held, doubt)
        self._cover(_key(called, reason, site.place))
        self.sites += self.walk.enter(site._replace(is_method=is_method))

    def _note_mentioned(self, node, mention, doubt=""):
        """Record a call of what was mentioned before; it covers that mention."""
        self._cover(_key(mention.called, mention.reason, mention.place))
        self._note(node, mention.called, mention.text, mention.reason, True, doubt)

    def _cover(self, key):
        """Drop the site of a mention: a call of it is recorded."""
        self.called.add(key)
        waiting = self.waiting.pop(key, None)
        self.sites = [site for site in self.sites if site is not waiting]

    def _mention(self, node, called, reason, text=None):
        """Record a mention without a call."""
        site = self._site(node, called, text, reason, True, _NAMED)
        self.mentions.append(Mention(called, site.text, reason, site.place))
        key = _key(called, reason, site.place)
        if key not in self.waiting and key not in self.called:
            self.waiting[key] = site
            self.sites.append(site)

    def _site(self, node, called, text, reason, held, doubt=""):
        self.found += 1
        text = ast.unparse(getattr(node, "func", node)) if text is None else text
        place = place_of(self.scope.function, node.lineno + self.offset)
        path = self.walk.path_of(called, text) if held else self._path(called, text)
        return Site(place, self.path, text, called, self.reason or reason, self.runs, path, doubt)

    def _path(self, called, text):
        """The path of the callee of an expression: that of the attribute, if it belongs to the cell."""
        holder, _, name = text.partition(".")
        own = isinstance(called, (Cell, Primitive)) and name and holder == self.scope.self_name
        if not own or self.scope.root is not self.cell:
            return self.walk.path_of(called, text)
        path = f"{self.path}.{name}" if self.path else name
        return self.walk.path_of(called, path) if "[" in name else path  # layers.0 for self.layers[0]


def _other_parameters(syntax, self_name):
    """The names of a function's positional parameters, except ``self_name``."""
    names = [each.arg for each in (*syntax.args.posonlyargs, *syntax.args.args)]
    return names[1:] if self_name is not None else names


def _parts(expression):
    return expression.elts if isinstance(expression, (ast.Tuple, ast.List)) else []


def _name_of(function):
    return getattr(function, "name", None) or function.__name__


def called_as(value):
    """How a site names what it calls: a function of the package by name; None for a function of the user's."""
    if isinstance(value, FunctionType) and is_package_function(value):
        return _name_of(value)
    return None if isinstance(value, _FUNCTIONS) else value


def _key(called, reason, place):
    """What makes a mention and a call one: the cell, primitive or function, and where it is mentioned."""
    return called, reason if isinstance(called, str) else "", place


def _unwrapped(value):
    """The function inside a wrapper such as ``functools.lru_cache`` makes; other values as they are."""
    known = isinstance(value, (*_FUNCTIONS, Cell, Primitive, type)) or not callable(value)
    return value if known or value is UNKNOWN or not hasattr(value, "__wrapped__") else inspect.unwrap(value)


def _call_of(value):
    return inspect.getattr_static(type(value), "__call__", None)


def _first_line(syntax):
    return min([syntax.lineno, *(decorator.lineno for decorator in syntax.decorator_list)])
