"""Generation: the new network sees what the old one saw, shares what was not edited, and shows its source."""

import functools
import gc
import inspect
import linecache
import traceback

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, ScopedValue, SymbolTree, TreeNodeHelper

X = ms.Tensor(np.array([1.0, -2.0], np.float32))
OFFSET = 1.0


def rewritten(net):
    return SymbolTree.create(net).get_network()


class Globals(nn.Cell):
    def construct(self, x):
        return x + OFFSET


def test_globals_stay_those_of_the_defining_module(monkeypatch):
    new = rewritten(Globals())
    monkeypatch.setitem(globals(), "OFFSET", 5.0)
    assert new(X).asnumpy().tolist() == [6.0, 3.0]


def test_captured_variables_stay_alive():
    scale = 2.0

    class Scaled(nn.Cell):
        def construct(self, x):
            return x * scale

    new = rewritten(Scaled())
    assert new(X).asnumpy().tolist() == [2.0, -4.0]
    scale = 3.0
    assert new(X).asnumpy().tolist() == [3.0, -6.0]


def counted(function):
    @functools.wraps(function)
    def counting(self, *args):
        self.count += 1
        return function(self, *args)

    return counting


class Decorated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 0

    @counted
    def construct(self, x):
        return -x


def test_a_decorated_construct_is_decorated_again():
    new = rewritten(Decorated())
    assert new(X).asnumpy().tolist() == [-1.0, 2.0] and new.count == 1
    assert "@counted" in SymbolTree.create(new).get_code()


class Parameterized(nn.Cell):
    def construct(self, x, /, y=X, *, z=3, **options):
        return x + y + z + len(options)


def test_defaults_and_kinds_of_parameters_are_kept():
    new = rewritten(Parameterized())
    assert str(inspect.signature(type(new).construct)) == str(inspect.signature(Parameterized.construct))
    assert new(X, other=1).asnumpy().tolist() == [6.0, 0.0]
    assert "def construct(self, x, /, y=X, *, z=3, **options):" in SymbolTree.create(Parameterized()).get_code()


class Failing(nn.Cell):
    def construct(self, x):
        y = x + 1
        return y.no_such_method()


def test_tracebacks_show_the_generated_line():
    new = rewritten(Failing())
    with pytest.raises(AttributeError) as caught:
        new(X)
    assert "no_such_method = y.no_such_method()" in "".join(traceback.format_tb(caught.tb))


def test_the_class_keeps_its_text_and_lets_go_of_it_with_the_class():
    new = rewritten(Failing())
    assert "class FailingOpt(Failing)" in type(new).rewritten_source
    filename = type(new).construct.__code__.co_filename
    assert filename in linecache.cache
    del new
    gc.collect()
    assert filename in linecache.cache  # a collection may strike while linecache walks over its table
    rewritten(Failing())
    assert filename not in linecache.cache


class Shared(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner, self.relu = Globals(), nn.ReLU()
        self.held = [self.relu, {"inner": self.inner}]

    def construct(self, x):
        return self.relu(self.inner(x))


def test_cells_that_are_not_edited_are_shared():
    net = Shared()
    new = rewritten(net)
    assert new is not net and new.inner is net.inner and new.relu is net.relu and new.held is net.held
    assert isinstance(new, Shared) and new.cls_name == "Shared"


def test_substitutes_stand_under_every_name():
    net = Shared()
    tree = SymbolTree.create(net)
    other = nn.ReLU()
    tree.substitute(net.relu, other)
    assert tree.get_node("relu").get_instance() is other
    new = tree.get_network()
    assert new.relu is new.held[0] is other and new.held[1] is net.held[1]
    assert net.held[0] is net.relu and new.inner is net.inner


def test_edits_inside_make_copies_on_the_way_only():
    net = nn.SequentialCell(Shared(), nn.SequentialCell(nn.ReLU()))
    tree = SymbolTree.create(net)
    inside = TreeNodeHelper.get_sub_tree(tree.get_node("Shared"))
    args = ScopedValue.create_name_values(["x"])
    node = inside.insert(inside.before("inner"), Node.create_call_cell(ops.Neg(), ["x"], args, name="neg"))
    inside.get_node("inner").set_arg_by_node(0, node)
    new = tree.get_network()
    assert new(X).asnumpy().tolist() == [0.0, 3.0] and net(X).asnumpy().tolist() == [2.0, 0.0]
    assert new[0] is not net[0] and new[1] is net[1] and new[0].relu is net[0].relu


def test_a_network_is_rewritten_again_and_again():
    net = Shared()
    for i in range(3):
        tree = SymbolTree.create(net)
        args = ScopedValue.create_name_values(["x"])
        name = tree.insert(tree.before("inner"), Node.create_call_cell(ops.Neg(), ["x"], args, name="neg"))
        tree.get_node("inner").set_arg_by_node(0, name)
        net = tree.get_network()
        assert hasattr(net, f"neg_{i}" if i else "neg")
    assert net(X).asnumpy().tolist() == [0.0, 3.0]


class WithBprop(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return dout * 7


def test_a_cells_own_gradient_is_kept():
    assert ms.grad(rewritten(WithBprop()))(X).asnumpy().tolist() == [7.0, 7.0]


def test_a_construct_set_on_the_object_is_refused():
    net = Globals()
    net.construct = lambda x: x
    with pytest.raises(TypeError, match="set on the object itself"):
        SymbolTree.create(net)
