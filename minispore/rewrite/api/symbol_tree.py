"""SymbolTree, with MindSpore's methods: the API handle of a Tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minispore.core.atomic_file import replace_file
from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.rewrite import generate, graphviz, parse, show
from minispore.rewrite.api.node import Handle, Node, handler_of
from minispore.rewrite.edit import arguments, edit, replacing
from minispore.rewrite.edit import new_nodes as making
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.tree import Tree
from minispore.rewrite.tree.unique_names import identifier

__all__ = ["Node", "SymbolTree", "TreeNodeHelper"]


class TreeNodeHelper:
    """Access from a node to the tree inside it."""

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


class SymbolTree(Handle):
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

    def set_saved_file_name(self, file_name: str) -> None:
        """Set the file of :meth:`save_network_to_file`; ``.py`` is appended to a name without it.

        Raises:
            TypeError: If ``file_name`` is not a str.
            ValueError: If it is empty.
        """
        if not isinstance(file_name, str):
            raise type_error("set_saved_file_name", "the 'file_name' must be a str", type(file_name).__name__)
        if not file_name:
            raise value_error("set_saved_file_name", "the 'file_name' must not be empty", repr(file_name))
        self._handler.forest.file_name = file_name if file_name.endswith(".py") else file_name + ".py"

    def get_saved_file_name(self) -> str:
        """The file of :meth:`save_network_to_file`: ``./network_define.py`` unless another name was set."""
        return vars(self._handler.forest).get("file_name", "./network_define.py")

    def save_network_to_file(self) -> None:
        """Write the source, as :meth:`get_code` returns it, to a file that can be imported.

        Raises:
            ValueError: If an argument of a node is not defined; the message names both.
            OSError: If the file cannot be written; an existing one is then unchanged.
        """
        text = self.get_code().encode("utf-8")
        replace_file(self.get_saved_file_name(), lambda file: file.write(text), "save_network_to_file")

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print the nodes as a table, with ``all_nodes`` also those of inner trees."""
        check_bool("print_node_tabulate", "all_nodes", all_nodes)
        print(show.table(self._handler))
        for tree in self._handler.forest.trees.values() if all_nodes else ():
            if tree is not self._handler:
                print(f"\n{type(tree.network).__name__}\n{show.table(tree)}")

    def dump(self) -> None:
        """Print each node with the values it reads, the object it calls and its attributes, for debugging."""
        print(show.dump(self._handler))

    def to_graphviz(self, color_by: str = "type") -> str:
        """The tree, with inner trees as frames, as text for Graphviz's ``dot``.

        Args:
            color_by (str): "type" colours nodes by their NodeType, "dtype" by the dtype that they run in: float16 and
                float32 for marked cells and casts, no colour for the others. Default: "type".

        Raises:
            ValueError: If ``color_by`` is unknown.
        """
        return graphviz.graphviz(self._handler, color_by)


def _check_cell(operation, network):
    if not isinstance(network, Cell):
        raise type_error(operation, "the 'network' must be a Cell", type(network).__name__)


def _with_inside(tree, seen):
    """The nodes of a tree; if ``seen`` is a set, each inner tree follows once."""
    for node in tree.nodes() if seen is None else tree.all_nodes():
        yield node
        if seen is not None and node.sub_tree is not None and node.sub_tree not in seen:
            seen.add(node.sub_tree)
            yield from _with_inside(node.sub_tree, seen)
