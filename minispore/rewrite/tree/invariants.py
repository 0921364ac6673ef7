"""Invariants: states each invariant of a tree in a sentence, and reports the first that is violated."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import shown, type_error
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import Tree


class UnsoundTreeError(AssertionError):
    """A tree violates an invariant: a bug in the package, not in the user's code."""


def check(tree) -> Any:
    """Raise UnsoundTreeError with the first sentence that is not true of the tree; returns the tree.

    Examples:
        >>> import minispore as ms
        >>> from minispore.rewrite import SymbolTree, check
        >>> class Net(ms.nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.act = ms.nn.ReLU()
        ...
        ...     def construct(self, x):
        ...         return self.act(x)
        >>> tree = SymbolTree.create(Net())
        >>> print(check(tree.get_handler()))
        <Tree of Net>
    """
    if not isinstance(tree, Tree):
        expected = "the 'tree' must be a Tree, which SymbolTree.get_handler returns"
        raise type_error("check", expected, shown(tree))
    nodes = tree.all_nodes()
    for holds, sentence in _INVARIANTS:
        for node in nodes:
            if not holds(tree, nodes, node):
                raise UnsoundTreeError(f"In the tree of '{type(tree.network).__name__}', at '{node.name}': {sentence}.")
    return tree


def _is_linked(tree, nodes, node):
    later = node.after is None or (node.after.before is node and node.after.order_key > node.order_key)
    owned = all(block.owner is node and block.tree is tree for block in node.blocks)
    return node.tree is tree and node.block.tree is tree and tree.get(node.name) is node and later and owned


def _defines_each_once(tree, nodes, node):
    return len(set(node.targets)) == len(node.targets)


def _is_entered(tree, nodes, node):
    inside = [each for block in node.blocks for each in block.nodes()]
    read = node.roots().union(*(_names_read(each) for each in inside)) if inside else node.roots()
    entered = {name for name, readers in node.block._reading.items() if node in readers}
    defined = {name for name, makers in node.block._defining.items() if node in makers}
    return entered == read and defined == {target.value for target in node.targets}


def _names_read(node):
    """The names read by a node and the nodes in its bodies."""
    return node.roots().union(*(_names_read(each) for block in node.blocks for each in block.nodes()))


def _reads_earlier(tree, nodes, node):
    return all(producer.tree is tree and producer.is_visible_at(node.place) for producer in node.producers)


def _is_used_by_readers(tree, nodes, node):
    return all(node in producer.users for producer in node.producers)


def _has_true_users(tree, nodes, node):
    names = {target.value for target in node.targets}
    read = [{value.root for value in user.reads()} | set(_loads(user)) for user in node.users]
    return all(user.tree is tree for user in node.users) and all(names & each for each in read)


def _is_linked_elsewhere(tree, nodes, node):
    links = [(node.args[index], source) for index, source in node.links.items()]
    known = (node in tree.linked) == bool(links)
    return known and all(value in source.targets and node.producer(value) is not source for value, source in links)


def _loads(node):
    return node.form.header.loads if node.blocks else ()


def _is_in_place(tree, nodes, node):
    if node.kind is NodeType.Input:
        return node.before is None or node.before.kind is NodeType.Input
    return node.kind is not NodeType.Output or (node.after is None and not node.targets)


def _can_be_written(tree, nodes, node):
    return all(isinstance(line, str) for line in node.lines())


_INVARIANTS = (
    (_is_linked, "each node stands in the tree once, in order, under a name of its own"),
    (_defines_each_once, "each node defines a name once"),
    (_is_entered, "each block knows which of its nodes define and read which names"),
    (_reads_earlier, "each node reads what earlier nodes of its block or of those around it define"),
    (_is_used_by_readers, "each node is a user of its producers"),
    (_has_true_users, "each user of a node reads one of its targets"),
    (_is_linked_elsewhere, "a node is linked to a target whose name means another value there, and to no other"),
    (_is_in_place, "inputs come first, and an output comes last in its block and defines nothing"),
    (_can_be_written, "each node can be written as source"),
)
