"""Control: turns a statement with bodies into a ControlFlow node, whose bodies are blocks of nodes.

What the statement binds are variables: they keep one name in all its bodies, because which assignment came last is
known only when the code runs. The outermost statement defines them, with the values that they had before it.
"""

import ast

from minispore.rewrite.forms import Control
from minispore.rewrite.header import Header, bodies_of, bound_in
from minispore.rewrite.node import TreeNode
from minispore.rewrite.tree import Block
from minispore.rewrite.values import NodeType, ScopedValue


class Variables:
    """What each of the code's names stands for at the place that is parsed.

    Attributes:
        now (dict[str, ScopedValue]): The value of each name.
        region (dict[str, ScopedValue]): The variables of the statements around the place.
        loose (dict[str, ScopedValue]): Variables of earlier statements that perhaps nothing was assigned to.
    """

    def __init__(self):
        self.now, self.region, self.loose = {}, {}, {}

    def assigned(self, name):
        """The variable that an assignment of ``name`` assigns which may not come to pass; None for a new one."""
        return self.region.get(name, self.loose.get(name))

    def rebind(self, name, value):
        """Let ``name`` stand for ``value``, which it surely has."""
        self.now[name] = value
        self.loose.pop(name, None)


def add_control(calls, statement, add_body, held=(), target=None):
    """The ControlFlow node of a compound statement.

    Args:
        calls (Calls): The parser.
        statement (ast.stmt): The statement.
        add_body (Callable): ``add_body(calls, statements)`` makes the nodes of a body.
        held (dict): Values of names in the header beside the code's own. Default: none.
        target (str): How the variables are called; None for their own names. Default: None.
    """
    variables, names = calls.names, bound_in([statement])
    known = {**variables.now, **dict(held)}
    old = {name: variables.assigned(name) for name in names if variables.assigned(name) is not None}
    owned = {name: name in variables.now for name in names if name not in old}
    header = Header(statement, known, owned, {name: value.text for name, value in old.items()})
    new = {name: ScopedValue.create_naming_value(calls.tree.values.unique(target or name)) for name in owned}
    args = [known[name] for name in (*header.reads, *header.begins)]
    kind = calls.tree.names.unique(type(statement).__name__)
    reaches = calls.reached([header.statement])
    node = TreeNode(NodeType.ControlFlow, kind, Control(header), new.values(), args, reaches=reaches)
    calls.block.attach(node)
    variables.loose.update((name, new[name]) for name, begun in owned.items() if not begun)
    _add_bodies(calls, node, bodies_of(statement), add_body, {**old, **new})
    return node


def _add_bodies(calls, node, bodies, add_body, assigned):
    """Fill the blocks of the node, in which the variables ``assigned`` stand for their names."""
    variables, block, region = calls.names, calls.block, calls.names.region
    variables.region = {**region, **assigned}
    variables.now.update(assigned)
    node.blocks = tuple(Block(calls.tree, node, i) for i in range(len(bodies)))
    for calls.block, (owner, field) in zip(node.blocks, bodies, strict=True):
        add_body(calls, getattr(owner, field))
    calls.block, variables.region = block, region


def ternary(calls, expression, held):
    """The ControlFlow node that computes ``a if test else b``, and the value it defines."""
    name = f"_chosen_{len(calls.names.region)}"
    chosen = [ast.Name(name, ast.Store())]
    branches = [[ast.Assign(chosen, part)] for part in (expression.body, expression.orelse)]

    def add_branch(inside, statements):
        inside.define(statements[0].value, [name])

    node = add_control(calls, ast.If(expression.test, *branches), add_branch, held, "ifexp_var")
    calls.names.loose.pop(name)
    return calls.names.now.pop(name), node
