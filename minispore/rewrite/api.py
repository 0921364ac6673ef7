"""The public faces: SymbolTree and Node, as MindSpore spells them, over Tree and TreeNode."""

from minispore.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.rewrite import edit, generate, parse, show
from minispore.rewrite.node import TreeNode
from minispore.rewrite.tree import Tree
from minispore.rewrite.values import NodeType

__all__ = ["Node", "SymbolTree", "TreeNodeHelper"]


class _Face:
    """What stands before a handler; two faces of one handler are equal."""

    def __init__(self, handler):
        kind = self._kind
        if not isinstance(handler, kind):
            raise type_error(type(self).__name__, f"the 'handler' must be a {kind.__name__}", type(handler).__name__)
        self._handler = handler

    def get_handler(self):
        """What stands behind: the node or tree itself."""
        return self._handler

    def __eq__(self, other):
        return isinstance(other, _Face) and self._handler is other._handler

    def __hash__(self):
        return hash(self._handler)

    def __repr__(self):
        return repr(self._handler)


class Node(_Face):
    """One node of a tree: what it computes, what it reads, and who reads it.

    Args:
        handler (TreeNode): The node behind, as ``get_handler`` returns it.
    """

    _kind = TreeNode

    @staticmethod
    def create_call_cell(cell, targets, args=None, kwargs=None, name="", is_sub_net=False):
        """A node that calls a Cell or Primitive of its own, to be put into a tree.

        Args:
            cell (Cell or Primitive): What is called.
            targets (list[ScopedValue or str]): The names it defines; made unique when the node is put in.
            args (list[ScopedValue]): What it reads. Default: None, nothing.
            kwargs (dict[str, ScopedValue]): What it reads by keyword. Default: None, nothing.
            name (str): The node's name, made unique too. Default: "", the name of the class.
            is_sub_net (bool): Accepted; what is put in stays a leaf. Default: False.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If there is no target.
        """
        return Node(edit.call_cell(cell, targets, args, kwargs, name))

    def get_name(self):
        """The node's name."""
        return self._handler.name

    def get_node_type(self):
        """The NodeType."""
        return self._handler.kind

    def get_instance(self):
        """The Cell or Primitive that is called; None for other nodes."""
        return self._handler.instance

    def get_instance_type(self):
        """The class of what is called; NoneType for other nodes."""
        return self._handler.called_type

    def get_targets(self):
        """The values it defines, as a list."""
        return list(self._handler.targets)

    def get_args(self):
        """The values it reads, as a list."""
        return list(self._handler.args)

    def get_kwargs(self):
        """The values it reads by keyword, as a dict."""
        return self._handler.kwargs

    def get_users(self):
        """The nodes that read what it defines, in order."""
        return [Node(user) for user in self._handler.users]

    def get_inputs(self):
        """The nodes that define what it reads, one for each value."""
        return [Node(producer) for producer in self._handler.producers_with_repeats()]

    def set_arg(self, index, arg):
        """Read ``arg`` as argument ``index``; returns what it read before.

        Raises:
            TypeError: If ``arg`` is no value.
            ValueError: If there is no such argument, or ``arg`` is not defined before the node.
        """
        return edit.set_arg(self._handler, index, arg)

    def set_arg_by_node(self, arg_idx, src_node, out_idx=None):
        """Read target ``out_idx`` (default: the first) of ``src_node`` as argument ``arg_idx``."""
        value = edit.output_of(_handler(src_node), out_idx or 0, "set_arg_by_node")
        return edit.set_arg(self._handler, arg_idx, value)

    def get_symbol_tree(self):
        """The tree that the node stands in; None if in none."""
        return None if self._handler.tree is None else SymbolTree(self._handler.tree)


class TreeNodeHelper:
    """Ways from a node to the tree inside it."""

    @staticmethod
    def get_sub_tree(node):
        """The tree of the cell that a node of type Tree or CellContainer calls.

        Raises:
            TypeError: If ``node`` is not such a node.
        """
        sub_tree = node.get_handler().sub_tree if isinstance(node, Node) else None
        if sub_tree is None:
            raise type_error("get_sub_tree", "the 'node' must be a Node of type Tree or CellContainer", repr(node))
        return SymbolTree(sub_tree)


