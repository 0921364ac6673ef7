"""LocalNames: the possible values of a function's local names, and the calls that its code shows."""

import ast
from contextlib import contextmanager

from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import NAMING, is_users, module_of
from minispore.rewrite.resolve.names import bound_inside
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.site_record import FUNCTIONS, SiteRecord

__all__ = ["LocalNames", "unwrapped"]

_PAIRING = ("enumerate", "zip")
_PYTHONS = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, object)
_METHODS = {name for kind in (Tensor, *_PYTHONS) for name in dir(kind)}  # no cell is called by them


class LocalNames(SiteRecord, ast.NodeVisitor):
    """Visits bindings: ``bound`` has each name's possible mentions, ``known`` the names whose calls the code shows.

    ``made`` has the classes of the primitives that the code makes, by their names.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.bound, self.known, self.made = {}, set(), {}
        self.in_nodes, self.named = set(), set()  # expressions that make what is called at once, or by a name

    def _visit_comprehension(self, node):
        """Visit the loops before the element, in the order in which they run."""
        first, names = node.generators[0], bound_inside(node)
        with self._bound_anew(names):
            self._bind_each(first.target, first.iter)
            with self.scope.hiding(names):
                for generator in node.generators:
                    if generator is not first:
                        self._bind_each(generator.target, generator.iter)
                    for test in generator.ifs:
                        self.visit(test)
                for field in ("key", "value", "elt"):
                    if hasattr(node, field):
                        self.visit(getattr(node, field))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815 - of ast

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

    @contextmanager
    def _bound_anew(self, names):
        """Forget the possible values of these names inside the block."""
        before = {name: self.bound.pop(name) for name in names if name in self.bound}
        known = self.known & names
        self.known -= names
        yield
        self.bound = {**{name: each for name, each in self.bound.items() if name not in names}, **before}
        self.known = self.known - names | known

    def visit_FunctionDef(self, node):
        """Visit a function or class that the code makes: its name calls nothing else."""
        self.known.add(node.name)
        for each in (*node.decorator_list, node.args):
            self.visit(each)
        names = bound_inside(node)
        with self._bound_anew(names), self.scope.hiding(names):
            for statement in node.body:
                self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast looks methods up by these names

    def visit_ClassDef(self, node):
        """Visit a class that the code makes."""
        self.known.add(node.name)
        self.generic_visit(node)

    def visit_Lambda(self, node):
        """Bind the parameters that have defaults, and visit the body."""
        arguments = node.args
        by_position = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(by_position), reversed(arguments.defaults), strict=False)][::-1]
        names = bound_inside(node)
        with self._bound_anew(names):
            for parameter, default in (*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
                self._bind_each(ast.Name(parameter.arg, ast.Store()), default)
            with self.scope.hiding(names):
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

    def _is_known(self, callee):
        """True if the code shows what an expression of unknown value may call."""
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
        """True if an expression makes or names a function whose code is visited, or anything of known value."""
        for node in ast.walk(expression):
            if isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in self.known):
                return True
            if isinstance(node, NAMING) and isinstance(unwrapped(self.scope(node)[0]), FUNCTIONS):
                return True
            if isinstance(node, ast.Call) and self._gives_code(unwrapped(self._called(node.func)[0])):
                return True
        return self.scope(expression)[0] is not UNKNOWN

    def _gives_code(self, called):
        """True if the code shows what a call returns: a function's result, a cell or a primitive."""
        if isinstance(called, type):
            return issubclass(called, (Cell, Primitive))
        return isinstance(called, FUNCTIONS) and is_users(module_of(called))

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


def _parts(expression):
    return expression.elts if isinstance(expression, (ast.Tuple, ast.List)) else []


def unwrapped(value):
    """The function inside a wrapper such as ``functools.lru_cache`` makes; other values as they are."""
    known = isinstance(value, (*FUNCTIONS, Cell, Primitive, type)) or not callable(value)
    return value if known or value is UNKNOWN else inner_function(value)
