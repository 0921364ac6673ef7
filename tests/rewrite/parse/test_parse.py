"""Parsing: what stands in a construct, and the lines that the tree makes of it."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import NodeType, SymbolTree, TreeNodeHelper
from minispore.tools.testing.strategies.constructs import network

_TWO = ms.Tensor(np.float32(2.0))
_THREE = ms.Tensor(np.array([-1.5, 0.5, 2.0], np.float32))


class Base(nn.Cell):
    """What the constructs below use."""

    def __init__(self):
        super().__init__()
        self.fc, self.relu, self.matmul = nn.Dense(3, 3), ops.ReLU(), ops.MatMul()
        self.layers = nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3)])
        self.k = 2.0
        self.weight = ms.Parameter(ms.Tensor(np.eye(3, dtype=np.float32)), name="weight")

    def helper(self, x):
        return x * self.k


class Nested(Base):
    def construct(self, x):
        return self.relu(self.fc(self.fc(x)))


def test_nodes_take_their_attributes_names_and_know_their_users():
    tree = SymbolTree.create(Nested())
    nodes = list(tree.nodes())
    assert [node.get_name() for node in nodes] == ["input_x", "fc", "fc_1", "relu", "return"]
    types = [NodeType.Input, NodeType.CallCell, NodeType.CallCell, NodeType.CallPrimitive, NodeType.Output]
    assert [node.get_node_type() for node in nodes] == types
    assert tree.get_node("fc").get_users() == [tree.get_node("fc_1")]
    assert tree.get_node("relu").get_inputs() == [tree.get_node("fc_1")]
    assert tree.get_node("relu").get_instance_type() is ops.ReLU


class Block(Base):
    def construct(self, x):
        return self.relu(self.fc(x)) + x


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.chain = nn.SequentialCell(nn.Dense(3, 3), nn.SequentialCell(Block()), self.block)

    def construct(self, x):
        return self.chain(self.block(self.block(x)))


def test_user_cells_are_trees_and_sequential_cells_containers():
    tree = SymbolTree.create(Network())
    kinds = {node.get_name(): node.get_node_type() for node in tree.nodes()}
    assert kinds["block"] is kinds["block_1"] is NodeType.Tree
    assert kinds["chain"] is NodeType.CellContainer
    inside = tree.get_node("chain").get_handler().node_list
    assert [n.get_node_type() for n in inside] == [NodeType.CallCell, NodeType.CellContainer, NodeType.Tree]


def test_a_cell_called_in_several_places_has_one_tree():
    tree = SymbolTree.create(Network())
    first, second = (TreeNodeHelper.get_sub_tree(tree.get_node(name)) for name in ("block", "block_1"))
    assert first == second
    names = [node.get_name() for node in tree.nodes(all_nodes=True)]
    assert names.count("binop_add") == 2  # of the two blocks


def test_a_leaf_has_no_tree_inside():
    tree = SymbolTree.create(Nested())
    with pytest.raises(TypeError, match="type Tree or CellContainer"):
        TreeNodeHelper.get_sub_tree(tree.get_node("fc"))


def test_only_cells_have_trees():
    with pytest.raises(TypeError, match="the 'network' must be a Cell, but got int"):
        SymbolTree.create(3)


def test_a_construct_without_source_is_refused_by_name():
    space = {"nn": nn}
    exec("class Sourceless(nn.Cell):\n    def construct(self, x):\n        return x", space)
    with pytest.raises(TypeError, match="the construct of 'Sourceless' must have source that can be read"):
        SymbolTree.create(space["Sourceless"]())


class Holder(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)


def test_a_cell_without_source_stays_a_leaf_inside_a_tree():
    space = {"nn": nn}
    exec("class Sourceless(nn.Cell):\n    def construct(self, x):\n        return x + 1", space)
    net = Holder(space["Sourceless"]())
    tree = SymbolTree.create(net)
    assert tree.get_node("inner").get_node_type() is NodeType.CallCell
    assert tree.get_network()(_TWO).asnumpy() == 3


def test_a_docstring_is_no_node():
    class Documented(nn.Cell):
        def construct(self, x):
            """What it does."""
            return x

    assert [node.get_name() for node in SymbolTree.create(Documented()).nodes()] == ["input_x", "return"]


def test_constants_keep_their_value_and_kind():
    class Constants(nn.Cell):
        def construct(self, x):
            t = (1, [2])
            word = "x"
            return {"a": x}, t[1][0] + x * -0.0, x < 1e999, word, ((1, [2]), x)

    tree = SymbolTree.create(Constants())
    assert [node.get_name() for node in tree.nodes()] == [
        *["input_x", "list", "tuple", "constant_assign", "dict", "subscript", "subscript_1", "unaryop_usub"],
        *["binop_mult", "binop_add", "Constant", "compare_lt", "list_1", "tuple_1", "tuple_2", "tuple_3", "return"],
    ]
    table = tree.get_node("dict")
    assert (table.get_node_type(), list(map(str, table.get_args()))) == (NodeType.CallMethod, ["a", "x"])
    assert [maker.get_name() for maker in tree.get_node("constant_assign").get_inputs()] == []
    x = ms.Tensor([1.0])
    found, before = tree.get_network()(x), Constants()(x)
    assert found[0]["a"] is x and found[3] == "x"
    assert [part.asnumpy().tolist() for part in found[1:3]] == [part.asnumpy().tolist() for part in before[1:3]]


@pytest.mark.parametrize(
    "lines",
    [
        ["y += (y := x)"],
        ["y += x * (y := x + x)"],
        ["y = z + (z := -x)"],
        ["y = z > (z := -x)"],
        ["y = z.add((z := -x))"],
        ["t = dict(a=z, b=(z := -x))", "y = t['a']"],
        ["y = self.relu(z - (z := -x)) + z"],
        ["z *= self.relu((y := -x) * (z := y))"],
        ["if self.yes:", "    return z - (z := -x)"],
        ["y = (y := x + x) * y"],
    ],
)
def test_what_is_read_before_a_name_is_bound_in_one_expression_is_the_earlier_value(lines):
    net = network(lines)
    rewritten = SymbolTree.create(net).get_network()
    assert rewritten(_THREE).asnumpy().tolist() == net(_THREE).asnumpy().tolist()
