"""Edits of arguments and outputs: another value is read in an argument's place."""

from minispore.core.errors import type_error, value_error
from minispore.rewrite.edit.argument_checks import check_link, check_read_again, check_read_once
from minispore.rewrite.edit.edit import carried
from minispore.rewrite.edit.new_nodes import output_of, value_of
from minispore.rewrite.edit.preconditions import check_renamable, lazy_names
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import is_tuple
from minispore.rewrite.tree.scoped_value import NodeType

__all__ = ["set_arg", "set_arg_by_node", "set_output"]


def link(node, index, source, value):
    """Read ``value``, which ``source`` defines, as argument ``index``: by a link where its name means another."""
    args = list(node.args)
    args[index] = value
    node.read(args)
    node.link(index, None if node.producer(value) is source else source)


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
        link(node, index, source, value)
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
