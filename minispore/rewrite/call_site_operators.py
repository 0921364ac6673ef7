"""Operators: matrix products by ``@``, comparisons, headers of statements, and names of types in texts."""

import ast

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.site_record import Callee

__all__ = ["Operators"]


class Operators(ast.NodeVisitor):
    """Base of SiteFinder: visits syntax that is neither a call nor a name."""

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

    def visit_Constant(self, node):
        """Record the name of a type, as in ``x.astype("float16")``."""
        if isinstance(node.value, str):
            self.walk.types.add(node.value)
