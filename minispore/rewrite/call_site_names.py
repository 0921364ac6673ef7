"""LocalNames: the possible values of a function's local names, and the calls that its code shows."""

import ast

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.call_site_bindings import Bindings
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import NAMING, is_users, module_of
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.site_record import FUNCTIONS, SiteRecord

__all__ = ["LocalNames", "unwrapped"]

_PAIRING = ("enumerate", "zip")


class LocalNames(Bindings, SiteRecord, ast.NodeVisitor):
    """Visits bindings: ``bound`` has each name's possible mentions, ``known`` the names whose calls the code shows.

    ``made`` has the classes of the primitives that the code makes, by their names.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.bound, self.known, self.made = {}, set(), {}
        self.in_nodes, self.named = set(), set()  # expressions that make what is called at once, or by a name

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
