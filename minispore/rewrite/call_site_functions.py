"""FollowedFunctions: calls of the user's functions and methods, whose code is visited in place of a site."""

import ast
from types import MethodType

from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import is_leaf
from minispore.rewrite.resolve.expression_value import Origin, first_argument, is_users, module_of
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.site_record import Callee

__all__ = ["FollowedFunctions"]

_GIVING_CELLS = ("cells", "cells_and_names", "name_cells")


class FollowedFunctions:
    """Base of SiteFinder: finds out on which object a function or method is called, and visits its code."""

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
        """Visit the code of another user's cell, whose sites follow those of this one."""
        text, owner = ast.unparse(getattr(node, "func", node)).rpartition(".")[0], callee.called
        inside = type(self)(text, owner, self.walk, self.runs, self.reason or callee.reason)
        inside.path, inside.followed = self.walk.path_of(owner, text), self.followed
        inside.follow(value, root, Origin.OWN)
        self.sites += inside.finished()
