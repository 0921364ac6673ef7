"""UnknownCallees: calls of what only a run knows, and of objects that the code makes itself."""

import ast
from types import FunctionType

from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional
from minispore.rewrite.resolve.expression_value import is_users
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.site_record import NAMED, Callee

__all__ = ["MADE", "UnknownCallees"]

MADE = "the code makes it itself"
_CALLED_LATER = "the code makes it here, and may call it elsewhere"
_OF_TENSOR = "it is called as a method of a Tensor"
_PYTHONS = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, object)
_METHODS = {name for kind in (Tensor, *_PYTHONS) for name in dir(kind)}  # no cell is called by them


class UnknownCallees:
    """Base of SiteFinder: records a call whose callee has no value before a run."""

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

    def _note_unknown(self, node):
        """Record a Tensor method that stands for a primitive, and a primitive that the code made before."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in functional.__all__ and hasattr(Tensor, name):
            self._note(node, Callee(name, reason=_OF_TENSOR), is_method=True)
        elif isinstance(node.func, ast.Name) and node.func.id in self.made:
            self._note(node, Callee(self.made[node.func.id], reason=MADE if self.in_python else ""))

    def _note_made(self, node, kind):
        """Record the class of an object that the code makes, except primitives that a node calls at once or by name."""
        if (
            issubclass(kind, Cell)
            and isinstance(vars(kind).get("__init__"), FunctionType)
            and is_users(kind.__module__)
        ):
            self.follow(kind.__init__)
        elif issubclass(kind, Cell) or self.in_python or node not in self.in_nodes:
            self._note(node, Callee(kind, reason=MADE), "" if node in self.in_nodes else _CALLED_LATER)
        elif node not in self.named:
            self._note(node, Callee(kind))

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
