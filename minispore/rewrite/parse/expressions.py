"""Expressions: flattens an expression into nodes, one for each call and operation, in the order of evaluation."""

import ast

from minispore.rewrite.parse.constants import constant
from minispore.rewrite.parse.control_flow import Branches
from minispore.rewrite.parse.operations import Operations
from minispore.rewrite.parse.python_nodes import PythonNodes
from minispore.rewrite.resolve.reached_cells import cells_reached
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Expression
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.unique_names import identifier


class Expressions(Operations, Branches, PythonNodes):
    """Turns expressions into nodes at the end of ``block``; ``names`` are those that have a value by now.

    Its bases make the nodes of operators and collections, of ternaries, and of code that stays Python.
    """

    def __init__(self, tree, source, bound):
        self.tree, self.source, self.bound = tree, source, bound
        self.block, self.names, self.scope = tree, {}, tree.scope

    def value(self, expression):
        """The value of an expression: a constant, a name from outside, or the target of a node made for it."""
        found = constant(expression)
        if found is None and isinstance(expression, ast.Name):
            found = ScopedValue.create_naming_value(expression.id)
        return found or self.outside_path(expression) or self.define(expression).targets[0]

    def outside_path(self, expression):
        """A dotted name that starts outside the function, as a value; None for any other expression."""
        path = []
        while isinstance(expression, ast.Attribute):
            path.append(expression.attr)
            expression = expression.value
        if not path or not isinstance(expression, ast.Name) or expression.id in self.bound:
            return None
        return ScopedValue.create_naming_value(path[0], ".".join([expression.id, *path[:0:-1]]))

    def define(self, expression, names=None):
        """Make the node that computes an expression; it binds the code's ``names``, or a target of its own."""
        if isinstance(expression, ast.BinOp):
            return self._operation("binop", expression.op, "{} %s {}", [expression.left, expression.right], names)
        if isinstance(expression, ast.UnaryOp):
            return self._operation("unaryop", expression.op, "%s{}", [expression.operand], names)
        if isinstance(expression, ast.Compare) and len(expression.ops) == 1:
            parts = [expression.left, *expression.comparators]
            return self._operation("compare", expression.ops[0], "{} %s {}", parts, names)
        if isinstance(expression, ast.Attribute) and self.outside_path(expression) is None:
            return self._attribute(expression, names)
        if isinstance(expression, (ast.Tuple, ast.List, ast.Dict, ast.Subscript)):
            return self._collection(expression, names)
        if isinstance(expression, (ast.Name, ast.Attribute)) or constant(expression):
            kind = "constant_assign" if constant(expression) else "name_assign"
            return self.attach(self._computing(kind, "{}", [self.value(expression)]), kind, names)
        if isinstance(expression, ast.IfExp) and self._has_bodies(expression):
            return self._ternary(expression, names)
        return self.opaque_expression(expression, names)

    def _attribute(self, expression, names):
        base, path = expression, []
        while isinstance(base, ast.Attribute):
            path.insert(0, base.attr)
            base = base.value
        own = isinstance(base, ast.Name) and base.id == self.tree.self_name
        if not own:
            base, path = expression.value, path[-1:]
        value = ScopedValue.create_naming_value(self.tree.self_name) if own else self.value(base)
        target = "_".join(["self" if own else value.text, *path])
        reaches = self.reached([expression]) if own else ()
        template = Expression("{}." + ".".join(path))
        node = TreeNode(NodeType.CallMethod, "attribute_assign", template, args=[value], reaches=reaches)
        return self.attach(node, target, names)

    def attach(self, node, target, names=None):
        """Put a node at the end of the block, under a name of its own, binding ``names`` or the target alone."""
        bound = [self.tree.values.unique(identifier(target))] if names is None else names
        self._put(node, ScopedValue.create_name_values(bound))
        if names is not None:
            self.names.update(zip(names, node.targets, strict=True))
        return node

    def _put(self, node, targets):
        node.name = self.tree.names.unique(node.name)
        node.targets = list(targets)
        self.block.attach(node)
        return node

    def reached(self, nodes):
        """The cells that code may call."""
        forest = self.tree.forest
        return cells_reached(nodes, self.tree.network, self.tree.self_name, forest.beyond, forest.sources)
