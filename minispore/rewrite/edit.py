"""The room edit: every change of a tree, refused before anything changes if it would leave the tree unsound."""

import re

from minispore.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.primitive import Primitive
from minispore.rewrite.forms import Call, Python, is_tuple
from minispore.rewrite.legality import (
    Position,
    check_assigned_alone,
    check_defined,
    check_new,
    check_not_assigned_between,
    check_place,
    own_node,
)
from minispore.rewrite.making import value_of
from minispore.rewrite.namer import identifier
from minispore.rewrite.node import TreeNode
from minispore.rewrite.values import NodeType, ScopedValue

__all__ = [
    "Position",
    "erase",
    "insert",
    "own_node",
    "redirect",
    "replace",
    "set_arg",
    "set_output",
    "substitute",
    "substitute_outside",
]


def insert(tree, position, node):
    """Put a new node at a position; its name and targets are made unique."""
    if not isinstance(position, Position) or not isinstance(node, TreeNode):
        raise type_error("insert", "the arguments must be a position and a Node", f"{position!r} and {node!r}")
    check_place(position, tree)
    check_new(tree, node, "insert")
    check_defined(tree, node.reads(), position.place, "insert", node.name)
    _install(tree, node)
    fresh = [tree.values.unique(target.value) for target in node.targets]
    node.targets = ScopedValue.create_name_values(fresh)
    position.block.attach(node, position.successor)
    tree.edited = True
    return node


def _install(tree, node):
    """Give a new node its name, and the tree what the node calls where an edit brought that."""
    if not node.brought:
        node.name = tree.names.unique(node.name)
        return
    if node.kind is NodeType.CallFunction:
        node.name = tree.names.unique(_attribute_name(node.name))
        callee = tree.values.unique(node.name)
        tree.globals[callee] = node.called
        node.form = Call(callee, node.form.prefixes)
        return
    name = tree.names.unique(_attribute_name(node.name))
    while name in tree.attributes or _is_attribute(tree.network, name):
        name = tree.names.unique(name)
    node.name = name
    tree.attributes[name] = node.called
    node.form = Call(f"{tree.self_name}.{name}", node.form.prefixes)


def _attribute_name(name):
    """The name as one that means the same in every class: two underscores in front would not."""
    return re.sub("^__+", "_", identifier(name))


def _is_attribute(cell, name):
    """Whether the cell has such an attribute; asks no property."""
    return hasattr(type(cell), name) or any(name in table for table in (cell.__dict__, cell._cells, cell._params))


def erase(tree, node):
    """Take out a node that nobody uses."""
    if node.kind in (NodeType.Input, NodeType.Output):
        raise value_error("erase", "the 'node' must be neither an input nor the output", f"'{node.name}'")
    users = [user for user in node.users if not node.holds(user)]
    if users:
        named = ", ".join(f"'{user.name}'" for user in users)
        raise value_error("erase", f"the node '{node.name}' must have no users", named)
    node.block.detach(node)
    tree.attributes.pop(node.name, None)
    tree.edited = True
    return node


def replace(tree, old, new_nodes):
    """Put new nodes in the place of an old one; what read its targets reads those of the last new node."""
    if not isinstance(new_nodes, (list, tuple)) or not all(isinstance(n, TreeNode) for n in new_nodes):
        raise type_error("replace", "the 'new_nodes' must be a list of Nodes", type(new_nodes).__name__)
    if not new_nodes or len(set(new_nodes)) < len(new_nodes):
        raise value_error("replace", "the 'new_nodes' must be nodes in no tree yet, each once, at least one", new_nodes)
    for node in new_nodes:
        check_new(tree, node, "replace")
    if old.kind in (NodeType.Input, NodeType.Output):
        raise value_error("replace", "the 'old_node' must be neither an input nor the output", f"'{old.name}'")
    check_assigned_alone(old, "replace")
    last = new_nodes[-1]
    if len(last.targets) < len(old.targets):
        expected = f"the last of the 'new_nodes' must have {len(old.targets)} targets like '{old.name}'"
        raise value_error("replace", expected, len(last.targets))
    _check_chain(tree, old, new_nodes)
    _insert_chain(tree, old, new_nodes)
    for user in old.users:
        for before, after in zip(old.targets, last.targets, strict=False):
            user.read_instead(before, after)
    erase(tree, old)
    return last


