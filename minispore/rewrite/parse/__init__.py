"""Parsing: makes the trees of a network from the source of its cells.

Reading order: ``constants``, ``operations``, ``control_flow``, ``python_nodes``, ``expressions``, ``outside_calls``,
``calls``, ``statements``, ``containers``, ``one_call``, and this file, which calls them.
"""

from minispore.rewrite.gc_paused import uncollected
from minispore.rewrite.parse.calls import Calls, is_container
from minispore.rewrite.parse.containers import parse_container
from minispore.rewrite.parse.one_call import parse_as_one_call
from minispore.rewrite.parse.python_nodes import add_whole
from minispore.rewrite.parse.statements import add_inputs, add_statements
from minispore.rewrite.resolve.cell_contents import is_leaf
from minispore.rewrite.resolve.local_names import parameters
from minispore.rewrite.resolve.source import UnreadableError, read_construct
from minispore.rewrite.tree.tree import Forest, Tree

__all__ = ["UnreadableError", "is_container", "parse_as_one_call", "parse_inside", "parse_network"]


@uncollected
def parse_network(network):
    """The tree of a network, in a forest with the trees of the cells that it calls.

    Raises:
        TypeError: If the source of the network's construct cannot be had.
    """
    return _parse_cell(network, Forest())


def parse_inside(cell):
    """The trees of a cell that is to be put into a network, as a Forest; None for a leaf."""
    forest = Forest()
    return None if is_leaf(cell) or _enter(forest)(cell) is None else forest


def _parse_cell(cell, forest):
    """The tree of a cell, made once."""
    if cell not in forest.trees:
        if is_container(cell):
            parse_container(cell, forest, _enter(forest))
        else:
            _parse_construct(cell, forest, read_construct(cell, forest.sources))
    return forest.trees[cell]


def _enter(forest):
    """A parser of the called cell; None for a cell that cannot be read, whose reason is kept."""

    def enter(cell):
        try:
            return _parse_cell(cell, forest)
        except UnreadableError as reason:
            forest.unread[cell] = str(reason)
            return None

    return enter


def _parse_construct(cell, forest, source):
    syntax, names = source.syntax, source.names
    self_name = parameters(syntax)[0][2].arg
    tree = Tree(cell, forest, source.function, self_name, names.outside, names.own, names.late)
    tree.decorators, tree.is_self_positional = source.decorators, len(syntax.args.posonlyargs) == 1
    forest.trees[cell] = tree  # before the body, which may call the cell itself
    calls = Calls(tree, source, names.own, _enter(forest))
    add_inputs(calls, syntax)
    if names.fixed:
        add_whole(calls, syntax.body)
    else:
        add_statements(calls, syntax.body)
