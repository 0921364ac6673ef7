"""Edits of arguments and outputs: another value is read in an argument's place."""

import pytest
from rewrite.edit.test_edit import lines, outputs

from minispore import nn, ops
from minispore.rewrite import Node, ScopedValue, SymbolTree


def test_a_node_without_users_is_erased(tree):
    tree.get_node("binop_add").set_arg_by_node(1, tree.get_node("neg"))
    tree.get_node("tuple").set_arg(0, "y")
    tree.erase_node(tree.get_node("relu"))
    assert lines(tree) == ["y = self.neg(x)", "add_var = y + y", "tuple_var = (y, add_var)", "return tuple_var"]
    assert outputs(tree) == [[1.0, -2.0], [2.0, -4.0]]


def test_outputs_are_set_by_index(tree):
    tree.set_output(0, tree.get_node("neg"))
    assert outputs(tree) == [[1.0, -2.0], [2.0, -2.0]]
    with pytest.raises(ValueError, match=r"the 'index' must be in \[0, 2\)"):
        tree.set_output(2, tree.get_node("neg"))


def test_names_and_numbers_are_taken_as_values():
    """MindSpore takes ScopedValues alone, and for an argument that is set a str too."""
    tree = SymbolTree.create(nn.SequentialCell(nn.ReLU()))
    relu = next(node for node in tree.nodes() if node.get_instance_type() is nn.ReLU)
    made = Node.create_call_cell(ops.Add(), ["y"], ["x", 3], name="add")
    assert made.get_args() == [ScopedValue.create_naming_value("x"), ScopedValue.create_variable_value(3)]
    relu.set_arg(0, 3)
    assert relu.get_args() == [ScopedValue.create_variable_value(3)]
