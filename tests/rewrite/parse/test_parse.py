"""Parsing: what stands in a construct, and the lines that the tree makes of it."""

import inspect
import textwrap

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import NodeType, SymbolTree, TreeNodeHelper, check
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


class Rebinding(Base):
    def construct(self, x):
        x = self.fc(x)
        x = self.relu(x)
        return x


class Residual(Base):
    def construct(self, x):
        identity = x
        x = self.fc(x) * 2 - -x
        x += identity
        return x


class Tuples(Base):
    def construct(self, x, y):
        a, b = self.fc(x), self.fc(y)
        a, b = b, a
        return a, self.relu(b)


class Attributes(Base):
    def construct(self, x):
        return self.matmul(x, self.weight) + self.k * x.shape[0] + self.fc.weight + x.dtype.np.itemsize


class Calls(Base):
    def construct(self, x):
        x = self.helper(x).reshape((3, 3))
        return ops.concat(axis=0, tensors=(self.layers[0](x), ops.relu(x)))


class Subscripts(Base):
    def construct(self, x):
        x = x[0:2, 1] + self.fc(x)[..., -1][0]
        return x


class Conditions(Base):
    def construct(self, x):
        x = self.fc(x)
        if self.k > 1:
            x = self.relu(x)
        for layer in self.layers:
            x = layer(x)
        y = x if self.k else -x
        return sum([x * i for i in range(2)]) + y


class EarlyReturn(Base):
    def construct(self, x):
        if self.k > 1:
            return self.fc(x)
        return x


class NestedFunction(Base):
    def construct(self, x):
        def twice(y):
            return self.fc(y) + y

        x = twice(x)
        return x


class LateBinding(Base):
    def construct(self, x):
        late = lambda: x + 1  # noqa: E731 - a form to be parsed
        x = self.fc(x)
        return late()


class Everything(Base):
    def construct(self, x, *rest, scale=_TWO, **options):
        with np.errstate(all="ignore"):
            x = x * scale
        try:
            y = rest[0]
        except IndexError:
            y = x
        while y is None:
            y = x
        z = [*rest, x]
        z[0] = x
        assert len(z), f"{z}"
        w: ms.Tensor = self.fc(*z[:1], **options)
        return w if y is x and 0 < 1 < 2 else (v := w) + v


class OtherSelf(Base):
    def construct(me, x):  # noqa: N805 - a form to be parsed
        return me.fc(x)


class Inheriting(Nested):
    pass


class Extending(Nested):
    def construct(self, x):
        return super().construct(x) + x


class Mutating(Base):
    def construct(self, x, y):
        outs = []
        outs += [self.fc(x)]
        outs.append(y)
        first = second = outs
        second.append(x)
        return first[2] + first[0]


def body(cell):
    """The lines of the construct that the tree of a cell writes."""
    text = SymbolTree.create(cell).get_code()
    return textwrap.dedent(text[text.index("def construct") :].split("\n", 1)[1]).strip()


