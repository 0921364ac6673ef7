"""Hidden values: names get their first values at once, and what no name is left for is refused."""

import re

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.rewrite import Node, ScopedValue, SymbolTree
from minispore.tools.testing.strategies.constructs import network

X = ms.Tensor(np.array([-1.5, 0.5, 2.0], np.float32))


def computed(tree):
    """What the tree's network returns for X."""
    return tree.get_network()(X).asnumpy().tolist()


def edited(lines, name, args):
    """The tree of a network whose node ``name`` reads these values, by index."""
    tree = SymbolTree.create(network(lines))
    for index, value in args.items():
        tree.get_node(name).set_arg(index, value)
    return tree


def test_names_that_a_statement_binds_get_their_values_at_once():
    tree = edited(["if self.yes:", "    z, y = z, y"], "If", {0: "y", 1: "z"})
    assert "        z, y = y, z\n" in tree.get_code()
    assert computed(tree) == (X + X + X).asnumpy().tolist()  # y is x, and z is -x


def test_a_replaced_alias_is_the_value_before_what_it_stood_for_gets_another():
    lines = ["try:", "    y += self.relu(x)", "except Fails:", "    z = self.relu(x)"]
    tree = SymbolTree.create(network(lines))
    tree.get_node("Try").set_arg(_of(tree, "Try", "y"), "x")
    made = Node.create_call_cell(ops.Neg(), ["y"], ScopedValue.create_name_values(["y"]), name="made")
    tree.replace(tree.get_node("name_assign"), [made])
    x = X.asnumpy()
    assert computed(tree) == (x + (x + np.maximum(x, 0)) - x).tolist()  # z is -(-x)


def _of(tree, name, text):
    """The index of the argument that is this name."""
    return [value.text for value in tree.get_node(name).get_args()].index(text)


_REFUSED = [
    (["y += z"], "AugAssign", {0: "y", 1: "x"}, "y"),
    (["if z.sum() > 0:", "    y = -y"], "If", {0: "y", 1: "x"}, "y"),
    (["while z.sum() > 9:", "    y = -y"], "While", {0: "y", 1: "x"}, "y"),
    (["y, x[z] = x, 1"], "Assign", {1: "y"}, "y"),
    (["y = [y := -x, z]"], "List", {1: "y"}, "y"),
    (["with nullcontext(x) as y, nullcontext(z) as t:", "    x = y + t"], "With", {0: "y"}, "y"),
    (["if (y := -x).sum() > z.sum():", "    x = -y"], "If", {0: "y"}, "y"),
]


@pytest.mark.parametrize(("lines", "name", "args", "hidden"), _REFUSED)
def test_a_statement_that_would_read_what_it_has_set_anew_is_refused(lines, name, args, hidden):
    tree = edited(lines, name, args)
    sentence = (
        f"For '%s', what '{name}' reads must not be a name that it sets before it reads that, but got '{hidden}'."
    )
    for operation in ("get_code", "get_network"):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence % operation)}$"):
            getattr(tree, operation)()


_WRITTEN = [
    (["y += z"], "AugAssign", {0: "y"}, lambda x: x + (-x - x) - x),
    (["y += z"], "AugAssign", {1: "x"}, lambda x: x + (x + x) - x),
    (["if z.sum() > 9:", "    y = -y"], "If", {0: "y"}, lambda x: x - x - x),
    (["y, *t = z, 1"], "Assign", {0: "y"}, None),
    (["for y in [z]:", "    x = y"], "For", {0: "y"}, None),
    (["with nullcontext(z) as y:", "    x = y"], "With", {0: "y"}, lambda x: -x - x - x),
]


@pytest.mark.parametrize(("lines", "name", "args", "expected"), _WRITTEN)
def test_what_is_read_before_a_name_is_set_may_have_that_name(lines, name, args, expected):
    tree = edited(lines, name, args)
    tree.get_network()
    if expected is not None:
        assert computed(tree) == expected(X.asnumpy()).tolist()


def test_a_loop_reads_no_node_again_whose_name_its_body_sets_anew():
    tree = SymbolTree.create(network(["while z.sum() > 9:", "    y = -y"]))
    loop, source = tree.get_node("While"), tree.get_node("unaryop_usub")
    sentence = r"'y' must not be set in the body of 'While', which reads it again, but got 'unaryop_usub_1'\.$"
    with pytest.raises(ValueError, match=f"^For 'set_arg_by_node', {sentence}"):
        loop.set_arg_by_node(0, source)
    loop.set_arg_by_node(1, source)  # what y is before the loop
    assert computed(tree) == (X * -1).asnumpy().tolist()
