"""Preconditions of edits: each check raises, before anything changes, with a sentence that names the violation."""

import ast
from typing import NamedTuple

from minispore.core.errors import shown, type_error, value_error
from minispore.rewrite.resolve.names import LAZY
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Control, Python
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import Block
from minispore.rewrite.tree.undefined_names import is_defined


class Position(NamedTuple):
    """A place between two nodes: before ``successor``, or at the end of the block if that is None."""

    block: Block
    successor: TreeNode

    @property
    def place(self):
        """The place as a tuple that compares with those of nodes."""
        return (*self.block.place, _END) if self.successor is None else self.successor.place


_END = float("inf")


def own_node(tree, node, operation):
    """The node given itself or by name; it must be in the tree or in one inside the network."""
    if isinstance(node, str):
        if tree.get(node) is None:
            raise value_error(operation, "the 'node' must be the name of a node of the tree", shown(node))
        return tree.get(node)
    if not isinstance(node, TreeNode):
        raise type_error(operation, "the 'node' must be a Node or the name of one", type(node).__name__)
    if node.tree is None or node.tree.forest is not tree.forest:
        raise value_error(operation, "the 'node' must stand in the tree", f"'{node.name}', which does not")
    return node


def _is_in(position, tree):
    """True if the place is in one of the network's trees, and still exists."""
    owner, successor, own = position.block.owner, position.successor, position.block.tree
    here = position.block is own if owner is None else owner.tree is own
    return own.forest is tree.forest and here and (successor is None or successor.block is position.block)


def check_place(position, tree):
    """Check that the place is in one of the network's trees, after the inputs and before the output."""
    if not _is_in(position, tree):
        raise value_error("insert", "the 'position' must be one of the tree", "one that is not, or no more")
    successor = position.successor
    if successor is not None and successor.kind is NodeType.Input:
        raise value_error("insert", "the place must be behind the inputs", f"a place before '{successor.name}'")
    last = position.block.last
    if successor is None and last is not None and last.kind is NodeType.Output:
        raise value_error("insert", "the place must be before the output", "the end of the tree")


def check_new(tree, node, operation):
    """Check that the node is in no tree, and may be inserted into this one."""
    if node.tree is not None:
        raise value_error(operation, "the 'node' must stand in no tree yet", f"'{node.name}', which does")
    if node.blocks:
        raise value_error(operation, "the 'node' must be no ControlFlow node", f"'{node.name}'")
    if node.home not in (None, tree):
        expected = "a node that was erased must be put back into its own tree"
        raise value_error(operation, expected, f"'{node.name}' of {node.home!r}")
    for cell in () if node.inside is None else node.inside.trees:
        if cell in tree.forest.trees:
            expected = f"the cells inside '{node.name}' must be new to the network ('is_sub_net' is False for others)"
            raise value_error(operation, expected, f"a {type(cell).__name__} that has a tree in it")


def check_targets(tree, node, position, operation):
    """Check that the targets may be assigned there: no code takes these names from outside, or reads them late."""
    for target in node.targets:
        if target.value in tree.mentioned or target.value in tree.globals:
            expected = f"the targets of '{node.name}' must not be names that the code has from outside"
            raise value_error(operation, expected, f"'{target}'")
        if target.value in tree.late:
            _check_not_late(tree, node, target.value, position, operation)


def _check_not_late(tree, node, name, position, operation):
    """Check that no lambda or generator made between ``name``'s last definition and the place would see the new one."""
    maker = position.block.producer(name, _END if position.successor is None else position.successor.order_key)
    begun = () if maker is None else maker.place
    for reader in tree.all_nodes():
        looped = _loops_at(reader.block) & _loops_at(position.block) - (_loops_at(maker.block) if maker else set())
        if name in lazy_names(reader) and (begun < reader.place < position.place or looped):
            expected = f"the targets of '{node.name}' must not be names that a lambda or generator before it reads"
            raise value_error(operation, expected, f"'{name}' of '{reader.name}'")


def lazy_names(node):
    """The names in lambdas and generators of a node's code."""
    if isinstance(node.form, Control):
        statements = [node.form.header.statement]
    else:
        statements = node.form.code.statements if isinstance(node.form, Python) else []
    lazy = [n for s in statements for n in ast.walk(s) if isinstance(n, LAZY)]
    return {n.id for made in lazy for n in ast.walk(made) if isinstance(n, ast.Name)}


def _loops_at(block):
    """The loops around a block."""
    found = set()
    while block.owner is not None:
        if isinstance(block.owner.form.header.statement, (ast.For, ast.While)):
            found.add(block.owner)
        block = block.owner.block
    return found


def check_left_defined(node, operation):
    """Check that every reader of the node's targets has an earlier value of that name once the node is gone."""
    names = {target.value for target in node.targets}
    read = [(user, value, user) for user in node.users for value in user.reads_by_name() if value.root in names]
    read += [(user, user.args[index], node) for user, index in node.linked_users]  # then read what is before the node
    lost = {
        user: f"'{user.name}'"
        for user, value, place in read
        if not node.holds(user) and not is_defined(node.tree, value, place.block, place.order_key, node)
    }
    left = [reader for user, reader in sorted(lost.items(), key=lambda each: each[0].place)]
    if left:
        expected = f"the node '{node.name}' must have no users but those that find an earlier value of its targets"
        raise value_error(operation, expected, ", ".join(left))


def check_renamable(node, operation):
    """Check that the names in the node's code may be changed."""
    if isinstance(node.form, Python) and not node.form.code.renamed:
        raise value_error(operation, "the node must be one whose names may be changed", f"'{node.name}'")
