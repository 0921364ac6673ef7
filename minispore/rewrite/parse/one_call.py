"""A tree of one node, which runs the network's own construct."""

import inspect

from minispore.rewrite.parse.calls import Calls
from minispore.rewrite.parse.statements import add_return
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call, Given
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import Forest, Tree

_KINDS = inspect.Parameter
_PREFIXES = {_KINDS.VAR_POSITIONAL: "*", _KINDS.VAR_KEYWORD: "**"}
_POSITIONS = {_KINDS.POSITIONAL_ONLY: "first", _KINDS.KEYWORD_ONLY: "keyword"}


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
