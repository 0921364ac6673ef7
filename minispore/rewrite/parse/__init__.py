"""Parsing: makes the trees of a network from the source of its cells.

Reading order: ``control_flow``, ``expressions``, ``calls``, ``statements``, and this file, which calls them.
"""

import inspect

from minispore.rewrite.gc_paused import uncollected
from minispore.rewrite.parse.calls import Calls, is_container
from minispore.rewrite.parse.statements import add_inputs, add_return, add_statements, add_whole
from minispore.rewrite.resolve.cell_contents import is_leaf
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.local_names import parameters
from minispore.rewrite.resolve.source import UnreadableError, read_construct
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call, Given
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import Forest, Tree
from minispore.rewrite.tree.unique_names import identifier, is_plain_name

__all__ = ["UnreadableError", "is_container", "parse_as_one_call", "parse_inside", "parse_network"]

_KINDS = inspect.Parameter
_PREFIXES = {_KINDS.VAR_POSITIONAL: "*", _KINDS.VAR_KEYWORD: "**"}
_POSITIONS = {_KINDS.POSITIONAL_ONLY: "first", _KINDS.KEYWORD_ONLY: "keyword"}


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
            _parse_container(cell, forest)
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


def _parse_container(cell, forest):
    """The tree of a SequentialCell: its children one after another."""
    tree = forest.trees[cell] = Tree(cell, forest, own=("input_data",))
    tree.is_container = True
    calls = Calls(tree, None, {"self"}, _enter(forest))
    value = calls.attach(TreeNode(NodeType.Input, "input_input_data", Given()), "input_data", ["input_data"]).targets[0]
    for key, child in cell._cells.items():
        name = identifier(type(child).__name__ if key.isdigit() else key)
        node = TreeNode(calls.kind_of(child), name, Call(own_attribute(cell, key)), args=[value], instance=child)
        node.key = key
        calls.attach(node, "", [value.value])
    add_return(calls, value)


def own_attribute(cell, name):
    """The child of a cell as an expression: ``self.name`` where that means it, else an entry of the table."""
    plain = is_plain_name(name) and not name.startswith("__") and not hasattr(type(cell), name)
    return f"self.{name}" if plain else f"self._cells[{name!r}]"


def parse_as_one_call(network):
    """A tree with one node, which runs the network's own construct: for a network that is to be a leaf itself."""
    forest = Forest()
    function = inner_function(type(network).construct)
    own = list(inspect.signature(function).parameters)[1:]
    tree = forest.trees[network] = Tree(network, forest, function, own=own)
    calls = Calls(tree, None, {"self"}, None)
    args, prefixes, kwargs = [], [], {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        given = _given(parameter)
        node = TreeNode(NodeType.Input, f"input_{parameter.name}", given)
        target = calls.attach(node, "", [parameter.name]).targets[0]
        if given.position == "keyword":
            kwargs[parameter.name] = target
        else:
            args.append(target)
            prefixes.append(given.prefix)
    node = TreeNode(NodeType.CallMethod, "construct", Call("super().construct", tuple(prefixes)), (), args, kwargs)
    add_return(calls, calls.attach(node, "out").targets[0])
    return tree


def _given(parameter):
    default = "" if parameter.default is parameter.empty else "..."
    return Given(_PREFIXES.get(parameter.kind, ""), default, _POSITIONS.get(parameter.kind, "either"))