def _check_chain(tree, old, new_nodes):
    made = set()
    for node in new_nodes:
        check_defined(tree, [v for v in node.reads() if v not in made], old.place, "replace", node.name)
        made.update(node.targets)


def _insert_chain(tree, old, new_nodes):
    """Insert nodes that may read one another's targets, by the names that those get."""
    renamed = {}
    for node in new_nodes:
        asked = node.targets
        kwargs = {key: renamed.get(value, value) for key, value in node.kwargs.items()}
        node.read([renamed.get(value, value) for value in node.args], kwargs, renamed.get(node.receiver, node.receiver))
        insert(tree, Position(old.block, old), node)
        renamed.update(zip(asked, node.targets, strict=True))


def set_arg(node, index, value, operation="set_arg"):
    """Let a node read another value as its argument ``index``; returns what it read before."""
    value = value_of(value, operation, "arg")
    if isinstance(index, bool) or not isinstance(index, int):
        raise type_error(operation, "the 'index' must be an int", type(index).__name__)
    if not 0 <= index < len(node.args):
        raise value_error(operation, f"the 'index' must be in [0, {len(node.args)}) for '{node.name}'", index)
    if isinstance(node.form, Python) and not node.form.code.renamed:
        raise value_error(operation, "the node must be one whose names may be changed", f"'{node.name}'")
    if node.tree is not None:
        check_defined(node.tree, [value], node.place, operation, node.name)
        node.tree.edited = True
    args = list(node.args)
    before, args[index] = args[index], value
    node.read(args)
    return before


def set_output(tree, index, value):
    """Let the tree return another value as output ``index``; returns the output."""
    output = tree.last
    if output is None or output.kind is not NodeType.Output:
        raise value_error("set_output", "the network must end with 'return'", "one that does not")
    if not isinstance(value, (str, TreeNode)):
        raise type_error("set_output", "the 'return_value' must be a name or a Node", type(value).__name__)
    made = tree.producer(output.args[0])
    listed = made is not None and is_tuple(made) and made.users == [output]
    set_arg(made if listed else output, index, value, "set_output")
    return output


def redirect(tree, old, new):
    """Let what reads the value ``old`` behind the definition of ``new`` read ``new``; returns those nodes."""
    old, new = value_of(old, "redirect", "old"), value_of(new, "redirect", "new")
    source, target = tree.producer(old), tree.producer(new)
    if source is None or target is None:
        raise value_error("redirect", "both values must be targets of nodes of the tree", f"'{old}' and '{new}'")
    users = [user for user in source.users if target.is_visible_at(user.place) and old in user.reads()]
    for user in users:
        if isinstance(user.form, Python) and not user.form.code.renamed:
            raise value_error("redirect", "the users must be nodes whose names may be changed", f"'{user.name}'")
    check_not_assigned_between(old, target, users, "redirect")
    for user in users:
        user.read_instead(old, new)
        tree.edited = True
    return users


def substitute(tree, cell, other):
    """Let every call of ``cell`` in the network be a call of ``other``, under each of its names."""
    for argument, given in (("cell", cell), ("other", other)):
        if not isinstance(given, (Cell, Primitive)):
            raise type_error("substitute", f"the '{argument}' must be a Cell or a Primitive", type(given).__name__)
    tree.forest.substitutes[cell] = other


def substitute_outside(tree):
    """Let names from outside the construct mean the substitutes of the cells and primitives that they mean."""
    for name, called in tree.outside.items():
        if called in tree.forest.substitutes:
            tree.globals[name] = tree.forest.substitutes[called]
            tree.edited = True
