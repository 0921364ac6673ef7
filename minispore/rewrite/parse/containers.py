"""Containers: the tree of a SequentialCell, whose children run one after another."""

from minispore.rewrite.parse.calls import Calls
from minispore.rewrite.parse.statements import add_return
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call, Given
from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.tree import Tree
from minispore.rewrite.tree.unique_names import identifier, is_plain_name


def parse_container(cell, forest, enter):
    """The tree of a SequentialCell; ``enter`` parses the children, as :class:`Calls` says."""
    tree = forest.trees[cell] = Tree(cell, forest, own=("input_data",))
    tree.is_container = True
    calls = Calls(tree, None, {"self"}, enter)
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
