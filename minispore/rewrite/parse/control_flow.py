"""Control flow: turns a statement with bodies into a ControlFlow node, whose bodies are blocks of nodes."""

import ast

from minispore.rewrite.resolve.names import bodies_of, bound_in
from minispore.rewrite.tree.compound_header import Header
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Control
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.tree import Block


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
