"""Undefined names: check that a name has a value where it is read, as far as known before the code runs."""

from minispore.core.errors import value_error
from minispore.rewrite.resolve.outside import names_otherwise
from minispore.rewrite.tree.node_forms import Control

__all__ = ["check_all_defined", "is_defined"]


def check_all_defined(tree, operation):
    """Raise ValueError, with the node and the name, if a node reads a name that nothing before it defines."""
    for node in tree.all_nodes():
        for value in node.reads():
            if value.is_name and node.producer(value) is None and not _is_outside(tree, value):
                expected = f"the arguments of '{node.name}' must be defined before it"
                raise value_error(operation, expected, f"'{value}', which {_instead(tree, value)}")


def is_defined(tree, value, block, order_key, without=None):
    """True if a name may have a value at ``order_key`` in a block, from outside or from any node except ``without``."""
    name = value.root
    while True:
        if any(_binds(node, name, without) for node in reversed(block.definitions(name, order_key))):
            return True
        owner = block.owner
        if owner is None:
            return _is_outside(tree, value, without)
        header = owner.form.header
        if name in header.assigned or (header.repeats and _binds(owner, name, without)):
            return True
        block, order_key = owner.block, owner.order_key


def _binds(node, name, without):
    """True if the node or one in its bodies defines the name."""
    if node is without:
        return False
    if not isinstance(node.form, Control):
        return True
    header = node.form.header
    inside = (each for block in node.blocks for each in block.definitions(name))
    return name in header.assigned or any(_binds(each, name, without) for each in inside)


def _is_outside(tree, value, without=None):
    """True if a name has a value from outside: the code does not bind it anywhere, and something else does."""
    root = value.root
    if any(_binds(node, root, without) for node in tree.definitions(root)):
        return False
    if root == "minispore":
        return value.text == root or not names_otherwise(tree.function, root)
    return root in tree.mentioned or tree.knows_outside(root)


def _instead(tree, value):
    makers = tree.definitions(value.root)
    return f"'{makers[0].name}' defines behind it" if makers else "is not"
