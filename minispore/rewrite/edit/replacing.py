"""The edit that puts new nodes in the place of one."""

from minispore.core.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.rewrite.edit.arguments import link
from minispore.rewrite.edit.edit import check_fits, erased, inserted, is_chained, take_place
from minispore.rewrite.edit.preconditions import Position, check_new, check_renamable
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import is_called_elsewhere

__all__ = ["replace"]


def replace(tree, old, new_nodes):
    """Replace a node by new ones; readers of its targets read those of the last new node."""
    _check_replacement(tree, old, new_nodes)
    last, position = new_nodes[-1], Position(old.block, old)
    chained = is_chained(tree, old.tree, last)
    renamed = [] if chained else [p for p in zip(old.targets, last.targets, strict=False) if p[0] != p[1]]
    for before, after in renamed:
        _check_handed_over(old, before, after)
    users = [(user, pair) for pair in renamed for user in old.readers(pair[0].value)]
    for node in new_nodes:
        inserted(tree, position, node)
    for user, (before, after) in users:
        user.read_instead(before, after)
    for user, index in old.linked_users:
        link(user, index, last, last.targets[old.targets.index(user.args[index])])
    erased(old)
    both = isinstance(old.called, Cell) and isinstance(last.called, Cell)
    if both and last.brought and last.tree.is_container and not is_called_elsewhere(last.tree, old.called):
        take_place(last.tree, last, old.key, old.form.callee)
    return last


def _check_replacement(tree, old, new_nodes):
    """Raise unless the new nodes may take the place of the old one."""
    if not isinstance(new_nodes, (list, tuple)) or not all(isinstance(n, TreeNode) for n in new_nodes):
        raise type_error("replace", "the 'new_nodes' must be a list of Nodes", type(new_nodes).__name__)
    if not new_nodes or len(set(new_nodes)) < len(new_nodes):
        raise value_error("replace", "the 'new_nodes' must be nodes in no tree yet, each once, at least one", new_nodes)
    position = Position(old.block, old)
    for node in new_nodes:
        check_new(old.tree, node, "replace")
        check_fits(tree, position, node, "replace")
    if old.kind in (NodeType.Input, NodeType.Output):
        raise value_error("replace", "the 'old_node' must be neither an input nor the output", f"'{old.name}'")
    last = new_nodes[-1]
    if len(last.targets) < len(old.targets):
        expected = f"the last of the 'new_nodes' must have {len(old.targets)} targets like '{old.name}'"
        raise value_error("replace", expected, len(last.targets))


def _check_handed_over(old, before, after):
    """Raise ValueError unless every reader of ``before`` of the old node can read ``after`` of another instead."""
    owner = old.block.owner
    if owner is not None and not old.block.is_defined_behind(before.value, old.order_key):
        expected = (
            f"the last of the 'new_nodes' must define '{before}', which is read behind the body of '{owner.name}'"
        )
        raise value_error("replace", expected, f"'{after}'")
    there = old.block.producer(after.value, old.order_key)
    for user in old.readers(before.value):
        check_renamable(user, "replace")
        found = user.producer(after)
        if found is not there and found is not old:
            expected = f"nothing may define '{after}' between '{old.name}' and what is to read that"
            raise value_error("replace", expected, f"'{found.name}', which does, before '{user.name}'")
