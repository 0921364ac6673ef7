"""SymbolTree, with MindSpore's methods: the API handle of a Tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.object_text import of_arguments
from minispore.rewrite import generate, parse
from minispore.rewrite.api.node import Handle, Node, handler_of
from minispore.rewrite.api.tree_nodes import TreeNodes
from minispore.rewrite.api.tree_text import TreeText
from minispore.rewrite.edit import arguments, edit, replacing
from minispore.rewrite.edit import new_nodes as making
from minispore.rewrite.tree.scoped_value import ScopedValue
from minispore.rewrite.tree.tree import Tree
from minispore.rewrite.tree.unique_names import identifier

__all__ = ["Node", "SymbolTree", "TreeNodeHelper"]


class TreeNodeHelper:
    """Access from a node to the tree inside it."""

    __repr__ = of_arguments

    @staticmethod
    def get_sub_tree(node: Node) -> SymbolTree:
        """The tree of the cell that a node of type Tree or CellContainer calls.

        Raises:
            TypeError: If ``node`` is not such a node.
        """
        sub_tree = node.get_handler().sub_tree if isinstance(node, Node) else None
        if sub_tree is None:
            raise type_error("get_sub_tree", "the 'node' must be a Node of type Tree or CellContainer", shown(node))
        return SymbolTree(sub_tree)


class SymbolTree(Handle, TreeNodes, TreeText):
    """The nodes of a network's ``construct``, to inspect, edit, and turn into a network again.

    Args:
        handler (Tree): The tree; ``SymbolTree.create(network)`` makes one.

    Examples:
        >>> import minispore as ms
        >>> from minispore.rewrite import SymbolTree
        >>> class Net(ms.nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.relu = ms.ops.ReLU()
        ...
        ...     def construct(self, x):
        ...         return self.relu(x) + x
        >>> tree = SymbolTree.create(Net())
        >>> [node.get_name() for node in tree.nodes()]
        ['input_x', 'relu', 'binop_add', 'return']
    """

    _kind = Tree

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """The tree of a network.

        Raises:
            TypeError: If ``network`` is not a Cell, or the source of its ``construct`` is not available.
        """
        _check_cell("SymbolTree.create", network)
        return cls(parse.parse_network(network))

    @classmethod
    def create_as_one_call(cls, network: Cell) -> SymbolTree:
        """A tree whose one node runs the network's own ``construct``: for a network that is to be a leaf itself.

        Raises:
            TypeError: If ``network`` is not a Cell.
        """
        _check_cell("SymbolTree.create_as_one_call", network)
        return cls(parse.parse_as_one_call(network))

    # Looking

    def get_origin_network(self) -> Cell:
        """The network that the tree was made from."""
        return self._handler.network

    def unique_name(self, name: str = "output") -> str:
        """A name for a target that no other has; it is reserved from then on.

        Raises:
            TypeError: If ``name`` is not a str.
            ValueError: If it is not a valid variable name.
        """
        if not isinstance(name, str):
            raise type_error("unique_name", "the 'name' must be a str", type(name).__name__)
        if identifier(name) != name:
            raise value_error("unique_name", "the 'name' must be the name of a variable", repr(name))
        return self._handler.values.unique(name)

    @property
    def notes(self) -> list[Any]:
        """Notes of passes over the network, as a list to append to."""
        return self._handler.forest.notes

    # Editing

    def before(self, node: Node) -> edit.Position:
        """The position before a node."""
        found = edit.own_node(self._handler, handler_of(node), "before")
        return edit.Position(found.block, found)

    def after(self, node: Node) -> edit.Position:
        """The position after a node."""
        found = edit.own_node(self._handler, handler_of(node), "after")
        return edit.Position(found.block, found.after)

    def insert(self, position: edit.Position, node: Node) -> Node:
        """Insert a new node at a position; its name is made unique, and later readers of its targets' names read it.

        Raises:
            TypeError: If the arguments are not a position and a Node.
            ValueError: If the node is in a tree already, or its targets are names that the code takes from outside.
        """
        return Node(edit.insert(self._handler, position, handler_of(node)))

    def erase(self, node: Node) -> Node:
        """Remove a node; readers of its targets then read the earlier values of these names.

        Raises:
            ValueError: If a reader would be left without an earlier value (the message names it), or the node is an
                input or the output.
        """
        return Node(edit.erase(self._handler, edit.own_node(self._handler, handler_of(node), "erase")))

    erase_node = erase

    def replace(self, old_node: Node, new_nodes: Sequence[Node]) -> Node:
        """Replace a node by new nodes; its users read the targets of the last new node, which is returned."""
        old = edit.own_node(self._handler, handler_of(old_node), "replace")
        handlers = list(map(handler_of, new_nodes)) if isinstance(new_nodes, (list, tuple)) else new_nodes
        return Node(replacing.replace(self._handler, old, handlers))

    def redirect(self, old: ScopedValue, new: ScopedValue) -> list[Node]:
        """Let the readers of ``old`` after the definition of ``new`` read ``new``; returns those nodes."""
        return [Node(user) for user in edit.redirect(self._handler, old, new)]

    def substitute(self, cell: Cell, other: Cell) -> None:
        """Replace ``cell`` by ``other`` in every call of the network, under each of its names."""
        edit.substitute(self._handler, cell, other)

    def substitute_outside(self) -> None:
        """Bind names from outside the construct to the substitutes of the cells and primitives they refer to."""
        edit.substitute_outside(self._handler)

    def set_output(self, index: int, return_value: str | Node) -> Node:
        """Return another value as output ``index``: the one of that name, or the first target of a Node.

        Returns:
            Node, the Output.

        Raises:
            TypeError: If ``return_value`` is neither a str nor a Node.
            ValueError: If the network has no such output, or the value is not defined at the return.
        """
        return Node(arguments.set_output(self._handler, index, handler_of(return_value)))

    def create_call_function(self, /, func: Callable[..., Any], targets, *args: Any, **kwargs: Any) -> Node:
        """A node that calls a function, for insertion into the tree; arguments are values, constants or Nodes."""
        args, kwargs = list(map(handler_of, args)), {name: handler_of(value) for name, value in kwargs.items()}
        return Node(making.call_function(func, targets, args, kwargs))

    # Making a network

    def get_code(self) -> str:
        """The source of the network described by the tree."""
        return generate.source_text(self._handler)

    def get_network(self) -> Cell:
        """A new network that runs the tree; Parameters and unedited cells are the original's."""
        return generate.make_network(self._handler)


def _check_cell(operation, network):
    if not isinstance(network, Cell):
        raise type_error(operation, "the 'network' must be a Cell", type(network).__name__)
