"""What a function sees beside its arguments may change between calls, and a replay must not give what was."""

import argparse
import collections
import dataclasses
import functools
import itertools
import random
import types

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("restored")
X = Tensor([1.0, 2.0, 3.0])
FACTOR = 2.0


def check(function, change):
    """After it was replayed, the function gives what it gives as it stands, whatever ``change`` did."""
    replayed = ms.jit(function)
    for _ in range(3):
        np.testing.assert_array_equal(replayed(X).asnumpy(), function(X).asnumpy())
    assert replayed.recorded.sources, replayed.recorded.reason
    before = function(X).asnumpy()
    change()
    assert (function(X).asnumpy() != before).any()
    np.testing.assert_array_equal(replayed(X).asnumpy(), function(X).asnumpy())


def test_a_global_is_bound_anew(monkeypatch):
    check(lambda x: x * FACTOR, lambda: monkeypatch.setitem(globals(), "FACTOR", 3.0))


def test_a_variable_of_a_closure_is_bound_anew():
    factor = 2.0

    def inner(x):
        return x * factor

    def change():
        nonlocal factor
        factor = 3.0

    check(lambda x: inner(x) + 1, change)


@dataclasses.dataclass(slots=True)
class Slotted:
    factor: float = 2.0


class Plain:
    factor = 2.0

    def __init__(self):
        self._inner = types.SimpleNamespace(values=[1.0, 2.0])

    def __call__(self, x):
        return x * self.second

    @property
    def second(self):
        return self._found(1)

    def _found(self, i):
        return self._inner.values[i]


HOLDERS = {
    "a list": ([2.0], lambda h: h[0], lambda h: h.__setitem__(0, 3.0)),
    "a list in a dict": ({"k": [2.0]}, lambda h: h["k"][0], lambda h: h["k"].__setitem__(0, 3.0)),
    "a dict": ({"k": 2.0}, lambda h: h["k"], lambda h: h.update(k=3.0)),
    "a deque": (collections.deque([2.0]), lambda h: h[0], lambda h: h.append(h.popleft() + 1)),
    "an array": (np.full(3, 2.0, np.float32), Tensor, lambda h: h.__setitem__(0, 3.0)),
    "a namespace": (types.SimpleNamespace(factor=2.0), lambda h: h.factor, lambda h: setattr(h, "factor", 3.0)),
    "options": (argparse.Namespace(factor=2.0), lambda h: h.factor, lambda h: setattr(h, "factor", 3.0)),
    "slots": (Slotted(), lambda h: h.factor, lambda h: setattr(h, "factor", 3.0)),
    "a class": (Plain, lambda h: h.factor, lambda h: setattr(h, "factor", 3.0)),
    "a module": (types.ModuleType("options"), lambda h: h.factor, lambda h: setattr(h, "factor", 3.0)),
    "an object's list, behind a property": (
        Plain(),
        lambda h: h.second,
        lambda h: h._inner.values.__setitem__(1, 3.0),
    ),
}


@pytest.mark.parametrize(("holder", "read", "change"), HOLDERS.values(), ids=HOLDERS)
def test_what_a_function_holds_is_changed_in_place(holder, read, change):
    if isinstance(holder, types.ModuleType):
        holder.factor = 2.0
    check(lambda x: x * read(holder), lambda: change(holder))


WRAPPED = {
    "partial": lambda f: functools.partial(f),
    "jit": ms.jit,
    "grad": lambda f: ms.grad(lambda x: f(x).sum()),
    "value_and_grad": lambda f: lambda x: ms.value_and_grad(f)(x)[1],
    "GradOperation": lambda f: ops.GradOperation()(f),
    "HyperMap": lambda f: lambda x: ops.HyperMap()(f, (x,))[0],
}


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_what_a_wrapped_function_holds_is_changed_in_place(wrap):
    values = [2.0]
    wrapped = wrap(lambda x: x * x * values[0])
    check(lambda x: wrapped(x), lambda: values.__setitem__(0, 3.0))


def test_an_object_that_is_called_and_a_bound_method():
    plain = Plain()
    check(lambda x: plain(x), lambda: plain._inner.values.__setitem__(1, 3.0))
    check(plain.__call__, lambda: plain._inner.values.__setitem__(1, 4.0))


def test_an_argument_that_is_an_object_is_changed():
    plain, function = Plain(), ms.jit(lambda x, plain: plain(x))
    for _ in range(3):
        assert function(X, plain).asnumpy().tolist() == [2, 4, 6]
    assert function.recorded.sources
    plain._inner.values[1] = 3.0
    assert function(X, plain).asnumpy().tolist() == [3, 6, 9]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.act = nn.Dense(3, 3, weight_init="ones"), nn.ReLU()
        self.values, self.options, self.array = [1.0], {"by": 1.0}, np.ones(3, np.float32)

    def construct(self, x):
        x = self.dense(x) if self.act is None else self.act(self.dense(x))
        return x * self.values[0] * self.options["by"] * Tensor(self.array)


