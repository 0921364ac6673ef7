"""Each invariant of a tree is noticed where it is broken, and told in its sentence."""

import pytest

from minispore import nn, ops
from minispore.rewrite import SymbolTree
from minispore.rewrite.tree.invariants import UnsoundTreeError, check
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.tree import Block


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu, self.tanh = ops.ReLU(), ops.Tanh()

    def construct(self, x, y):
        a = self.relu(x)
        b = self.tanh(a)
        if y:
            b = self.relu(b)
            a = self.tanh(b)
        return a + b


@pytest.fixture
def tree():
    return SymbolTree.create(Net()).get_handler()


LINKED = "each node stands in the tree once, in order, under a name of its own"
ENTERED = "each block knows which of its nodes define and read which names"
PLACED = "inputs come first, and an output comes last in its block and defines nothing"


def named(tree, name):
    return next(node for node in tree.all_nodes() if node.name == name)


def body(tree):
    return next(block for node in tree.all_nodes() for block in node.blocks if block.nodes())


def empty_body(tree):
    """A body that has lost its nodes."""
    found = body(tree)
    for node in reversed(found.nodes()):
        found.detach(node)
    return found


def other_tree():
    return SymbolTree.create(Net()).get_handler()


def swapped_keys(first, second):
    first.order_key, second.order_key = second.order_key, first.order_key


DAMAGE = {
    "a node of another tree": (lambda t: setattr(named(t, "relu"), "tree", other_tree()), LINKED),
    "a node of no tree": (lambda t: setattr(named(t, "relu"), "tree", None), LINKED),
    "a block of another tree": (lambda t: setattr(named(t, "relu"), "block", Block(other_tree())), LINKED),
    "a name of another node": (lambda t: t._by_name.update(relu=named(t, "tanh")), LINKED),
    "a node that another follows back": (lambda t: setattr(named(t, "tanh"), "before", None), LINKED),
    "nodes out of order": (lambda t: swapped_keys(named(t, "relu"), named(t, "tanh")), LINKED),
    "a body of another node": (lambda t: setattr(body(t), "owner", named(t, "relu")), LINKED),
    "an empty body of another tree": (lambda t: setattr(empty_body(t), "tree", other_tree()), LINKED),
    "a reader that is not entered": (lambda t: named(t, "tanh").block._reading["a"].remove(named(t, "tanh")), ENTERED),
    "a maker that is not entered": (lambda t: named(t, "relu").block._defining["a"].remove(named(t, "relu")), ENTERED),
    "a maker too many": (lambda t: named(t, "relu").block._defining["b"].insert(0, named(t, "relu")), ENTERED),
    "an input behind others": (lambda t: setattr(named(t, "tanh"), "kind", NodeType.Input), PLACED),
    "an output before others": (lambda t: setattr(named(t, "tanh"), "kind", NodeType.Output), PLACED),
}


def test_a_tree_as_made_is_sound(tree):
    assert check(tree) is tree


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_breaks_an_invariant_is_told_in_its_sentence(tree, damage):
    breaks, sentence = DAMAGE[damage]
    breaks(tree)
    with pytest.raises(UnsoundTreeError) as told:
        check(tree)
    assert str(told.value).startswith("In the tree of 'Net', at '") and str(told.value).endswith(f"': {sentence}.")


def test_a_name_that_a_node_defines_twice_is_told(tree):
    node = named(tree, "relu")
    node.targets = [*node.targets, *ScopedValue.create_name_values(["a"])]
    with pytest.raises(UnsoundTreeError, match="each node defines a name once"):
        check(tree)


@pytest.mark.parametrize(
    ("part", "wrong", "sentence"),
    [
        ("is_visible_at", lambda self, place: False, "each node reads what earlier nodes of its block"),
        ("users", property(lambda self: []), "each node is a user of its producers"),
        ("users", property(lambda self: self.tree.all_nodes()), "each user of a node reads one of its targets"),
        ("lines", lambda self: [None], "each node can be written as source"),
    ],
)
def test_a_node_that_answers_wrongly_is_told(tree, monkeypatch, part, wrong, sentence):
    monkeypatch.setattr(TreeNode, part, wrong)
    with pytest.raises(UnsoundTreeError, match=sentence):
        check(tree)
