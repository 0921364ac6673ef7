"""Edits: every change of a tree; one that would leave it unsound raises before anything changes.

Names keep their meaning as in code read in order. A node that defines ``x`` reaches the readers of ``x`` after it. The
readers of an erased node's ``x`` read the earlier value.
"""

import re

from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.edit.new_nodes import output_of, value_of
from minispore.rewrite.edit.preconditions import (
    Position,
    check_left_defined,
    check_link,
    check_new,
    check_place,
    check_read_again,
    check_read_once,
    check_renamable,
    check_targets,
    lazy_names,
    own_node,
)
from minispore.rewrite.tree.links import settle
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call, is_tuple
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.tree import is_called_elsewhere
from minispore.rewrite.tree.unique_names import identifier

__all__ = [
    "Position",
    "erase",
    "insert",
    "own_node",
    "redirect",
    "replace",
    "set_arg",
    "set_arg_by_node",
    "set_output",
    "substitute",
    "substitute_outside",
]


def insert(tree, position, node):
    """Insert a new node at a position of the tree or an inner one; its name is made unique, its targets stay."""
    if not isinstance(position, Position) or not isinstance(node, TreeNode):
        got = f"{shown(position)} and {shown(node)}"
        raise type_error("insert", "the arguments must be a position and a Node", got)
    check_place(position, tree)
    check_new(position.block.tree, node, "insert")
    _check_fits(tree, position, node, "insert")
    return _inserted(tree, position, node)


def _check_fits(tree, position, node, operation):
    own = position.block.tree
    if not _is_chained(tree, own, node):
        check_targets(own, node, position, operation)


def _inserted(tree, position, node):
    own = position.block.tree
    if _is_chained(tree, own, node):
        value = own.nodes()[0].targets[0]
        node.targets = [value]
        node.read([value])
    own.values.take(target.value for target in node.targets)  # first: what is called gets another name
    _install(own, node)
    position.block.attach(node, position.successor)
    own.edited = True
    return node


def _is_chained(tree, own, node):
    """True if the node goes into a container from outside: each child there reads the previous child's output."""
    return own is not tree and own.is_container and node.brought


def _install(tree, node):
    """Give a new node its name, and the tree the object it calls if an edit brought that."""
    _carry(tree, node)
    if node.inside is not None:
        tree.forest.take_over(node.inside)
        node.inside = None
    if not node.brought:
        if node.key in tree.attributes:  # it was erased, and another has its place
            taker = next(each for each in tree.nodes() if each.key == node.key)
            _take_place(tree, taker, taker.name, f"{tree.self_name}.{taker.name}")
        node.name = tree.names.unique(node.name)
        return
    if node.kind is NodeType.CallFunction:
        node.name = tree.names.unique(_attribute_name(node.name))
        callee = tree.values.unique(node.name)
        tree.globals[callee] = node.called
        node.form = Call(callee, node.form.prefixes)
        return
    name = _free_attribute(tree, tree.names.unique(_attribute_name(node.name)), tree.names)
    node.name = node.key = name
    tree.attributes[name] = node.called
    node.form = Call(f"{tree.self_name}.{name}", node.form.prefixes)


def _free_attribute(tree, name, names):
    while name in tree.attributes or _is_attribute(tree.network, name):
        name = names.unique(name)
    return name


def _carry(tree, node):
    """Let the tree hold argument objects that have no source form, and the node read them by name."""
    for value in dict.fromkeys(value for value in node.reads() if not value.is_name and value.is_carried):
        node.read_instead(value, carried(tree, value))


def carried(tree, value):
    """A value that the tree's code can read: an object without a source form becomes an attribute of the network."""
    if value.is_name or not value.is_carried:
        return value
    known = [name for name, held in tree.attributes.items() if held is value.value]
    name = known[0] if known else _free_attribute(tree, f"arg_{type(value.value).__name__}", tree.names)
    tree.attributes[name] = value.value
    return ScopedValue.create_naming_value(name, tree.self_name)


def _attribute_name(name):
    """The name without leading double underscores, which would mangle it differently in each class."""
    return re.sub("^__+", "_", identifier(name))


def _is_attribute(cell, name):
    """True if the cell has such an attribute; does not evaluate properties."""
    return hasattr(type(cell), name) or any(name in table for table in (cell.__dict__, cell._cells, cell._params))


def erase(tree, node):
    """Remove a node; readers of its targets then read the earlier values of these names."""
    if node.kind in (NodeType.Input, NodeType.Output):
        raise value_error("erase", "the 'node' must be neither an input nor the output", f"'{node.name}'")
    check_left_defined(node, "erase")
    return _erased(node)


def _erased(node):
    tree, block, place, linked = node.tree, node.block, node.order_key, node.linked_users
    block.detach(node)
    for user, index in linked:
        if user.tree is tree:  # else it went with the node
            user.link(index, block.producer(user.args[index].root, place))
    settle(tree)
    if node.brought:
        tree.attributes.pop(node.key, None)
    tree.edited = True
    return node


