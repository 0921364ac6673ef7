"""The edit that puts new nodes in the place of one."""

import pytest
from rewrite.edit.test_edit import Branch, Held, children, doubling, lines, made, outputs

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, SymbolTree, check


def test_replacing_hands_the_users_over(tree):
    chain = [doubling(targets=["t"], args=["y"]), doubling(targets=["t"], args=["t"])]
    root = tree.replace(tree.get_node("relu"), chain)
    assert root.get_name() == "double_1"
    assert lines(tree)[1:4] == ["t = self.double(y)", "t = self.double_1(t)", "add_var = y + t"]
    assert outputs(tree) == [[4.0, -8.0], [5.0, -10.0]]


def test_a_body_may_read_a_name_that_only_its_branch_still_begins_with():
    class Begun(nn.Cell):
        def __init__(self):
            super().__init__()
            self.relu, self.yes = ops.ReLU(), True

        def construct(self, x):
            z = -x
            if self.yes:
                y = self.relu(z)
                z = y + z
            return z

    tree = SymbolTree.create(Begun())
    tree.replace(tree.get_node("unaryop_usub"), [doubling(["w"], ["x"])])
    assert lines(tree)[:4] == ["w = self.double(x)", "z = w", "if self.yes:", "y = self.relu(z)"]
    assert outputs(tree) == [[-2.0, 8.0]]


def test_what_is_read_behind_a_body_is_replaced_under_its_name_alone():
    tree = SymbolTree.create(Branch())
    relu = Node(tree.get_handler().get("binop_add"))
    with pytest.raises(ValueError, match="must define 'z', which is read behind the body of 'If', but got 'made'"):
        tree.replace(relu, [made("neg", "x")])
    tree.replace(relu, [Node.create_call_cell(ops.Neg(), ["z"], ["x"])])
    check(tree.get_handler())
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy().tolist() == [-3.0]


def test_a_replacement_may_have_more_targets_than_what_it_replaces(tree):
    class Both(nn.Cell):
        def construct(self, x):
            return x * 3, x

    node = Node.create_call_cell(Both(), ["big", "kept"], ["y"], name="both")
    assert tree.replace(tree.get_node("relu"), [node]) == node
    assert lines(tree)[1:3] == ["big, kept = self.both(y)", "add_var = y + big"]
    assert outputs(tree) == [[3.0, -6.0], [4.0, -8.0]]


def test_a_replacement_has_a_target_for_each_of_what_it_replaces(tree):
    class Both(nn.Cell):
        def construct(self, x):
            return x * 3, x

    node = Node.create_call_cell(Both(), ["x", "kept"], ["y"], name="both")
    tree.replace("relu", [node])
    with pytest.raises(ValueError, match="the last of the 'new_nodes' must have 2 targets like 'both', but got 1"):
        tree.replace(node, [doubling()])
    assert outputs(tree) == [[3.0, -6.0], [4.0, -8.0]]


def test_a_replaced_cell_of_a_container_leaves_its_place_and_its_name_to_the_new_one():
    net = Held()
    tree, new = SymbolTree.create(net), nn.Dense(2, 2)
    tree.replace(children(tree)[0][0], [Node.create_call_cell(new, ["x"], ["x"], name="new")])
    seq = tree.get_network().seq
    assert [*seq._cells] == ["0", "1", "2"] and seq[0] is new
    assert next(parameter.name for parameter in seq.trainable_params()) == "seq.0.weight"