class SymbolTree(_Face):
    """The nodes of a network's ``construct``, to be looked at and edited, and made a network again.

    Args:
        handler (Tree): The tree behind; ``SymbolTree.create(network)`` makes one.

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
    def create(cls, network):
        """The tree of a network.

        Raises:
            TypeError: If ``network`` is not a Cell, or the source of its ``construct`` cannot be had.
        """
        if not isinstance(network, Cell):
            raise type_error("SymbolTree.create", "the 'network' must be a Cell", type(network).__name__)
        return cls(parse.parse_network(network))

    @classmethod
    def create_as_one_call(cls, network):
        """A tree whose one node runs the network's own ``construct``: for a network that is to be a leaf itself."""
        return cls(parse.parse_as_one_call(network))

    # Looking

    def nodes(self, all_nodes=False):
        """The nodes in order; with ``all_nodes`` those in bodies too, and each tree inside behind what calls it."""
        return iter([Node(node) for node in _with_inside(self._handler, set() if all_nodes else None)])

    def get_node(self, node_name):
        """The node of that name; None if there is none."""
        found = self._handler.get(node_name)
        return None if found is None else Node(found)

    def get_inputs(self):
        """The Input nodes."""
        return [node for node in self.nodes() if node.get_node_type() is NodeType.Input]

    def get_origin_network(self):
        """The network that the tree was made from."""
        return self._handler.network

    def unique_name(self, name="output"):
        """A name for a target that no other has; it is taken from now on."""
        return self._handler.values.unique(name)

    @property
    def notes(self):
        """Notes that passes over the network left, as a list to append to."""
        return self._handler.forest.notes

    # Editing

    def before(self, node):
        """The position before a node."""
        found = edit.own_node(self._handler, _handler(node), "before")
        return edit.Position(found.block, found)

    def after(self, node):
        """The position after a node."""
        found = edit.own_node(self._handler, _handler(node), "after")
        return edit.Position(found.block, found.after)

    def insert(self, position, node):
        """Put a new node at a position; its name and targets are made unique.

        Raises:
            TypeError: If the arguments are no position and Node.
            ValueError: If the node stands in a tree already, or reads what is not defined before the position.
        """
        return Node(edit.insert(self._handler, position, _handler(node)))

    def erase(self, node):
        """Take out a node.

        Raises:
            ValueError: If another node reads what it defines (the message names them), or it is an input or the output.
        """
        return Node(edit.erase(self._handler, edit.own_node(self._handler, _handler(node), "erase")))

    erase_node = erase

    def replace(self, old_node, new_nodes):
        """Put new nodes in the place of one; its users read the targets of the last new node, which is returned."""
        old = edit.own_node(self._handler, _handler(old_node), "replace")
        handlers = list(map(_handler, new_nodes)) if isinstance(new_nodes, (list, tuple)) else new_nodes
        return Node(edit.replace(self._handler, old, handlers))

    def redirect(self, old, new):
        """Let what reads the value ``old`` behind the definition of ``new`` read ``new``; returns those nodes."""
        return [Node(user) for user in edit.redirect(self._handler, old, new)]

    def substitute(self, cell, other):
        """Let every call of ``cell`` in the network be a call of ``other``, under each of its names."""
        edit.substitute(self._handler, cell, other)

    def set_output(self, index, node):
        """Return the first target of ``node`` as output ``index``.

        Raises:
            ValueError: If the network has no such output.
        """
        output = self._handler.last
        if output is None or output.kind is not NodeType.Output:
            raise value_error("set_output", "the network must end with 'return'", "one that does not")
        made = self._handler.producer(output.args[0])
        listed = made is not None and made.name.startswith("tuple") and made.users == [output]
        return edit.set_arg(made if listed else output, index, _handler(node))

    def create_call_function(self, func, targets, *args, **kwargs):
        """A node that calls a function, to be put into the tree; arguments are values, constants or Nodes."""
        args, kwargs = list(map(_handler, args)), {name: _handler(value) for name, value in kwargs.items()}
        return Node(edit.call_function(func, targets, args, kwargs))

    # Making a network

    def get_code(self):
        """The source of the network that the tree makes."""
        return generate.source_text(self._handler)

    def get_network(self):
        """A new network that runs the tree; Parameters, and the cells that were not edited, are the original's."""
        return generate.make_network(self._handler)

    def print_node_tabulate(self, all_nodes=False):
        """Print the nodes as a table, with ``all_nodes`` those of the trees inside too."""
        print(show.table(self._handler))
        for tree in self._handler.forest.trees.values() if all_nodes else ():
            if tree is not self._handler:
                print(f"\n{type(tree.network).__name__}\n{show.table(tree)}")

    dump = print_node_tabulate


def _handler(node):
    """The node behind a face; anything else as it is, for the room to judge."""
    return node.get_handler() if isinstance(node, Node) else node


def _with_inside(tree, seen):
    """The nodes of a tree; where ``seen`` is a set, each tree inside follows once."""
    for node in tree.nodes() if seen is None else tree.all_nodes():
        yield node
        if seen is not None and node.sub_tree is not None and node.sub_tree not in seen:
            seen.add(node.sub_tree)
            yield from _with_inside(node.sub_tree, seen)
