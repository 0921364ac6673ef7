"""The matrix of code forms: each is parsed, written anew, computes as before, and computes in float16 under O1."""

import ast
import linecache
import textwrap

import numpy as np
import pytest
from support.constructs.listed_calls import NEAR, Block, Parts, identity
from support.constructs.python_statements import FORMS

import minispore as ms
from minispore import nn
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.white_pass import white_tree
from minispore.rewrite import NodeType, SymbolTree, check

_NAMES = [cell.__name__ for cell, _, _ in FORMS]
every_form = pytest.mark.parametrize(("cell", "after", "log"), FORMS, ids=_NAMES)


def probe(value=NEAR):
    return ms.Tensor(np.full((1, 1), value, np.float32))


def results(net, x):
    """The outputs, and the gradients of their sum for x and every Parameter, as arrays."""

    def total(value):
        return sum((out.sum() for out in net(value)), start=0.0)

    of_x, of_parameters = ms.grad(total, 0, net.trainable_params())(x)
    return [part.asnumpy() for part in (*net(x), of_x, *of_parameters)]


def assert_same(before, after):
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)


def lines_of(body):
    """Source as the running Python writes it: versions differ in parentheses and quotes."""
    return ast.unparse(ast.parse(textwrap.dedent(body)))


def test_there_are_at_least_seventy_forms():
    assert len(set(_NAMES)) == len(FORMS) >= 70


@every_form
def test_a_form_becomes_one_call_a_line_and_control_flow_stays_control_flow(cell, after, log):
    tree = SymbolTree.create(cell())
    check(tree.get_handler())
    text = tree.get_code()
    body = text[text.index("def construct") :].split("\n", 1)[1]
    assert lines_of(body) == lines_of(after)


@every_form
def test_a_form_that_is_rewritten_computes_the_same_outputs_and_gradients(cell, after, log):
    net = cell()
    new = SymbolTree.create(net).get_network()
    again = SymbolTree.create(new).get_network()
    for value in (NEAR, -1.5):
        expected = results(net, probe(value))
        assert_same(expected, results(new, probe(value)))
        assert_same(expected, results(again, probe(value)))


@every_form
def test_the_listed_parts_of_a_form_compute_in_float16_and_their_neighbours_in_float32(cell, after, log, type_record):
    net = cell()
    tree = white_tree(net, list(AMP_WHITE_LIST))
    for inside in tree.get_handler().forest.trees.values():
        check(inside)
    new = tree.get_network()
    low, kept = new(probe())[:2]
    assert " ".join(f"{call.primitive.name}{call.out.itemsize * 8}" for call in type_record.calls) == log
    assert low.dtype == kept.dtype == ms.float32
    assert low.asnumpy() == 1.0
    assert kept.asnumpy() == np.float32(NEAR) * np.float32(NEAR)
    assert tree.notes == []
    assert net(probe())[0].asnumpy() != 1.0, "the original goes on in float32"


@every_form
def test_a_converted_form_has_gradients_in_float32_close_to_the_originals(cell, after, log):
    net = cell()
    new = white_tree(net, list(AMP_WHITE_LIST)).get_network()
    for a, b in zip(results(net, probe(0.75)), results(new, probe(0.75)), strict=True):
        assert b.dtype == np.float32
        np.testing.assert_allclose(a, b, atol=4e-3)


def converted(net):
    tree = white_tree(net, list(AMP_WHITE_LIST))
    for inside in tree.get_handler().forest.trees.values():
        check(inside)
    return tree.get_network()


def test_a_class_defined_in_a_function_sees_what_it_captured():
    near = NEAR

    class Local(Parts):
        def construct(self, x):
            for layer in self.layers:
                x = layer(x)
            return x, near * near

    assert converted(Local())(probe())[0].asnumpy() == 1.0


_SOURCE = """
class Told(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = identity()

    def construct(self, x):
        if x is not None:
            y = self.fc(x)
        return y, x * NEAR
"""


def told(filename=None):
    """A network made by exec; as a notebook does, its source is kept under the file name."""
    if filename:
        linecache.cache[filename] = (len(_SOURCE), None, _SOURCE.splitlines(keepends=True), filename)
    space = {"nn": nn, "identity": identity, "NEAR": NEAR, "__name__": "__main__" if filename else "told"}
    exec(compile(_SOURCE, filename or "<string>", "exec"), space)
    return space["Told"]()


def test_a_class_of_a_notebook_is_rewritten():
    low, kept = converted(told("<ipython-input-1>"))(probe())
    assert low.asnumpy() == 1.0 and kept.asnumpy() == np.float32(NEAR) * np.float32(NEAR)


class Holder(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)


def test_a_cell_without_source_runs_unchanged_and_its_listed_cells_are_converted():
    net = Holder(told())
    assert SymbolTree.create(net).get_node("inner").get_node_type() is NodeType.CallCell
    low, kept = converted(net)(probe())
    assert low.asnumpy() == 1.0 and kept.asnumpy() == np.float32(NEAR) * np.float32(NEAR)
    assert net(probe())[0].asnumpy() == np.float32(NEAR)


def test_a_condition_is_not_frozen_at_parse():
    net = Block()
    new = SymbolTree.create(net).get_network()
    assert new(probe(3.0)).asnumpy() == 3.0
    new.fc.weight.set_data(probe(2.0))
    assert new(probe(3.0)).asnumpy() == 6.0
    new.off = True
    assert new(probe(3.0)).asnumpy() == 3.0


def test_control_flow_has_bodies_that_hold_nodes():
    tree = SymbolTree.create(Block())
    branch = tree.get_node("If")
    assert branch.get_node_type() is NodeType.ControlFlow
    assert [node.name for node in branch.get_handler().node_list] == ["return"]
    names = ["input_t", "input_scale", "If", "fc", "binop_mult", "return_1"]
    assert [node.get_name() for node in tree.nodes()] == names
    assert "return" in [node.get_name() for node in tree.nodes(all_nodes=True)]


class Loose(nn.Cell):
    """Variables that perhaps nothing was assigned to."""

    def construct(self, x):
        if x.shape[0] > 1:
            y = x * 2
        for i in range(x.shape[0] - 1):
            y = x + i
        if x.shape[0] > 2:
            y = -y
        return y if x.shape[0] > 1 else x


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_variable_that_is_perhaps_unbound_is_not_read_before_its_time(rows):
    net, x = Loose(), ms.Tensor(np.ones((rows, 1), np.float32))
    new = SymbolTree.create(net).get_network()
    np.testing.assert_array_equal(new(x).asnumpy(), net(x).asnumpy())
