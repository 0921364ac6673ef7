"""Legality: what an edit must find true before it changes anything, each in a sentence that says what is not."""

import ast
from typing import NamedTuple

from minispore.errors import type_error, value_error
from minispore.rewrite.forms import Call, Control, Expression
from minispore.rewrite.header import bound_in
from minispore.rewrite.node import TreeNode
from minispore.rewrite.scopes import names_otherwise
from minispore.rewrite.tree import Block
from minispore.rewrite.values import NodeType


class Position(NamedTuple):
    """A place between two nodes: before ``successor``, or at the end of the block where that is None."""

    block: Block
    successor: TreeNode

    @property
    def place(self):
        """Where the place is, to be compared with those of nodes."""
        return (*self.block.place, _END) if self.successor is None else self.successor.place


_END = float("inf")


def own_node(tree, node, operation):
    """The node of ``tree`` that ``node`` is or names."""
    if isinstance(node, str):
        if tree.get(node) is None:
            raise value_error(operation, "the 'node' must be the name of a node of the tree", repr(node))
        return tree.get(node)
    if not isinstance(node, TreeNode):
        raise type_error(operation, "the 'node' must be a Node or the name of one", type(node).__name__)
    if node.tree is not tree:
        raise value_error(operation, "the 'node' must stand in the tree", f"'{node.name}', which does not")
    return node


def _is_in(position, tree):
    """Whether the place is one of the tree, and still there."""
    owner, successor = position.block.owner, position.successor
    here = position.block is tree if owner is None else owner.tree is tree
    return here and (successor is None or successor.block is position.block)


def check_place(position, tree):
    """The place is one of the tree; inputs come first, and nothing comes behind an output."""
    if not _is_in(position, tree):
        raise value_error("insert", "the 'position' must be one of the tree", "one that is not, or no more")
    successor = position.successor
    if successor is not None and successor.kind is NodeType.Input:
        raise value_error("insert", "the place must be behind the inputs", f"a place before '{successor.name}'")
    last = position.block.last
    if successor is None and last is not None and last.kind is NodeType.Output:
        raise value_error("insert", "the place must be before the output", "the end of the tree")


def check_defined(tree, values, place, operation, name):
    """Every name must be defined before the place and be seen there, or mean something outside."""
    for value in values:
        producer = tree.producer(value)
        if producer is None:
            if value.is_name and not _means_something(tree, value):
                raise value_error(operation, f"the arguments of '{name}' must be defined", f"'{value}', which is not")
        elif not producer.is_visible_at(place):
            expected = f"the arguments of '{name}' must be defined before it"
            where = "behind it" if producer.place >= place else "in a body that it does not stand in"
            raise value_error(operation, expected, f"'{value}', which '{producer.name}' defines {where}")


def _means_something(tree, value):
    root = value.text.split(".")[0]
    if root == "minispore":
        return value.text == root or not names_otherwise(tree.function, root)
    return root == tree.self_name or tree.knows_outside(root)


def check_new(tree, node, operation):
    """The node stands in no tree, and can be put into this one."""
    if node.tree is not None:
        raise value_error(operation, "the 'node' must stand in no tree yet", f"'{node.name}', which does")
    if node.blocks:
        raise value_error(operation, "the 'node' must be no ControlFlow node", f"'{node.name}'")
    if node.home not in (None, tree):
        expected = "a node that was erased must be put back into its own tree"
        raise value_error(operation, expected, f"'{node.name}' of {node.home!r}")


def check_assigned_alone(node, operation):
    """No other node assigns what the node defines, and it assigns what no other defines."""
    others = [other for target in node.targets for other in _assigners(node.tree, target) if not node.holds(other)]
    if node.assigned or others:
        expected = "the 'old_node' must be one that assigns no variable of control flow that others assign"
        raise value_error(operation, expected, f"'{node.name}'")


def check_not_assigned_between(value, made, users, operation):
    """Nothing assigns ``value`` anew between the node ``made`` and a user, be it on a later pass of a loop."""
    for other in _assigners(made.tree, value):
        for user in users:
            looped = set(_loops_around(other)) & set(_loops_around(user)) - set(_loops_around(made))
            if other.place > made.place and (other.place < user.place or looped):
                expected = f"nothing may assign '{value}' between '{made.name}' and what is to read that"
                raise value_error(operation, expected, f"'{other.name}', which does, before '{user.name}'")


def _assigners(tree, value):
    """The nodes that assign a variable of control flow; none for a value that is defined once."""
    if isinstance(tree.producer(value).form, (Call, Expression)):
        return []
    maker = tree.producer(value)
    return [node for node in tree.all_nodes() if node is not maker and assigns(node, value)]


def assigns(node, value):
    """Whether a node defines a value, or assigns it; the head of a statement may assign what an earlier one defines."""
    if value in node.targets:
        return True
    header = node.form.header if isinstance(node.form, Control) else None
    bound = bound_in([header.statement]) if header is not None else ()
    return any(header.assigned.get(name) == value.text for name in bound)


def _loops_around(node):
    """The loops that a node stands in, or is."""
    found = [node] if isinstance(node.form, Control) else []
    while node.block.owner is not None:
        node = node.block.owner
        found.append(node)
    return [each for each in found if isinstance(each.form.header.statement, (ast.For, ast.While))]
