"""Control flow: turns a statement with bodies, or a ternary, into a ControlFlow node with blocks of nodes."""

import ast

from minispore.rewrite.resolve.names import bodies_of, bound_in
from minispore.rewrite.tree.compound_header import Header
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Control
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.tree import Block


def add_compound(calls, statement, add_body):
    """A ControlFlow node; nodes before it compute the calls that its header makes once, before anything else."""
    held = {}
    if isinstance(statement, ast.If):
        test, held = calls.header_value(statement.test)
        statement = ast.If(test, statement.body, statement.orelse)
    elif isinstance(statement, ast.For):
        source, held = calls.header_value(statement.iter)
        statement = ast.For(statement.target, source, statement.body, statement.orelse, None)
    add_control(calls, statement, add_body, held)


def add_control(calls, statement, add_body, held=()):
    """The ControlFlow node of a compound statement.

    Args:
        calls (Calls): The parser.
        statement (ast.stmt): The statement.
        add_body (Callable): ``add_body(calls, statements)`` makes the nodes of a body.
        held (dict): Values of names in the header beside the code's own. Default: none.
    """
    known = {**calls.names, **dict(held)}
    owned = {name: name in calls.names for name in bound_in([statement])}
    header = Header(statement, known, owned)
    args = [known[name] for name in (*header.reads, *header.begins)]
    kind = calls.tree.names.unique(type(statement).__name__)
    reaches = calls.reached([header.statement])
    node = TreeNode(NodeType.ControlFlow, kind, Control(header), args=args, reaches=reaches)
    calls.block.attach(node)
    block, before = calls.block, calls.names
    begun = {name: ScopedValue.create_naming_value(name) for name in (owned if header.repeats else header.bound)}
    bodies = bodies_of(statement)
    node.blocks = tuple(Block(calls.tree, node, i) for i in range(len(bodies)))
    for calls.block, (owner, field) in zip(node.blocks, bodies, strict=True):
        calls.names = {**before, **begun}
        add_body(calls, getattr(owner, field))
    calls.block = block
    calls.names = {**before, **{name: ScopedValue.create_naming_value(name) for name in owned}}
    return node


def ternary(calls, expression, held):
    """The ControlFlow node that computes ``a if test else b``, and the value it defines."""
    name = calls.tree.values.unique("ifexp_var")
    chosen = [ast.Name(name, ast.Store())]
    branches = [[ast.Assign(chosen, part)] for part in (expression.body, expression.orelse)]

    def add_branch(inside, statements):
        inside.define(statements[0].value, [name])

    node = add_control(calls, ast.If(expression.test, *branches), add_branch, held)
    return calls.names.pop(name), node


class Branches:
    """Base of Expressions: ternaries, and what of a header is computed before its statement."""

    def header_value(self, expression):
        """The expression in a header that is evaluated once, and the values of names in it beside the code's own.

        What calls a cell or primitive is computed by nodes before the statement; anything else stays in the header.
        """
        inside = list(ast.walk(expression))
        calls = any(isinstance(n, ast.Call) and self.is_known(n.func) for n in inside)
        if not calls or any(isinstance(n, ast.NamedExpr) for n in inside):
            return expression, {}
        return ast.Name("_held", ast.Load()), {"_held": self.value(expression)}

    def _has_bodies(self, expression):
        """True if the branches of a ternary call something, and bind nothing."""
        inside = list(ast.walk(expression))
        return any(isinstance(n, ast.Call) for n in inside) and not any(isinstance(n, ast.NamedExpr) for n in inside)

    def _ternary(self, expression, names):
        """The ControlFlow node of a ternary, or the node that gives its value other names."""
        test, held = self.header_value(expression.test)
        value, node = ternary(self, ast.IfExp(test, expression.body, expression.orelse), held)
        return node if names is None else self.attach(self._computing("name_assign", "{}", [value]), "", names)
