"""Random edits of random networks: the tree stays sound, and what it makes computes what its nodes say."""

import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

import minispore as ms
from minispore import ops
from minispore.rewrite import Node, ScopedValue, SymbolTree, check
from minispore.rewrite.tree.hidden_values import hidden_value
from minispore.tools.testing.laws.rewriting import Construct, rewritten_twice
from minispore.tools.testing.oracles.nodes import interpret, undefined
from minispore.tools.testing.strategies.constructs import network, programs
from minispore.tools.testing.strategies.edits import EDITS, edit, edits, picture
from minispore.tools.testing.targets.minispore import Minispore

_X = ms.Tensor(np.array([-1.5, 0.5, 2.0], np.float32))
_NETWORKS = min(settings.default.max_examples, 500)  # dev and ci: 30 and so 600 edits; deep: 500 and 10,000


def outcome(run):
    """What a run returns, as numbers; "fails" if an edit has put a number or a cell where a Tensor belongs."""
    try:
        with np.errstate(all="ignore"):
            return run().asnumpy().tolist()
    except (TypeError, AttributeError, KeyError, UnboundLocalError, ValueError):
        return "fails"


def insides(net):
    """What a network is made of: its cells with their classes, and all that they hold."""
    return [(path, type(cell), dict(cell._cells), dict(cell.__dict__)) for path, cell in net.cells_and_names()]


def test_random_edits_keep_a_tree_sound_and_its_network_computes_what_its_nodes_say():
    done = Counter()

    @settings(max_examples=_NETWORKS)
    @given(programs, edits)
    def random_edits(lines, changes):
        net = network(lines)
        expected, before = outcome(lambda: net(_X)), insides(net)
        tree = SymbolTree.create(net)
        assert outcome(lambda: tree.get_network()(_X)) == expected
        for change in changes:
            done["edits"] += 1
            legal, computed = edited_soundly(tree, change)
            done["legal"] += legal
            done["compute"] += computed != "fails"
        assert outcome(lambda: net(_X)) == expected and insides(net) == before

    random_edits()
    print(f"{_NETWORKS} networks: {dict(done)}")
    assert done["edits"] >= _NETWORKS * EDITS
    assert done["legal"] > done["edits"] / 3 and done["compute"] > done["edits"] / 3


def edited_soundly(tree, change):
    """Make one edit and see that all holds after it; returns whether it was legal, and what the network computes."""
    before, legal = picture(tree), True
    try:
        edit(tree, *change)
    except ValueError:
        legal = False
        assert picture(tree) == before
    for inside in tree.get_handler().forest.trees.values():
        check(inside)
    trees = tree.get_handler().forest.trees.values()
    left = [each for inside in trees for each in undefined(inside)]
    if left:
        with pytest.raises(ValueError, match=r"must be defined before it|to which it was linked"):
            tree.get_network()
        _define(left)
    waiting = [node for inside in trees for node in inside.linked]
    if waiting:
        with pytest.raises(ValueError, match="to which it was linked"):
            tree.get_network()
        for node in waiting:
            for index in list(node.links):
                Node(node).set_arg(index, node.args[index])
    _unhide(tree)
    new = tree.get_network()
    computed = outcome(lambda: new(_X))
    assert computed == outcome(lambda: interpret(tree.get_handler(), _X))
    return legal, computed


def _unhide(tree):
    """Let nodes that would read what they have set anew, which a network refuses, read a number instead."""
    for inside in tree.get_handler().forest.trees.values():
        for node in inside.all_nodes() if inside.edited else ():
            hidden = hidden_value(node)
            while hidden is not None:
                with pytest.raises(ValueError, match="that it sets before it reads that"):
                    tree.get_network()
                args = [value.text for value in node.args]
                Node(node).set_arg(args.index(hidden), ScopedValue.create_variable_value(1))
                hidden = hidden_value(node)


def _define(left):
    """Let nodes that read what is not defined read their tree's input."""
    for node, name in left:
        for i, value in enumerate(node.args):
            if value.is_name and value.text == name:
                Node(node).set_arg(i, node.tree.nodes()[0].targets[0])


def test_each_profile_makes_as_many_random_edits_as_it_must():
    least = {"dev": 600, "ci": 1000, "deep": 10000}
    assert least[os.environ.get("HYPOTHESIS_PROFILE", "dev")] <= _NETWORKS * EDITS


@settings(max_examples=_NETWORKS)
@given(programs)
def test_a_random_network_that_is_rewritten_twice_computes_the_same(lines):
    rewritten_twice(Minispore(), Construct(lines))


@pytest.mark.parametrize("count", [1000])
def test_many_insertions_at_one_place_keep_their_order(count):
    tree = SymbolTree.create(network(["x = self.neg(x)"]))
    place = tree.get_node("neg")
    for _ in range(count):
        args = ScopedValue.create_name_values(["x"])
        tree.insert(tree.after(place), Node.create_call_cell(ops.ReLU(), ["x"], args, name="ReLU"))
    check(tree.get_handler())
    names = [node.get_name() for node in tree.nodes()]
    assert names[names.index("neg") + 1 :][:3] == [f"ReLU_{count - 1 - i}" for i in range(3)]
