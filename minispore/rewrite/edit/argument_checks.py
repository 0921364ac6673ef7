"""Checks of what a node is to read instead: they raise before anything changes."""

from minispore.core.errors import value_error
from minispore.rewrite.tree.node_forms import Control


def check_link(node, source, value, operation):
    """Check that ``source`` defines ``value`` before ``node``; nodes not yet in a tree are not checked.

    What is defined anew in between is judged where code is written: a later edit may remove that.
    """
    if node.tree is None or source.tree is None:
        return
    seen = source.tree is node.tree and source.is_visible_at(node.place)
    if not seen or (source.holds(node) and not source.supplies(value.root)):
        found = node.producer(value)
        expected = f"'{value}' of '{source.name}' must be defined before '{node.name}'"
        raise value_error(
            operation, expected, "a value that is not" if found is None else f"'{found.name}', which defines it there"
        )


def check_read_again(node, index, value, operation):
    """Check that a loop, which reads its test's values again, does not set ``value`` anew in its bodies."""
    if not isinstance(node.form, Control) or index not in node.form.header.read_again:
        return
    anew = [each for block in node.blocks for each in block.definitions(value.root)]
    if anew:
        expected = f"'{value}' must not be set in the body of '{node.name}', which reads it again"
        raise value_error(operation, expected, f"'{anew[0].name}'")


def check_read_once(node, value, operation):
    """Check that no lambda or generator of the node sees ``value`` change later: the name is defined once."""
    made = [] if value.root is None else [n for n in node.tree.all_nodes() if n.defines(value.root)]
    if len(made) > 1:
        expected = f"what a lambda or generator of '{node.name}' reads must be defined once"
        raise value_error(operation, expected, f"'{value}'")
