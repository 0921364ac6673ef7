"""PythonNodes: nodes for code that stays as it is written."""

import ast

from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Python
from minispore.rewrite.tree.opaque_code import PythonCode
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue


class PythonNodes:
    """Base of Expressions: puts a Python node at the end of the block."""

    def opaque_expression(self, expression, names=None):
        """A Python node for an expression that stays as it is."""
        held = "_held" if names is None else names[0]
        targets = [ast.Name(name, ast.Store()) for name in (names or [held])]
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        statement = ast.Assign([target], expression)
        kind = type(expression).__name__
        return self.opaque([statement], kind, [] if names else [f"{kind.lower()}_var"])

    def opaque(self, statements, name, targets=(), extra=None):
        """A Python node for statements that stay as they are; ``extra`` are values of names beside the code's own."""
        known = {**self.names, **(extra or {})}
        code = PythonCode(statements, known)
        args = [known[n] for n in code.reads]
        node = TreeNode(NodeType.Python, name, Python(code), args=args, reaches=self.reached(statements))
        own = [self.tree.values.unique(target) for target in targets]
        self._put(node, ScopedValue.create_name_values([*own, *code.binds[len(own) :]]))
        self.names.update((n, ScopedValue.create_naming_value(n)) for n in code.binds[len(own) :])
        return node


def add_whole(calls, statements):
    """One Python node for a body whose names must not be changed."""
    code = PythonCode(statements, calls.names, renamed=False)
    args = [calls.names[name] for name in code.reads]
    node = TreeNode(NodeType.Python, "Body", Python(code), args=args, reaches=calls.reached(statements))
    calls.tree.attach(node)
