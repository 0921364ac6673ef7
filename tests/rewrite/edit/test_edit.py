"""Editing: what each verb changes, and that an illegal edit changes nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, NodeType, ScopedValue, SymbolTree, TreeNodeHelper, ValueType, check
from minispore.rewrite.show import table


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu, self.neg = ops.ReLU(), ops.Neg()

    def construct(self, x):
        y = self.neg(x)
        x = self.relu(y)
        return x, y + x


X = ms.Tensor(np.array([-1.0, 2.0], np.float32))


def lines(tree):
    """The lines of the construct."""
    text = tree.get_code()
    return [line.strip() for line in text[text.index("def construct") :].split("\n")[1:] if line.strip()]


def outputs(tree):
    """What the network that the tree makes returns, as lists."""
    check(tree.get_handler())
    out = tree.get_network()(X)
    return [part.asnumpy().tolist() for part in (out if isinstance(out, tuple) else (out,))]


def doubling(targets=("x",), args=("y",), name="double"):
    """A node that calls a Cell of its own: twice its argument."""

    class Double(nn.Cell):
        def construct(self, x):
            return x + x

    return Node.create_call_cell(Double(), list(targets), ScopedValue.create_name_values(list(args)), name=name)


def test_an_inserted_node_gets_a_name_of_its_own_and_keeps_its_targets(tree):
    neg = tree.get_node("neg")
    first = tree.insert(tree.after(neg), doubling(name="neg"))
    second = tree.insert(tree.before("relu"), doubling(targets=["y"], args=["x"], name="double"))
    assert (first.get_name(), str(first.get_targets()[0])) == ("neg_1", "x")
    assert (second.get_name(), str(second.get_targets()[0])) == ("double", "y")
    assert lines(tree)[:4] == ["y = self.neg(x)", "x = self.neg_1(y)", "y = self.double(x)", "x = self.relu(y)"]
    assert outputs(tree) == [[4.0, 0.0], [8.0, -8.0]]
    assert [user.get_name() for user in neg.get_users()] == ["neg_1"]
    assert [user.get_name() for user in second.get_users()] == ["relu", "binop_add"]


def test_an_inserted_cell_is_a_child_of_the_new_network_alone(tree):
    fc = nn.Dense(2, 2)
    node = Node.create_call_cell(fc, ["x"], ScopedValue.create_name_values(["x"]), name="fc")
    tree.insert(tree.before("neg"), node)
    new = tree.get_network()
    assert new.fc is fc and fc.weight.name == "fc.weight"
    assert not hasattr(tree.get_origin_network(), "fc")


def test_erasing_a_node_that_is_used_names_its_users(tree):
    before = table(tree.get_handler())
    with pytest.raises(
        ValueError,
        match=r"the node 'neg' must have no users but those that find an earlier value .*, but got 'relu', 'binop_add'",
    ):
        tree.erase("neg")
    assert table(tree.get_handler()) == before


def test_redirecting_reaches_methods_and_keywords_too():
    class Forms(nn.Cell):
        def construct(self, x):
            y = x + 1
            if y.ndim:
                z = y
            return y.sum(axis=0), ops.concat(axis=0, tensors=[y, z])

    made = SymbolTree.create(Forms())
    node = made.insert(made.after("binop_add"), doubling(targets=["doubled"], args=["y"]))
    made.redirect(*ScopedValue.create_name_values(["y", str(node.get_targets()[0])]))
    assert outputs(made) == [6.0, [0.0, 6.0, 0.0, 6.0]]


def test_functions_are_called_under_names_of_their_own(tree):
    def scaled(x, by):
        return x * by

    node = tree.create_call_function(scaled, ["z"], tree.get_node("neg"), by=3.0)
    node = tree.insert(tree.before("relu"), node)
    tree.get_node("relu").set_arg_by_node(0, node)
    assert node.get_node_type() is NodeType.CallFunction
    assert "z = scaled(y, by=3.0)" in lines(tree)
    assert outputs(tree)[0] == [3.0, 0.0]


def test_dtypes_under_mindspores_name_resolve_in_generated_code(tree):
    args = ScopedValue.create_name_values(["y", "mindspore.float16"], ["", ""])
    cast = tree.insert(tree.after("neg"), Node.create_call_cell(ops.Cast(), ["half"], args, name="cast"))
    assert cast.get_args()[1] == ScopedValue.create_naming_value("float16", "minispore")
    tree.set_output(1, cast)
    assert tree.get_network()(X)[1].dtype == ms.float16


_ILLEGAL = [
    (lambda t: t.insert(t.after("return"), doubling()), ValueError, "before the output"),
    (lambda t: t.insert(t.before("input_x"), doubling(args=[])), ValueError, "behind the inputs"),
    (lambda t: t.insert(t.after("neg"), t.get_node("neg")), ValueError, "must stand in no tree yet"),
    (lambda t: t.insert(SymbolTree.create(Net()).after("neg"), doubling()), ValueError, "'position' must be one"),
    (lambda t: t.insert(3, doubling()), TypeError, "must be a position and a Node"),
    (lambda t: t.after("nobody"), ValueError, "the name of a node of the tree"),
    (lambda t: t.erase("return"), ValueError, "neither an input nor the output"),
    (lambda t: t.erase(SymbolTree.create(Net()).get_node("neg")), ValueError, "must stand in the tree"),
    (lambda t: t.erase(7), TypeError, "a Node or the name of one"),
    (lambda t: t.get_node("neg").set_arg_by_node(0, t.get_node("relu")), ValueError, "must be defined before 'neg'"),
    (lambda t: t.get_node("neg").set_arg_by_node(0, t.get_node("neg")), ValueError, "must be defined before 'neg'"),
    (lambda t: t.get_node("neg").set_arg(1, "x"), ValueError, r"must be in \[0, 1\)"),
    (lambda t: t.get_node("neg").set_arg("0", "x"), TypeError, "must be an int"),
    (lambda t: t.get_node("neg").set_arg_by_node(0, t.get_node("input_x"), 1), ValueError, "the index must be in"),
    (lambda t: t.get_node("neg").set_arg(0, object()), TypeError, "must be a ScopedValue"),
    (lambda t: t.replace("relu", []), ValueError, "at least one"),
    (
        lambda t: t.insert(t.after("neg"), doubling(["self"])),
        ValueError,
        "must not be names that the code has from outside",
    ),
    (lambda t: t.redirect("nowhere", "x"), ValueError, "both values must be targets of nodes"),
    (lambda t: t.replace("return", [doubling()]), ValueError, "neither an input nor the output"),
    (lambda t: t.replace("relu", 3), TypeError, "must be a list of Nodes"),
    (lambda t: Node.create_call_cell(3, ["x"]), TypeError, "must be a Cell or a Primitive, but got int"),
    (lambda t: Node.create_call_cell(ops.ReLU(), []), ValueError, "at least one name"),
    (lambda t: Node.create_call_cell(ops.ReLU(), ["x y"]), ValueError, "names of variables"),
    (lambda t: t.create_call_function(3, ["x"]), TypeError, "must be a function, but got int"),
    (lambda t: t.redirect(*ScopedValue.create_name_values(["y", "z"])), ValueError, "targets of nodes"),
    (lambda t: t.substitute(3, nn.ReLU()), TypeError, "the 'cell' must be a Cell"),
    (lambda t: Node(3), TypeError, "the 'handler' must be a TreeNode"),
]


@pytest.mark.parametrize(("edit", "error", "message"), _ILLEGAL)
def test_an_illegal_edit_raises_and_changes_nothing(tree, edit, error, message):
    before = table(tree.get_handler())
    with pytest.raises(error, match=message):
        edit(tree)
    assert table(check(tree.get_handler())) == before
    assert outputs(tree) == [[1.0, 0.0], [2.0, -2.0]]


def test_values_are_equal_when_they_say_the_same():
    named = ScopedValue.create_name_values(["mindspore.float16", "minispore.float16", "a", "b"], ["", "", "self", ""])
    assert named[0] == named[1] and hash(named[0]) == hash(named[1]) and named[2] != named[3]
    assert (named[2].type, named[2].scope, named[2].value) == (ValueType.NamingValue, "self", "a")
    one, true, word = map(ScopedValue.create_variable_value, (1, True, "a"))
    assert one != true and word != ScopedValue.create_naming_value("a")
    assert (one.type, word.type) == (ValueType.IntValue, ValueType.StringValue)
    with pytest.raises(ValueError, match="the 'scopes' must be 1 like the names, but got 2"):
        ScopedValue.create_name_values(["a"], ["", ""])
    with pytest.raises(TypeError, match="the 'name' must be a str, but got int"):
        ScopedValue.create_naming_value(3)


class Branch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu, self.flag = ops.ReLU(), True

    def construct(self, x):
        y = x * 2
        z = x - 1
        if self.flag:
            y = self.relu(y)
            z = y + z
        return z


def made(name, *args):
    return Node.create_call_cell(ops.Neg(), ["made"], ScopedValue.create_name_values(list(args)), name=name)


def test_nodes_are_put_into_the_bodies_of_control_flow():
    tree = SymbolTree.create(Branch())
    relu = Node(tree.get_handler().get("relu"))
    node = tree.insert(tree.after(relu), made("neg", "y"))
    Node(tree.get_handler().get("binop_add")).set_arg(1, node.get_targets()[0])
    assert "            made = self.neg(y)" in tree.get_code()
    check(tree.get_handler())
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy().tolist() == [0.0]


def test_what_is_defined_in_a_body_may_be_read_behind_it():
    tree = SymbolTree.create(Branch())
    tree.insert(tree.after(Node(tree.get_handler().get("relu"))), made("neg", "y"))
    tree.set_output(0, tree.insert(tree.before("return"), Node.create_call_cell(ops.Neg(), ["z"], ["made"])))
    check(tree.get_handler())
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy().tolist() == [6.0]


def test_what_reads_a_body_that_was_not_run_before_it_is_refused_when_the_network_is_made():
    tree = SymbolTree.create(Branch())
    tree.insert(tree.after(Node(tree.get_handler().get("relu"))), made("neg", "y"))
    tree.insert(tree.before(tree.get_node("If")), Node.create_call_cell(ops.Neg(), ["z"], ["made"], name="early"))
    with pytest.raises(
        ValueError, match="the arguments of 'early' must be defined before it, but got 'made', which 'If'"
    ):
        tree.get_network()


def test_control_flow_is_erased_with_its_bodies_and_what_read_it_reads_the_values_before():
    tree = SymbolTree.create(Branch())
    tree.get_node("return").set_arg(0, ScopedValue.create_naming_value("y"))
    erased = tree.erase("If")
    check(tree.get_handler())
    assert tree.get_handler().get("relu") is None
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy().tolist() == [6.0]
    with pytest.raises(ValueError, match="the 'node' must be no ControlFlow node"):
        tree.insert(tree.after("binop_mult"), erased)


def test_a_node_that_was_erased_can_be_put_in_again():
    tree = SymbolTree.create(Branch())
    before = tree.get_network()(ms.Tensor([3.0])).asnumpy()
    node = tree.get_node("binop_mult")
    args = tree.get_node("If").get_args()
    index = args.index(node.get_targets()[0])
    tree.get_node("If").set_arg(index, ScopedValue.create_naming_value("x"))
    erased = tree.erase(node)
    tree.insert(tree.after("input_x"), erased)
    tree.get_node("If").set_arg(index, node.get_targets()[0])
    check(tree.get_handler())
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy() == before


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.k = nn.Tanh(), nn.ReLU(), 2
        self.seq = nn.SequentialCell(nn.Tanh(), nn.ReLU())

    def construct(self, x):
        x = self.a(x)
        x = self.b(x)
        return x


def test_a_node_that_defines_the_name_anew_is_what_later_nodes_read():
    tree = SymbolTree.create(Chain())
    x = tree.get_node("a").get_targets()[0]
    node = tree.insert(tree.after("a"), Node.create_call_cell(nn.Sigmoid(), [x], [x], name="s"))
    assert [str(node.get_targets()[0]), [user.get_name() for user in node.get_users()]] == ["x", ["b"]]
    assert lines(tree) == ["x = self.a(x)", "x = self.s(x)", "x = self.b(x)", "return x"]
    assert tree.get_network()(ms.Tensor([2.0])).asnumpy() == np.float32(0.7239275)
    assert tree.unique_name("x") == "x_1"
    tree.erase("a")
    assert lines(tree) == ["x = self.s(x)", "x = self.b(x)", "return x"]


def test_a_node_without_a_name_is_called_like_its_target():
    tree = SymbolTree.create(Chain())
    tree.insert(tree.after("a"), Node.create_call_cell(nn.Sigmoid(), ["x1"], ["x"]))
    assert tree.get_node("x1") is not None


def test_nodes_are_wired_before_what_they_read_is_put_in():
    tree = SymbolTree.create(Chain())
    tree.get_node("b").set_arg(0, "later")
    tree.insert(tree.after("a"), Node.create_call_cell(nn.Sigmoid(), ["later"], ["x"]))
    assert lines(tree)[1:3] == ["later = self.later(x)", "x = self.b(later)"]
    assert tree.get_network()(ms.Tensor([2.0])).asnumpy() == np.float32(0.7239275)


def test_children_of_a_container_are_edited_through_the_outer_tree():
    class Outer(Chain):
        def construct(self, x):
            return self.seq(x)

    tree = SymbolTree.create(Outer())
    first, second = map(Node, tree.get_node("seq").get_handler().node_list)
    tree.insert(tree.after(first), Node.create_call_cell(nn.Sigmoid(), ["q"], ["anything"], name="new"))
    tree.erase(second)
    tree.replace(first, [Node.create_call_cell(ops.Neg(), ["r"], ["r"])])
    assert tree.get_network()(ms.Tensor([0.0])).asnumpy() == 0.5
    inside = tree.get_node("seq").get_handler().node_list
    assert [node.get_name() for node in inside] == ["r", "new"]


def test_the_handler_of_a_node_answers_what_the_node_does():
    handler = SymbolTree.create(Chain()).get_node("a").get_handler()
    assert [user.get_name() for user in handler.get_users()] == ["b"] and handler.get_next().get_prev() is handler
    assert [str(value) for value in (*handler.get_targets(), *handler.get_args())] == ["x", "x"]
    assert [maker.get_name() for maker in handler.get_inputs()] == ["input_x"] and handler.get_kwargs() == {}
    assert handler.get_instance_type() is nn.Tanh is type(handler.get_instance())
    assert handler.get_belong_symbol_tree() is handler.tree


def test_an_inserted_node_may_read_attributes_of_the_cell():
    tree = SymbolTree.create(Chain())
    tree.insert(tree.before("return"), Node.create_call_cell(ops.Mul(), ["x"], ["x", "self.k"], name="mul"))
    tree.insert(tree.before("return"), Node.create_call_cell(ops.Add(), ["x"], ["x", "self.a.training"], name="add"))
    assert tree.get_network()(ms.Tensor([0.0])).asnumpy() == 0.0


def test_tensors_dtypes_and_texts_are_constants():
    tree = SymbolTree.create(Chain())
    two = ScopedValue.create_variable_value(ms.Tensor([2.0]))
    tree.insert(tree.after("b"), Node.create_call_cell(ops.Add(), ["x"], ["x", two], name="add"))
    cast = tree.create_call_function(lambda t, d: t.astype(d), ["x"], tree.get_node("add"), ms.float16)
    tree.insert(tree.before("return"), cast)
    out = tree.get_network()(ms.Tensor([0.0]))
    assert out.asnumpy() == 2.0 and out.dtype == ms.float16
    assert "x = self.add(x, self.arg_Tensor)" in lines(tree)
    text = tree.create_call_function(lambda x, mode: x, ["x"], tree.get_node("add"), "x")
    assert text.get_args()[1] == ScopedValue.create_variable_value("x")


def test_a_text_that_spells_a_variables_name_is_not_redirected(tree):
    tree.insert(tree.after("neg"), doubling(["w"], ["y"]))
    node = tree.create_call_function(lambda y, mode: y, ["z"], ScopedValue.create_naming_value("y"), "y")
    tree.insert(tree.after("relu"), node)
    tree.redirect("y", "w")
    assert [arg.text for arg in node.get_args()] == ["w", "'y'"]


def test_a_function_called_like_the_target_of_its_node_is_called_by_another_name(tree):
    def double(x):
        return x + x

    node = tree.create_call_function(double, ["double"], ScopedValue.create_naming_value("y"))
    tree.insert(tree.after("neg"), node)
    tree.redirect("y", "double")
    assert lines(tree)[1:3] == ["double = double_1(y)", "x = self.relu(double)"]
    assert outputs(tree) == [[2.0, 0.0], [4.0, -4.0]]


class Held(nn.Cell):
    """A SequentialCell, twice what its tree's tests need."""

    def __init__(self, count=3):
        super().__init__()
        self.seq = nn.SequentialCell([nn.Dense(2, 2) for _ in range(count)])

    def construct(self, x):
        return self.seq(x)