@pytest.mark.parametrize(
    ("cell", "after"),
    [
        (
            Nested,
            """
            fc = self.fc(x)
            fc_1 = self.fc(fc)
            relu = self.relu(fc_1)
            return relu
            """,
        ),
        (
            Rebinding,
            """
            x = self.fc(x)
            x = self.relu(x)
            return x
            """,
        ),
        (
            Residual,
            """
            identity = x
            fc = self.fc(x)
            mult_var = fc * 2
            usub_var = -x
            x = mult_var - usub_var
            x += identity
            return x
            """,
        ),
        (
            Tuples,
            """
            fc = self.fc(x)
            fc_1 = self.fc(y)
            a, b = (fc, fc_1)
            a, b = (b, a)
            relu = self.relu(b)
            tuple_var = (a, relu)
            return tuple_var
            """,
        ),
        (
            Attributes,
            """
            self_weight = self.weight
            matmul = self.matmul(x, self_weight)
            self_k = self.k
            x_shape = x.shape
            subscript_var = x_shape[0]
            mult_var = self_k * subscript_var
            add_var = matmul + mult_var
            self_fc_weight = self.fc.weight
            add_var_1 = add_var + self_fc_weight
            x_dtype = x.dtype
            x_dtype_np = x_dtype.np
            x_dtype_np_itemsize = x_dtype_np.itemsize
            add_var_2 = add_var_1 + x_dtype_np_itemsize
            return add_var_2
            """,
        ),
        (
            Calls,
            """
            helper = self.helper(x)
            x = helper.reshape((3, 3))
            layers_0 = self.layers[0](x)
            relu = ops.relu(x)
            tuple_var = (layers_0, relu)
            concat = ops.concat(axis=0, tensors=tuple_var)
            return concat
            """,
        ),
        (
            Conditions,
            """
            x = self.fc(x)
            if self.k > 1:
                x = self.relu(x)
            for layer in self.layers:
                x = layer(x)
            y = x if self.k else -x
            listcomp_var = [x * i for i in range(2)]
            sum_1 = sum(listcomp_var)
            add_var = sum_1 + y
            return add_var
            """,
        ),
        (
            NestedFunction,
            """
            def twice(y):
                return self.fc(y) + y
            x = twice(x)
            return x
            """,
        ),
        (
            OtherSelf,
            """
            fc = me.fc(x)
            return fc
            """,
        ),
        (
            Extending,
            """
            super_1 = super(Extending, self)
            construct = super_1.construct(x)
            add_var = construct + x
            return add_var
            """,
        ),
    ],
)
def test_a_construct_is_written_with_one_call_a_line(cell, after):
    assert body(cell()) == textwrap.dedent(after).strip()


_FORMS = [
    *(Nested, Rebinding, Residual, Tuples, Attributes, Calls, Subscripts, Conditions, EarlyReturn, NestedFunction),
    *(LateBinding, Everything, OtherSelf, Inheriting, Extending, Mutating),
]


def inputs(cell):
    """Two inputs, or one, as the construct takes."""
    x = ms.Tensor(np.linspace(-1, 2, 9, dtype=np.float32).reshape(3, 3))
    return [x, x + 1][: 2 if "y" in inspect.signature(cell.construct).parameters else 1]


def run(net, args):
    """Outputs and gradients as arrays."""

    def total(*values):
        out = net(*values)
        return sum((part.sum() for part in out), start=0.0) if isinstance(out, tuple) else out.sum()

    out = net(*args)
    grads = ms.grad(total, tuple(range(len(args))), net.trainable_params())(*args)
    flat = [*(out if isinstance(out, tuple) else (out,))]
    for part in grads:
        flat += part if isinstance(part, (tuple, list)) else [part]
    return [part.asnumpy() for part in flat]


@pytest.mark.parametrize("cell", _FORMS)
def test_a_rewritten_network_computes_the_same_outputs_and_gradients(cell):
    net = cell()
    tree = SymbolTree.create(net)
    check(tree.get_handler())
    new = tree.get_network()
    again = SymbolTree.create(new).get_network()
    for other in (new, again):
        for before, after in zip(run(net, inputs(net)), run(other, inputs(net)), strict=True):
            np.testing.assert_array_equal(before, after)


def test_nodes_take_their_attributes_names_and_know_their_users():
    tree = SymbolTree.create(Nested())
    nodes = list(tree.nodes())
    assert [node.get_name() for node in nodes] == ["input_x", "fc", "fc_1", "relu", "return"]
    types = [NodeType.Input, NodeType.CallCell, NodeType.CallCell, NodeType.CallPrimitive, NodeType.Output]
    assert [node.get_node_type() for node in nodes] == types
    assert tree.get_node("fc").get_users() == [tree.get_node("fc_1")]
    assert tree.get_node("relu").get_inputs() == [tree.get_node("fc_1")]
    assert tree.get_node("relu").get_instance_type() is ops.ReLU


def test_users_through_methods_and_attributes_are_users():
    tree = SymbolTree.create(Calls())
    assert tree.get_node("helper").get_users() == [tree.get_node("reshape")]
    assert [user.get_name() for user in tree.get_node("reshape").get_users()] == ["layers_0", "relu"]


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
