"""The room edit: every change of a tree, refused before anything changes if it would leave the tree unsound."""

from typing import NamedTuple

from minispore.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.primitive import Primitive
from minispore.rewrite.forms import Call, Python
from minispore.rewrite.making import value_of
from minispore.rewrite.namer import identifier
from minispore.rewrite.node import TreeNode
from minispore.rewrite.scopes import names_otherwise
from minispore.rewrite.tree import Block
from minispore.rewrite.values import NodeType, ScopedValue


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


def insert(tree, position, node):
    """Put a new node at a position; its name and targets are made unique."""
    if not isinstance(position, Position) or not isinstance(node, TreeNode):
        raise type_error("insert", "the arguments must be a position and a Node", f"{position!r} and {node!r}")
    if not _is_in(position, tree):
        raise value_error("insert", "the 'position' must be one of the tree", "one that is not, or no more")
    if node.tree is not None:
        raise value_error("insert", "the 'node' must stand in no tree yet", f"'{node.name}', which does")
    if node.blocks:
        raise value_error("insert", "the 'node' must be no ControlFlow node", f"'{node.name}'")
    _check_place(position)
    _check_defined(tree, node.reads(), position.place, "insert", node.name)
    _install(tree, node)
    fresh = [tree.values.unique(target.value) for target in node.targets]
    node.targets = ScopedValue.create_name_values(fresh)
    position.block.attach(node, position.successor)
    tree.edited = True
    return node


def _is_in(position, tree):
    """Whether the place is one of the tree, and still there."""
    owner, successor = position.block.owner, position.successor
    here = position.block is tree if owner is None else owner.tree is tree
    return here and (successor is None or successor.block is position.block)


def _check_place(position):
    """Inputs come first, and nothing comes behind an output."""
    successor = position.successor
    if successor is not None and successor.kind is NodeType.Input:
        raise value_error("insert", "the place must be behind the inputs", f"a place before '{successor.name}'")
    last = position.block.last
    if successor is None and last is not None and last.kind is NodeType.Output:
        raise value_error("insert", "the place must be before the output", "the end of the tree")


def _install(tree, node):
    """Give a new node its name, and the tree what the node calls where an edit brought that."""
    if not node.brought:
        node.name = tree.names.unique(node.name)
        return
    if node.kind is NodeType.CallFunction:
        node.name = tree.names.unique(identifier(node.name))
        callee = tree.values.unique(node.name)
        tree.globals[callee] = node.called
        node.form = Call(callee, node.form.prefixes)
        return
    name = tree.names.unique(identifier(node.name))
    while name in tree.attributes or _is_attribute(tree.network, name):
        name = tree.names.unique(name)
    node.name = name
    tree.attributes[name] = node.called
    node.form = Call(f"{tree.self_name}.{name}", node.form.prefixes)


def _is_attribute(cell, name):
    """Whether the cell has such an attribute; asks no property."""
    return hasattr(type(cell), name) or any(name in table for table in (cell.__dict__, cell._cells, cell._params))


def _check_defined(tree, values, place, operation, name):
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
    if not new_nodes or len(set(new_nodes)) < len(new_nodes) or any(n.tree is not None for n in new_nodes):
        raise value_error("replace", "the 'new_nodes' must be nodes in no tree yet, each once, at least one", new_nodes)
    if old.kind in (NodeType.Input, NodeType.Output):
        raise value_error("replace", "the 'old_node' must be neither an input nor the output", f"'{old.name}'")
    if old.assigned:
        expected = "the 'old_node' must be one that assigns no variable of control flow"
        raise value_error("replace", expected, f"'{old.name}'")
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
        _check_defined(tree, [v for v in node.reads() if v not in made], old.place, "replace", node.name)
        made.update(node.targets)


def _insert_chain(tree, old, new_nodes):
    """Insert nodes that may read one another's targets, by the names that those get."""
    renamed = {}
    for node in new_nodes:
        asked = node.targets
        kwargs = {key: renamed.get(value, value) for key, value in node.kwargs.items()}
        node.read([renamed.get(value, value) for value in node.args], kwargs)
        insert(tree, Position(old.block, old), node)
        renamed.update(zip(asked, node.targets, strict=True))


def set_arg(node, index, value):
    """Let a node read another value as its argument ``index``; returns what it read before."""
    value = value_of(value, "set_arg", "arg")
    if isinstance(index, bool) or not isinstance(index, int):
        raise type_error("set_arg", "the 'index' must be an int", type(index).__name__)
    if not 0 <= index < len(node.args):
        raise value_error("set_arg", f"the 'index' must be in [0, {len(node.args)}) for '{node.name}'", index)
    if isinstance(node.form, Python) and not node.form.code.renamed:
        raise value_error("set_arg", "the node must be one whose names may be changed", f"'{node.name}'")
    if node.tree is not None:
        _check_defined(node.tree, [value], node.place, "set_arg", node.name)
        node.tree.edited = True
    args = list(node.args)
    before, args[index] = args[index], value
    node.read(args)
    return before


def redirect(tree, old, new):
    """Let what reads the value ``old`` behind the definition of ``new`` read ``new``; returns those nodes."""
    source, target = tree.producer(old), tree.producer(new)
    if source is None or target is None:
        raise value_error("redirect", "both values must be targets of nodes of the tree", f"'{old}' and '{new}'")
    users = [user for user in source.users if target.is_visible_at(user.place) and old in user.reads()]
    for user in users:
        if isinstance(user.form, Python) and not user.form.code.renamed:
            raise value_error("redirect", "the users must be nodes whose names may be changed", f"'{user.name}'")
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