class Reaching(Held):
    """A network whose code calls one of the container's cells by its place."""

    def construct(self, x):
        return self.seq(x) + self.seq[0](x)


ROW = ms.Tensor(np.array([[1.0, -2.0]], np.float32))
container_edits = st.lists(
    st.tuples(st.sampled_from(["replace", "erase", "insert", "back", "cast"]), st.integers(0, 9), st.integers(0, 9)),
    min_size=1,
    max_size=6,
)


def children(tree):
    """The nodes of the container, and the cells that they call."""
    nodes = [Node(node) for node in tree.get_node("seq").get_handler().node_list]
    return nodes, [node.get_instance() for node in nodes]


def edit_container(tree, erased, kind, i, j):
    """One edit of the container."""
    nodes, _ = children(tree)
    node = nodes[i % len(nodes)] if nodes else None
    if kind == "back" and erased:
        tree.insert(tree.before(node) if node else tree.after("x"), erased.pop(j % len(erased)))
    elif kind == "erase" and len(nodes) > 1:
        erased.append(tree.erase(node))
    elif kind == "replace":
        new = [Node.create_call_cell(nn.Dense(2, 2), ["x"], ["x"], name="new") for _ in range(1 + j % 2)]
        erased.append(node)
        tree.replace(node, new)
    elif kind == "insert":
        tree.insert(tree.after(node), Node.create_call_cell(nn.Dense(2, 2), ["x"], ["x"], name="new"))
    elif kind == "cast":
        tree.insert(tree.after(node), Node.create_call_cell(ops.Neg(), ["x"], ["x"], name="neg"))


