"""The nodes of a tree, as the API shows them."""

from __future__ import annotations

from collections.abc import Iterator

from minispore.core.checks import check_bool
from minispore.core.errors import type_error
from minispore.rewrite.api.node import Node
from minispore.rewrite.tree.scoped_value import NodeType

__all__ = []


class TreeNodes:
    """Base of SymbolTree: its nodes, all of them or one by name."""

    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """The nodes in order; with ``all_nodes`` also those in bodies, and each inner tree after the call of it."""
        seen = set() if check_bool("nodes", "all_nodes", all_nodes) else None
        return iter([Node(node) for node in _with_inside(self._handler, seen)])

    def get_node(self, node_name: str) -> Node | None:
        """The node of that name, or None; TypeError if ``node_name`` is not a str."""
        if not isinstance(node_name, str):
            raise type_error("get_node", "the 'node_name' must be a str", type(node_name).__name__)
        found = self._handler.get(node_name)
        return None if found is None else Node(found)

    def get_inputs(self) -> list[Node]:
        """The Input nodes."""
        return [node for node in self.nodes() if node.get_node_type() is NodeType.Input]


def _with_inside(tree, seen):
    """The nodes of a tree; if ``seen`` is a set, each inner tree follows once."""
    for node in tree.nodes() if seen is None else tree.all_nodes():
        yield node
        if seen is not None and node.sub_tree is not None and node.sub_tree not in seen:
            seen.add(node.sub_tree)
            yield from _with_inside(node.sub_tree, seen)
