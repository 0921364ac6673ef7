"""Random edits of random networks: the tree stays sound, and what it makes computes what its nodes say."""

import itertools
import linecache
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, NodeType, ScopedValue, SymbolTree, check
from minispore.rewrite.show import table

_files = itertools.count()
_X = ms.Tensor(np.array([-1.5, 0.5, 2.0], np.float32))
_OPERATORS = {"{}": lambda x: x, "{} + {}": operator.add, "{} - {}": operator.sub, "-{}": operator.neg}


class Part(nn.Cell):
    """A cell of a random network."""

    def construct(self, x):
        return x * 0.5 + 1


def network(statements):
    """A network whose construct has these lines."""
    body = "".join(f"        {line}\n" for line in statements)
    text = f"class Random(nn.Cell):\n    def construct(self, x):\n{body}        return x\n"
    filename = f"<random network {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {"nn": nn, "__name__": __name__}
    exec(compile(text, filename, "exec"), space)
    net = space["Random"]()
    net.relu, net.neg, net.part = ops.ReLU(), ops.Neg(), Part()
    net.chain = nn.SequentialCell(Part(), nn.ReLU())
    return net


def interpret(tree, x):
    """Run the nodes of a straight-line tree one after another."""
    known = {}
    for node in tree.nodes():
        kind, handler = node.get_node_type(), node.get_handler()
        args = [known[a.value] if a.is_name else a.value for a in node.get_args()]
        if kind is NodeType.Output:
            return args[0]
        if kind is NodeType.Input:
            result = x
        elif hasattr(handler.form, "template"):
            result = _OPERATORS[handler.form.template](*args)
        else:
            result = node.get_instance()(*args)
        known[node.get_targets()[0].value] = result


names = st.sampled_from(["x", "y", "z"])
expressions = st.recursive(
    st.just("x"),
    lambda inner: st.one_of(
        st.builds("self.{}({})".format, st.sampled_from(["relu", "neg", "part", "chain"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("+-"), inner),
        st.builds("-({})".format, inner),
    ),
    max_leaves=5,
)
statements = st.lists(st.builds("{} = {}".format, names, expressions), min_size=1, max_size=6)
edits = st.lists(
    st.tuples(st.sampled_from(["insert", "set", "erase", "replace"]), *[st.integers(0, 40)] * 3), max_size=12
)


def edit(tree, kind, i, j, k):
    """One edit, legal or not."""
    nodes = list(tree.nodes())
    node, other = nodes[i % len(nodes)], nodes[j % len(nodes)]
    value = other.get_targets()[0] if other.get_targets() else ScopedValue.create_naming_value("missing")
    made = Node.create_call_cell([ops.ReLU(), ops.Neg(), Part()][k % 3], ["x"], [value], name="made")
    if kind == "insert":
        tree.insert(tree.after(node) if k % 2 else tree.before(node), made)
    elif kind == "set":
        node.set_arg(k % 3, value)
    elif kind == "erase":
        tree.erase(node)
    else:
        tree.replace(node, [made])


@given(statements, edits)
def test_random_edits_keep_a_tree_sound(lines, changes):
    net = network(lines)
    expected = net(_X).asnumpy()
    tree = SymbolTree.create(net)
    np.testing.assert_array_equal(tree.get_network()(_X).asnumpy(), expected)
    for change in changes:
        before = table(tree.get_handler())
        try:
            edit(tree, *change)
        except ValueError:
            assert table(tree.get_handler()) == before
        check(tree.get_handler())
        new = tree.get_network()
        np.testing.assert_array_equal(new(_X).asnumpy(), interpret(tree, _X).asnumpy())
    np.testing.assert_array_equal(net(_X).asnumpy(), expected)


@pytest.mark.parametrize("count", [1000])
def test_many_insertions_at_one_place_keep_their_order(count):
    tree = SymbolTree.create(network(["y = -x"]))
    place = tree.get_node("unaryop_usub")
    for _ in range(count):
        args = ScopedValue.create_name_values(["x"])
        tree.insert(tree.after(place), Node.create_call_cell(ops.ReLU(), ["x"], args))
    check(tree.get_handler())
    assert [node.get_name() for node in tree.nodes()][2:5] == [
        f"ReLU_{count - 1}",
        f"ReLU_{count - 2}",
        f"ReLU_{count - 3}",
    ]