@given(container_edits)
def test_a_container_holds_what_its_nodes_call_in_their_order_and_nothing_else(changes):
    net = Held()
    tree, erased, before = SymbolTree.create(net), [], [*net.seq]
    names = [parameter.name for parameter in net.get_parameters()]
    for change in changes:
        edit_container(tree, erased, *change)
        _, called = children(tree)
        new, expected = tree.get_network(), ROW
        for each in called:
            expected = each(expected)
        assert (new(ROW).asnumpy() == expected.asnumpy()).all()
        assert [*new.seq] == [cell for cell in called if isinstance(cell, nn.Cell)]
        inside = [parameter.name for cell in new.seq for parameter in cell.get_parameters()]
        assert [parameter.name for parameter in new.trainable_params()] == inside
        assert len(set(inside)) == len(inside) and all(name.startswith("seq.") for name in inside)
    assert [*net.seq] == before and [parameter.name for parameter in net.get_parameters()] == names


@given(container_edits)
def test_what_other_code_calls_by_its_place_stays_there(changes):
    net = Reaching()
    tree, erased, first = SymbolTree.create(net), [], net.seq[0]
    for change in changes:
        edit_container(tree, erased, *change)
        _, called = children(tree)
        expected = ROW
        for each in called:
            expected = each(expected)
        assert (tree.get_network()(ROW).asnumpy() == (expected + first(ROW)).asnumpy()).all()