CHANGES = {
    "a list": lambda net: net.values.__setitem__(0, 3.0),
    "a dict": lambda net: net.options.update(by=3.0),
    "an array": lambda net: net.array.__setitem__(0, 3.0),
    "no child any more": lambda net: setattr(net, "act", None),
    "another child": lambda net: setattr(net, "act", nn.Sigmoid()),
    "another child in the table": lambda net: net._cells.update(act=nn.Sigmoid()),
    "another Parameter": lambda net: setattr(net.dense, "weight", Parameter(np.full((3, 3), -2.0, np.float32))),
    "another Parameter in the table": lambda net: net.dense._params.update(
        weight=Parameter(np.full((3, 3), -2.0, np.float32), name="dense.weight")
    ),
    "a hook": lambda net: net.dense.register_backward_hook(lambda name, came, go: None),
    "a method of its class": lambda net: setattr(Net, "construct", lambda self, x: x),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_cell_in_graph_mode_is_changed(change, monkeypatch):
    monkeypatch.setattr(Net, "construct", Net.construct)  # which one of the changes replaces
    net, x = Net(), Tensor([[1.0, -3.0, 1.0]])
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        net(x)
    assert net._recorded["_run_quietly"].sources
    change(net)
    found = net(x).asnumpy()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_array_equal(found, net(x).asnumpy())


def test_a_child_that_is_deleted_is_missed():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    for _ in range(3):
        net(ops.ones((1, 3)))
    del net.act
    with pytest.raises(AttributeError, match="act"):
        net(ops.ones((1, 3)))


def test_what_a_cells_own_bprop_holds_is_changed():
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.values = [2.0]

        def construct(self, x):
            return x * 1

        def bprop(self, x, out, dout):
            return dout * self.values[0]

    cell = Scaled()
    check(lambda x: ms.grad(cell)(x), lambda: cell.values.__setitem__(0, 3.0))


def test_what_a_users_schedule_holds_is_changed():
    class Constant(nn.LearningRateSchedule):
        def __init__(self):
            super().__init__()
            self.options = types.SimpleNamespace(rate=2.0)

        def construct(self, global_step):
            return global_step.astype(ms.float32) * 0 + self.options.rate

    w, schedule = Parameter([0.0], name="w"), Constant()
    optimizer = nn.SGD([w], schedule)
    step = ms.jit(lambda g: (optimizer((g,)), w * 1)[1])
    assert [float(step(Tensor([1.0]))) for _ in range(4)] == [-2, -4, -6, -8] and step.recorded.sources
    schedule.options.rate = 100.0
    assert float(step(Tensor([1.0]))) == -108


def test_a_parameter_that_is_frozen_has_no_gradient_any_more():
    net = nn.Dense(2, 2)
    gradients = ms.jit(lambda x: ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(x))
    for _ in range(3):
        assert len(gradients(ops.ones((1, 2)))) == 2
    net.bias.requires_grad = False
    assert len(gradients(ops.ones((1, 2)))) == 1


@pytest.mark.parametrize(
    "number",
    [random.random, itertools.count().__next__, lambda: np.random.default_rng().random()],
    ids=["random", "count", "numpy"],
)
def test_what_python_draws_anew_at_every_call_is_found_out(number):
    function = ms.jit(lambda x: x * number())
    assert len({float(function(Tensor(1.0))) for _ in range(12)}) == 12
    assert function.recorded.reason


def test_a_function_that_sets_the_seed_starts_its_stream_at_every_call():
    def function(x):
        ms.set_seed(3)
        return x + ops.standard_normal((3,))

    replayed = ms.jit(function)
    for _ in range(4):
        np.testing.assert_array_equal(replayed(X).asnumpy(), function(X).asnumpy())


class Counting(ops.Primitive):
    """A primitive of a user's own that keeps state where nothing is told of it."""

    def __init__(self):
        super().__init__("Counting")
        self.kept = [0.0]

    def infer(self, x):
        return x

    def compute(self, xp, x):
        self.kept[0] = self.kept[0] + x
        return self.kept[0]


def test_a_users_primitive_computes_at_every_call_and_what_it_keeps_is_its_own():
    function, w = ms.jit(lambda p, x: (p(x) + p(x) + 1) * 2), [Counting(), Counting()]
    for i in range(1, 6):
        assert float(function(w[0], Tensor(1.0))) == 2 * (2 * i + 2 * i - 1 + 1)
    assert function.recorded.sources


def test_a_function_that_sees_very_much_is_left_alone():
    table = {i: float(i) for i in range(100_000)}
    function = ms.jit(lambda x: x * table[2])
    assert [float(function(Tensor(1.0))) for _ in range(3)] == [2, 2, 2]
    table[2] = 5.0
    assert float(function(Tensor(1.0))) == 5
    assert "too many values" in function.recorded.reason


def test_what_the_function_does_not_name_may_change():
    class Trainer:
        def __init__(self):
            self.factor, self.steps, self.losses = 2.0, 0, []

        @ms.jit
        def step(self, x):
            return x * self.factor

        def train(self, x):
            self.losses.append(self.step(x))
            self.steps += 1

    trainer = Trainer()
    for _ in range(6):
        trainer.train(Tensor(1.0))
    assert Trainer.step.recorded.sources and Trainer.step.recorded.reason is None
    trainer.factor = 3.0
    trainer.train(Tensor(1.0))
    assert [float(y) for y in trainer.losses] == [2] * 6 + [3]


def test_zeros_are_told_apart_by_their_sign():
    function = ms.jit(lambda x, s: 1 / (x * s))
    for s, expected in ((0.0, np.inf), (-0.0, -np.inf), (float("nan"), np.nan)):
        for _ in range(3):
            np.testing.assert_array_equal(function(Tensor(1.0), s).asnumpy(), expected)
    assert len(function.recorded.sources) == 3
