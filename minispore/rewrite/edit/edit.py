"""Edits of a tree: insert, erase, redirect, substitute. One that would leave it unsound raises before any change.

Names keep their meaning as in code read in order. A node that defines ``x`` reaches the readers of ``x`` after it. The
readers of an erased node's ``x`` read the earlier value.
"""

import re

from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.edit.argument_checks import check_read_once
from minispore.rewrite.edit.new_nodes import value_of
from minispore.rewrite.edit.preconditions import (
    Position,
    check_left_defined,
    check_new,
    check_place,
    check_renamable,
    check_targets,
    lazy_names,
    own_node,
)
from minispore.rewrite.tree.links import settle
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.unique_names import identifier

__all__ = ["Position", "erase", "insert", "own_node", "redirect", "substitute", "substitute_outside"]


def insert(tree, position, node):
    """Insert a new node at a position of the tree or an inner one; its name is made unique, its targets stay."""
    if not isinstance(position, Position) or not isinstance(node, TreeNode):
        got = f"{shown(position)} and {shown(node)}"
        raise type_error("insert", "the arguments must be a position and a Node", got)
    check_place(position, tree)
    check_new(position.block.tree, node, "insert")
    check_fits(tree, position, node, "insert")
    return inserted(tree, position, node)


def check_fits(tree, position, node, operation):
    """Raise unless a node's targets may be defined at a position, which a chained node's need not."""
    own = position.block.tree
    if not is_chained(tree, own, node):
        check_targets(own, node, position, operation)


def inserted(tree, position, node):
    """Insert a node that was checked; returns it."""
    own = position.block.tree
    if is_chained(tree, own, node):
        value = own.nodes()[0].targets[0]
        node.targets = [value]
        node.read([value])
    own.values.take(target.value for target in node.targets)  # first: what is called gets another name
    _install(own, node)
    position.block.attach(node, position.successor)
    own.edited = True
    return node


def is_chained(tree, own, node):
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
            take_place(tree, taker, taker.name, f"{tree.self_name}.{taker.name}")
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
    return erased(node)


def erased(node):
    """Remove a node that was checked; returns it."""
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


def take_place(tree, node, key, callee):
    """Let a container hold the callee of a new node under another name."""
    del tree.attributes[node.key]
    tree.attributes[key] = node.called
    node.key, node.form = key, Call(callee, node.form.prefixes)


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