class Twin(nn.Cell):
    def __init__(self):
        super().__init__()
        self.tanh, self.relu = nn.Tanh(), nn.ReLU()

    def construct(self, x):
        return self.relu(self.tanh(x))


class Twins(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = Twin(), Twin()

    def construct(self, x):
        return self.a(self.b(x))


def test_cells_that_are_put_in_anywhere_have_names_by_the_way_to_them():
    net = Twins()
    tree = SymbolTree.create(net)
    for name in ("a", "b"):
        inside = TreeNodeHelper.get_sub_tree(tree.get_node(name))
        inside.insert(inside.before("tanh"), Node.create_call_cell(nn.Dense(2, 2), ["x"], ["x"], name="fc"))
    names = [parameter.name for parameter in tree.get_network().trainable_params()]
    assert names == ["a.fc.weight", "a.fc.bias", "b.fc.weight", "b.fc.bias"]


def test_a_cell_of_the_network_that_is_put_in_once_more_keeps_the_names_of_its_parameters():
    net = Held()
    tree = SymbolTree.create(net)
    names = [parameter.name for parameter in net.trainable_params()]
    tree.insert(tree.before("return"), Node.create_call_cell(net.seq[1], ["y"], ["x"], name="again"))
    assert sorted(parameter.name for parameter in tree.get_network().trainable_params()) == sorted(names)
    assert [parameter.name for parameter in net.trainable_params()] == names


@pytest.mark.parametrize(
    ("cell", "kind", "inside"),
    [
        (Twin, NodeType.Tree, ["input_x", "tanh", "relu", "return"]),
        (lambda: nn.SequentialCell(nn.ReLU()), NodeType.CellContainer, ["input_input_data", "ReLU", "return"]),
        (nn.ReLU, NodeType.CallCell, None),
        (ops.ReLU, NodeType.CallPrimitive, None),
    ],
)
def test_a_new_node_is_entered_before_and_after_it_is_put_in_if_it_is_a_network_inside(tree, cell, kind, inside):
    node = Node.create_call_cell(cell(), ["x"], ["x"], name="new", is_sub_net=True)
    for _ in range(2):
        assert node.get_node_type() is kind
        found = node.get_handler().sub_tree
        assert (found and [each.name for each in found.nodes()]) == inside
        if node.get_symbol_tree() is None:
            tree.insert(tree.before("return"), node)
    assert len(outputs(tree)) == 2


@pytest.mark.parametrize("early", [True, False])
def test_what_is_edited_inside_a_new_node_is_what_the_network_computes(tree, early):
    given = Twin()
    node = Node.create_call_cell(given, ["x"], ["x"], name="new", is_sub_net=True)
    if not early:
        tree.insert(tree.after("relu"), node)
    inside = TreeNodeHelper.get_sub_tree(node)
    inside.insert(inside.after("tanh"), Node.create_call_cell(ops.Neg(), ["tanh"], ["tanh"], name="neg"))
    if early:
        tree.insert(tree.after("relu"), node)
    assert outputs(tree)[0] == [0.0, 0.0] and "neg" not in given._cells
    assert [each.get_name() for each in tree.nodes(all_nodes=True)].count("neg_1") == 0
    assert type(given) is Twin and given(X).asnumpy().tolist() == Twin()(X).asnumpy().tolist()


def test_a_cell_that_has_a_tree_in_the_network_is_not_entered_a_second_time():
    net = Twins()
    tree = SymbolTree.create(net)
    node = Node.create_call_cell(net.a, ["x"], ["x"], name="again", is_sub_net=True)
    before = table(tree.get_handler())
    with pytest.raises(
        ValueError, match=r"the cells inside 'again' must be new to the network .*, but got a Twin that"
    ):
        tree.insert(tree.before("return"), node)
    assert table(check(tree.get_handler())) == before
    tree.insert(tree.before("return"), Node.create_call_cell(net.a, ["x"], ["x"], name="again"))
    assert tree.get_network()(X).asnumpy().tolist() == net(X).asnumpy().tolist()


def test_the_output_defines_no_targets():
    """As in 2.0.0 and r2.1; 2.7.0 has an empty list."""
    tree = SymbolTree.create(nn.SequentialCell(nn.ReLU()))
    targets = {node.get_node_type(): node.get_targets() for node in tree.nodes()}
    assert targets[NodeType.Output] is None and len(targets) > 1
    assert all(found is not None for kind, found in targets.items() if kind is not NodeType.Output)
