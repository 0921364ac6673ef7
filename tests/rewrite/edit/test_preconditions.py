"""Refusals: an edit that would change what other code means, or could not be written, changes nothing and says why."""

import copy
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, ScopedValue, SymbolTree, ValueType, check
from minispore.rewrite.parse import parse_network

X = ms.Tensor(np.array([-1.0, 2.0], np.float32))


class Same(nn.Cell):
    def construct(self, x):
        return x


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.tuple_layer = ops.Neg()

    def construct(self, x):
        y = x.abs()
        z = y.sum()
        if x.ndim:
            unused = z + 1  # noqa: F841 - an edit takes it out
        return self.tuple_layer(y)


class Loops(nn.Cell):
    """What its loops assign is assigned more than once."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.CellList([Same()]), nn.CellList([Inner(), Inner()])

    def construct(self, x):
        for cell in self.first:
            x = cell(x)
        for cell in self.second:
            y = x + 1
            x = cell(y)
            x = x * 2
        return x


def same(targets, args, **others):
    return Node.create_call_cell(Same(), targets, args, **others)


def picture(tree):
    """Everything that an edit may change."""
    trees = tree.get_handler().forest.trees.values()
    return [(n.name, n.place, n.lines(), [u.name for u in n.users]) for t in trees for n in t.all_nodes()]


def refused(tree, error, message, edit):
    """The edit is refused with that message, and nothing has changed."""
    before, code = picture(tree), tree.get_code()
    with pytest.raises(error, match=message):
        edit()
    assert picture(tree) == before and tree.get_code() == code
    check(tree.get_handler())


@pytest.fixture
def tree():
    return SymbolTree.create(Inner())


def test_what_reads_a_variable_behind_its_next_assignment_is_not_redirected():
    tree = SymbolTree.create(Loops())
    loop = tree.get_node("For_1").get_handler()
    first, *_, last = loop.blocks[0].nodes()
    new = tree.insert(tree.before(Node(first)), same(["same"], [first.args[0]]))
    assert tree.redirect("x", "same") == [Node(first)] and str(last.args[0]) == "x"
    check(tree.get_handler())
    assert (tree.get_network()(X).asnumpy() == Loops()(X).asnumpy()).all()
    assert new.get_users() == [Node(first)]


def test_a_value_made_before_a_loop_does_not_stand_for_what_the_loop_assigns():
    tree = SymbolTree.create(Loops())
    loop = tree.get_node("For")
    cell = loop.get_targets()[0]  # which the second loop assigns too
    tree.insert(tree.after(loop), tree.create_call_function(id, ["kept"], cell))
    redirected = [user.get_name() for user in tree.redirect(cell, "kept")]
    assert "cell_1" not in redirected  # the call of it in the second loop
    assert tree.get_network()(X).asnumpy().tolist() == Loops()(X).asnumpy().tolist()


def test_what_nothing_defines_is_refused_when_the_network_is_made_by_node_and_name(tree):
    node = tree.insert(tree.after("abs"), same(["a"], ["later"], name="early"))
    message = "the arguments of 'early' must be defined before it, but got 'later', which is not"
    for make in (tree.get_code, tree.get_network):
        with pytest.raises(ValueError, match=message):
            make()
    node.set_arg_by_node(0, tree.get_node("abs"))
    check(tree.get_handler())
    assert tree.get_network()(X).asnumpy().tolist() == Inner()(X).asnumpy().tolist()


def test_a_node_is_linked_to_no_node_that_stands_behind_it_or_elsewhere():
    class Twice(Inner):
        def construct(self, x):
            y = x.abs()
            if x.ndim:
                y = self.tuple_layer(y)
            return y + x

    tree = SymbolTree.create(Twice())
    first, inside, last = (Node(tree.get_handler().get(name)) for name in ("abs", "tuple_layer", "binop_add"))
    message = "'y' of 'tuple_layer' must be defined before 'binop_add', but got 'If', which defines it there"
    refused(tree, ValueError, message, lambda: last.set_arg_by_node(1, inside))
    message = "'add_var' of 'binop_add' must be defined before 'tuple_layer', but got a value that is not"
    refused(tree, ValueError, message, lambda: inside.set_arg_by_node(0, last))
    other = SymbolTree.create(Twice()).get_node("abs")
    message = "'y' of 'abs' must be defined before 'binop_add', but got 'If', which defines it there"
    refused(tree, ValueError, message, lambda: last.set_arg_by_node(1, other))
    message = "the 'index' must be in"
    refused(tree, ValueError, message, lambda: last.set_arg_by_node(2, first))


def test_names_of_lambdas_are_not_assigned_behind_them():
    class Lazy(Inner):
        def construct(self, x):
            y = x.abs()
            f = lambda t: t + y  # noqa: E731
            return f(self.tuple_layer(x))

    tree = SymbolTree.create(Lazy())
    message = "must not be names that a lambda or generator before it reads, but got 'y'"
    refused(tree, ValueError, message, lambda: tree.insert(tree.before("tuple_layer"), same(["y"], ["y"])))
    tree.insert(tree.after("abs"), same(["y"], ["y"]))
    assert tree.get_network()(X).asnumpy().tolist() == Lazy()(X).asnumpy().tolist()


def test_statements_that_were_erased_are_no_replacement(tree):
    statement = tree.erase("If")
    refused(
        tree,
        ValueError,
        "must be no ControlFlow node, but got 'If'",
        lambda: tree.replace("sum", [same(["a"], ["x"]), statement]),
    )


def test_erased_nodes_that_read_one_another_come_back_together(tree):
    tree.erase("If")
    total = tree.erase("sum")
    tree.set_output(0, tree.get_inputs()[0])
    tree.erase("tuple_layer")
    absolute = tree.erase("abs")
    assert total.get_handler().receiver is not None
    last = tree.insert(tree.after("input_x"), same(["s"], ["x"]))
    tree.set_output(0, last)
    tree.set_output(0, tree.replace(last, [absolute, total]))
    check(tree.get_handler())
    assert tree.get_network()(X).asnumpy() == 3.0


def test_a_node_that_was_erased_goes_back_into_its_own_tree_only():
    net = Loops()
    root = SymbolTree.create(net)
    inside = SymbolTree(root.get_handler().forest.trees[net.second[0]])
    inside.set_output(0, inside.get_node("abs"))
    node = inside.erase("tuple_layer")
    node.set_arg(0, "x")
    message = "must be put back into its own tree, but got 'tuple_layer' of <Tree of Inner>"
    refused(root, ValueError, message, lambda: root.insert(root.after("input_x"), node))


def test_the_output_of_a_cell_called_tuple_is_set_like_any_other(tree):
    output = tree.set_output(0, tree.get_node("abs"))
    assert output == tree.get_node("return")
    assert tree.get_network()(X).asnumpy().tolist() == [1.0, 2.0]


def test_an_output_is_set_by_the_name_of_a_value_as_in_mindspore(tree):
    tree.set_output(0, return_value="x")
    assert tree.get_network()(X).asnumpy().tolist() == [-1.0, 2.0]


_UNWRITABLE = [float("inf"), float("nan"), np.zeros(2), object(), "x y", "", "f(", "x[0]", "lambda"]


@pytest.mark.parametrize("value", _UNWRITABLE, ids=lambda value: type(value).__name__)
def test_a_value_that_python_could_not_read_again_is_refused(tree, value):
    named = isinstance(value, str)
    given = ScopedValue.create_naming_value(value) if named else ScopedValue.create_variable_value(value)
    message = "must be a name or a constant that Python can read"
    refused(tree, ValueError, message, lambda: tree.get_node("tuple_layer").set_arg(0, given))
    refused(tree, ValueError, message, lambda: tree.insert(tree.after("abs"), same(["a"], [given])))


_WRONG = [
    (lambda t: same(["a"], ["x"], kwargs={1: "x"}), TypeError, "the keys of 'kwargs' must be str"),
    (lambda t: same(["a"], ["x"], kwargs={"a b": "x"}), ValueError, "the keys of 'kwargs' must be names of parameters"),
    (lambda t: same(["a"], ["x"], name=5), TypeError, "the 'name' must be a str, but got int"),
    (lambda t: t.get_node(5), TypeError, "the 'node_name' must be a str"),
    (lambda t: t.unique_name(5), TypeError, "the 'name' must be a str"),
    (lambda t: t.unique_name("a b"), ValueError, "the 'name' must be the name of a variable, but got 'a b'"),
    (lambda t: t.set_output(0, None), TypeError, "For 'set_output', the 'return_value' must be a name or a Node"),
    (lambda t: t.set_output(1, "x"), ValueError, "For 'set_output', the 'index' must be in"),
    (lambda t: t.redirect("nowhere", "x"), ValueError, "both values must be targets of nodes"),
    (lambda t: t.get_node("abs").set_arg(True, "x"), TypeError, "the 'index' must be an int, but got bool"),
    (lambda t: t.get_node("abs").set_arg_by_node(0, t.get_node("input_x"), False), TypeError, "an int, but got bool"),
    (lambda t: t.redirect("x", "nowhere"), ValueError, "both values must be targets of nodes"),
    (lambda t: t.redirect(object(), "x"), TypeError, "each of the 'old' must be a ScopedValue"),
    (lambda t: t.get_node("abs").set_arg_by_node(0, t.get_node("sum"), "0"), TypeError, "must be an int, but got str"),
]


@pytest.mark.parametrize(("edit", "error", "message"), _WRONG)
def test_an_argument_of_the_wrong_kind_is_named(tree, edit, error, message):
    refused(tree, error, message, lambda: edit(tree))


def test_check_finds_the_trees_of_these_networks_sound():
    for net in (Inner(), Loops()):
        for tree in parse_network(net).forest.trees.values():
            check(tree)


def test_a_scoped_value_takes_mindspores_arguments():
    value = ScopedValue(arg_type=ValueType.NamingValue, scope="ops", value="relu")
    assert (value.type, value.text) == (ValueType.NamingValue, "ops.relu")
    assert copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("turns", [1, 2])
def test_a_variable_that_a_loop_assigns_anew_is_redirected_up_to_that(turns):
    class Later(Inner):
        def construct(self, x):
            y = x.abs()
            z = y + 1
            for _ in range(turns):
                z = z + y
                y = z * 2
            return z + y

    class Meant(Inner):
        def construct(self, x):
            y = x.abs()
            y = -y
            z = y + 1
            for _ in range(turns):
                z = z + y
                y = z * 2
            return z + y

    tree = SymbolTree.create(Later())
    tree.insert(tree.after("abs"), Node.create_call_cell(ops.Neg(), ["other"], ["y"], name="neg"))
    assert [user.get_name() for user in tree.redirect("y", "other")] == ["binop_add", "For"]
    check(tree.get_handler())
    assert tree.get_network()(X).asnumpy().tolist() == Meant()(X).asnumpy().tolist()


def test_the_variable_of_a_loop_is_another_value_than_that_before_it():
    class Reused(Inner):
        def construct(self, x):
            y = x.abs()
            z = y + 1
            for y in (x, z):
                z = z + y
            return z

    class Meant(Inner):
        def construct(self, x):
            y = x.abs()
            z = -y + 1
            for y in (x, z):
                z = z + y
            return z

    tree = SymbolTree.create(Reused())
    tree.insert(tree.after("abs"), Node.create_call_cell(ops.Neg(), ["other"], ["y"], name="neg"))
    assert [user.get_name() for user in tree.redirect("y", "other")] == ["binop_add", "For"]
    check(tree.get_handler())
    assert tree.get_network()(X).asnumpy().tolist() == Meant()(X).asnumpy().tolist()


def test_one_target_is_redirected_to_another_of_its_node_until_it_is_assigned_anew():
    class Two(Inner):
        def construct(self, x):
            a, b = ops.abs(x), ops.neg(x)
            a, b = ops.broadcast_to(a, a.shape), b
            p, q = ops.unbind(ops.stack((a, b)), 0)
            c = p + 1
            p = c * 2
            return p + q

    tree = SymbolTree.create(Two())
    assert [user.get_name() for user in tree.redirect("p", "q")] == ["binop_add"]
    check(tree.get_handler())
    assert tree.get_network()(X).asnumpy().tolist() == (3 * -X.asnumpy() + 2).tolist()


def test_an_argument_of_a_body_whose_names_may_not_be_changed_is_not_set():
    class Whole(Inner):
        def construct(self, x):
            y = x + len(locals())
            return self.tuple_layer(y)

    tree = SymbolTree.create(Whole())
    node = tree.get_node("Body")
    message = "the node must be one whose names may be changed, but got 'Body'"
    refused(tree, ValueError, message, lambda: node.set_arg([v.text for v in node.get_args()].index("x"), "self"))
    negated = tree.insert(tree.before(node), Node.create_call_cell(ops.Neg(), ["x"], ["x"], name="neg"))
    tree.insert(tree.after(negated), same(["other"], ["x"]))
    refused(tree, ValueError, message, lambda: tree.redirect("x", "other"))
    refused(tree, ValueError, message, lambda: tree.replace(negated, [same(["w"], ["x"])]))
