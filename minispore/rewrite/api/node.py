"""API handles for the parts of a tree: Node, with MindSpore's methods, for a TreeNode."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import type_error
from minispore.rewrite import parse
from minispore.rewrite.api.node_facts import NodeFacts
from minispore.rewrite.edit import arguments, new_nodes
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.scoped_value import ScopedValue

__all__ = ["Handle", "Node", "handle_of", "handler_of"]


class Handle:
    """Base of API handles; two handles of one tree object are equal."""

    def __init__(self, handler: Any) -> None:
        kind = self._kind
        if not isinstance(handler, kind):
            raise type_error(type(self).__name__, f"the 'handler' must be a {kind.__name__}", type(handler).__name__)
        self._handler = handler

    def get_handler(self) -> Any:
        """The node or tree itself."""
        return self._handler

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Handle) and self._handler is other._handler

    def __hash__(self) -> int:
        return hash(self._handler)

    def __repr__(self) -> str:
        return repr(self._handler)


class Node(Handle, NodeFacts):
    """One node of a tree: what it computes, the values it reads, and its readers.

    Args:
        handler (TreeNode): The tree node, as ``get_handler`` returns it.

    Examples:
        >>> import minispore as ms
        >>> from minispore.rewrite import SymbolTree
        >>> class Net(ms.nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = ms.nn.Dense(2, 3)
        ...         self.act = ms.nn.ReLU()
        ...
        ...     def construct(self, x):
        ...         x = self.dense(x)
        ...         return self.act(x)
        >>> tree = SymbolTree.create(Net())
        >>> node = tree.get_node("act")
        >>> print(node.get_name(), node.get_instance_type().__name__, node.get_inputs()[0].get_name())
        act ReLU dense
    """

    _kind = TreeNode

    @staticmethod
    def create_call_cell(cell, targets, args=None, kwargs=None, name: str = "", is_sub_net: bool = False) -> Node:
        """A new node that calls a Cell or Primitive, for insertion into a tree.

        Args:
            cell (Cell or Primitive): The object to call.
            targets (list[ScopedValue or str]): The names it defines.
            args (list[ScopedValue]): The values it reads. Default: None, no values.
            kwargs (dict[str, ScopedValue]): The values it reads by keyword. Default: None, no values.
            name (str): The node's name, made unique too. Default: "", the name of the first target.
            is_sub_net (bool): Whether a user's cell, or a SequentialCell, is a Tree or CellContainer, to be entered
                before it is inserted and after. Such a cell must be new to the network. Default: False, a leaf.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If there is no target.
        """
        check_bool("create_call_cell", "is_sub_net", is_sub_net)
        node = new_nodes.call_cell(cell, targets, args, kwargs, name)
        inside = parse.parse_inside(cell) if is_sub_net else None
        return Node(new_nodes.with_trees(node, inside, parse.is_container(cell)))

    def get_users(self) -> list[Node]:
        """The readers of its targets, in order."""
        return [Node(user) for user in self._handler.users]

    def get_inputs(self) -> list[Node]:
        """The producers of the values it reads, one for each value."""
        return [Node(producer) for producer in self._handler.producers_with_repeats()]

    def set_arg(self, index: int, arg: ScopedValue | str) -> ScopedValue:
        """Read ``arg`` as argument ``index``; returns the previous value.

        Raises:
            TypeError: If ``arg`` is not a value.
            ValueError: If there is no such argument.
        """
        return arguments.set_arg(self._handler, index, arg)

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> ScopedValue:
        """Read target ``out_idx`` (default: the first) of ``src_node`` as argument ``arg_idx``; returns the last value.

        Its name may mean another value at the node as yet: if no later edit changes that, ``get_code`` and
        ``get_network`` refuse. Of a node that is in no tree yet, the name alone is set.

        Raises:
            TypeError: If ``src_node`` is not a Node, or an index not an int.
            ValueError: If there is no such argument or target, or ``src_node`` does not stand before the node.

        Examples:
            >>> import minispore as ms
            >>> from minispore.rewrite import SymbolTree
            >>> class Net(ms.nn.Cell):
            ...     def __init__(self):
            ...         super().__init__()
            ...         self.a, self.b, self.c = ms.nn.Tanh(), ms.nn.Sigmoid(), ms.nn.ReLU()
            ...
            ...     def construct(self, x):
            ...         x = self.a(x)
            ...         x = self.b(x)
            ...         return self.c(x)
            >>> tree = SymbolTree.create(Net())
            >>> node = tree.get_node("b")
            >>> for user in node.get_users():
            ...     _ = user.set_arg_by_node(0, node.get_inputs()[0])
            >>> _ = tree.erase(node)
            >>> print(tree.get_network()(ms.Tensor([-1.0, 0.0])))
            [0. 0.]
        """
        return arguments.set_arg_by_node(
            self._handler, arg_idx, handler_of(src_node), 0 if out_idx is None else out_idx
        )

    def get_symbol_tree(self) -> Any:
        """The tree that holds the node; None if none does."""
        return None if self._handler.tree is None else handle_of(self._handler.tree)


def handle_of(handler):
    """The API handle of a node or tree."""
    return next(kind for kind in Handle.__subclasses__() if isinstance(handler, kind._kind))(handler)


def handler_of(node):
    """The node of an API handle; anything else unchanged, for the edit to check."""
    return node.get_handler() if isinstance(node, Node) else node