def replace(tree, old, new_nodes):
    """Replace a node by new ones; readers of its targets read those of the last new node."""
    _check_replacement(tree, old, new_nodes)
    last, position = new_nodes[-1], Position(old.block, old)
    chained = _is_chained(tree, old.tree, last)
    renamed = [] if chained else [p for p in zip(old.targets, last.targets, strict=False) if p[0] != p[1]]
    for before, after in renamed:
        _check_handed_over(old, before, after)
    users = [(user, pair) for pair in renamed for user in old.readers(pair[0].value)]
    for node in new_nodes:
        _inserted(tree, position, node)
    for user, (before, after) in users:
        user.read_instead(before, after)
    for user, index in old.linked_users:
        _link(user, index, last, last.targets[old.targets.index(user.args[index])])
    _erased(old)
    both = isinstance(old.called, Cell) and isinstance(last.called, Cell)
    if both and last.brought and last.tree.is_container and not is_called_elsewhere(last.tree, old.called):
        _take_place(last.tree, last, old.key, old.form.callee)
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
        _check_fits(tree, position, node, "replace")
    if old.kind in (NodeType.Input, NodeType.Output):
        raise value_error("replace", "the 'old_node' must be neither an input nor the output", f"'{old.name}'")
    last = new_nodes[-1]
    if len(last.targets) < len(old.targets):
        expected = f"the last of the 'new_nodes' must have {len(old.targets)} targets like '{old.name}'"
        raise value_error("replace", expected, len(last.targets))


def _take_place(tree, node, key, callee):
    """Let a container hold the callee of a new node under another name."""
    del tree.attributes[node.key]
    tree.attributes[key] = node.called
    node.key, node.form = key, Call(callee, node.form.prefixes)


def _link(node, index, source, value):
    """Read ``value``, which ``source`` defines, as argument ``index``: by a link where its name means another."""
    args = list(node.args)
    args[index] = value
    node.read(args)
    node.link(index, None if node.producer(value) is source else source)


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


def set_arg(node, index, value, operation="set_arg"):
    """Let a node read another value as its argument ``index``; returns the previous value.

    The name may be one that a node to be inserted later defines.
    """
    value = value_of(value, operation, "arg")
    if isinstance(index, bool) or not isinstance(index, int):
        raise type_error(operation, "the 'index' must be an int", type(index).__name__)
    if not 0 <= index < len(node.args):
        raise value_error(operation, f"the 'index' must be in [0, {len(node.args)}) for '{node.name}'", index)
    check_renamable(node, operation)
    args = list(node.args)
    if node.tree is not None:
        if args[index].root in lazy_names(node):
            check_read_once(node, value, operation)
        node.tree.edited = True
        value = carried(node.tree, value)
        node.link(index, None)
    before, args[index] = args[index], value
    node.read(args)
    return before


def set_arg_by_node(node, index, source, output):
    """Let a node read the target ``output`` of ``source``, which must be defined before the node.

    Where its name means another value at the node, they are linked: a later edit may remove what defines that.
    """
    value = output_of(source, output, "set_arg_by_node")
    return _set_linked(node, index, source, value, "set_arg_by_node")


def _set_linked(node, index, source, value, operation):
    check_link(node, source, value, operation)
    check_read_again(node, index, value, operation)
    before = set_arg(node, index, value, operation)
    if node.tree is not None and source.tree is not None:
        _link(node, index, source, value)
    return before


def set_output(tree, index, value):
    """Let the tree return another value as output ``index``; returns the output."""
    output = tree.last
    if output is None or output.kind is not NodeType.Output:
        raise value_error("set_output", "the network must end with 'return'", "one that does not")
    if not isinstance(value, (str, TreeNode)):
        raise type_error("set_output", "the 'return_value' must be a name or a Node", type(value).__name__)
    made = output.source(0)
    listed = made is not None and is_tuple(made) and made.users == [output]
    reader = made if listed else output
    if isinstance(value, TreeNode):
        _set_linked(reader, index, value, value_of(value, "set_output", "return_value"), "set_output")
    else:
        set_arg(reader, index, value, "set_output")
    return output


def redirect(tree, old, new):
    """Let the readers of ``old`` after the definition of ``new`` read ``new``; returns those nodes.

    If ``old`` is defined more than once, it means the value at the definition of ``new``.
    """
    old, new = value_of(old, "redirect", "old"), value_of(new, "redirect", "new")
    makers = [node for node in tree.all_nodes() if old.is_name and node.defines(old.text)]
    if not makers or not any(new.is_name and node.defines(new.text) for node in tree.all_nodes()):
        raise value_error("redirect", "both values must be targets of nodes of the tree", f"'{old}' and '{new}'")
    found = dict.fromkeys(user for maker in makers for user in maker.readers(old.text))
    plain = [node for node in makers if not node.blocks]
    alone = len(plain) == 1 and all(node is plain[0] or node.holds(plain[0]) for node in makers)
    ordered = sorted(found, key=lambda node: node.place)
    users = [user for user in ordered if _reads_what_new_stands_for(user, old, new, alone)]
    for user in users:
        check_renamable(user, "redirect")
        if old.root in lazy_names(user):
            check_read_once(user, new, "redirect")
    for user in users:
        user.read_instead(old, new)
        tree.edited = True
    return users


def _reads_what_new_stands_for(user, old, new, alone):
    """True if a node reads the same value ``old`` that is current where ``new`` is defined."""
    maker, other = user.producer(old), user.producer(new)
    if maker is None or other is None or other.blocks or not other.is_visible_at(user.place):
        return False
    return alone or other is maker or other.producer(old) is maker


def substitute(tree, cell, other):
    """Replace ``cell`` by ``other`` in every call of the network, under each of its names."""
    for argument, given in (("cell", cell), ("other", other)):
        if not isinstance(given, (Cell, Primitive)):
            raise type_error("substitute", f"the '{argument}' must be a Cell or a Primitive", type(given).__name__)
    tree.forest.substitutes[cell] = other


def substitute_outside(tree):
    """Bind names from outside the construct to the substitutes of the cells and primitives they refer to."""
    for name, called in tree.outside.items():
        if called in tree.forest.substitutes:
            tree.globals[name] = tree.forest.substitutes[called]
            tree.edited = True
