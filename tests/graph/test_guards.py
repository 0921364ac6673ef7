"""What a function sees beside its arguments may change between calls, and a replay must not give what was."""

import argparse
import array
import collections
import contextvars
import dataclasses
import functools
import itertools
import os
import random
import sys
import threading
import time
import types
import weakref

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core.running import changes
from minispore.graph import guards
from minispore.graph.mode import recordings_of

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
    "a method of its class": lambda net: setattr(Net, "construct", lambda self, x: x),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_cell_in_graph_mode_is_changed(change, monkeypatch):
    monkeypatch.setattr(Net, "construct", Net.construct)  # which one of the changes replaces
    net, x = Net(), Tensor([[1.0, -3.0, 1.0]])
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        net(x)
    assert recordings_of(net)["_run"].sources
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


class Keyed:
    """A user's object of which special methods read state."""

    def __init__(self):
        self.n = 2

    def __getitem__(self, i):
        return self.n

    def __len__(self):
        return self.n

    def __add__(self, x):
        return x * self.n

    def __getattr__(self, name):
        if name.startswith("made_"):
            return self.__dict__["n"]
        raise AttributeError(name)


class Shadowing:
    k = 2.0


def _function():
    return 2.0


_function.k = 2.0
_settings = types.SimpleNamespace(k=2.0)
_proxied = {"k": 2.0}
FOLLOWED = {
    "__getitem__": (Keyed(), lambda h, x: x * h[0], lambda h: setattr(h, "n", 3)),
    "__len__": (Keyed(), lambda h, x: x * len(h), lambda h: setattr(h, "n", 3)),
    "__add__": (Keyed(), lambda h, x: h + x, lambda h: setattr(h, "n", 3)),
    "__getattr__": (Keyed(), lambda h, x: x * h.made_n, lambda h: setattr(h, "n", 3)),
    "a UserDict": (collections.UserDict(k=2.0), lambda h, x: x * h["k"], lambda h: h.update(k=3.0)),
    "a ChainMap": (collections.ChainMap({"k": 2.0}), lambda h, x: x * h["k"], lambda h: h.update(k=3.0)),
    "a mappingproxy": (
        types.MappingProxyType(_proxied),
        lambda h, x: x * h["k"],
        lambda h: _proxied.update(k=3.0),
    ),
    "an array.array": (array.array("d", [2.0]), lambda h, x: x * h[0], lambda h: h.__setitem__(0, 3.0)),
    "a bytearray": (bytearray([2]), lambda h, x: x * h[0], lambda h: h.__setitem__(0, 3)),
    "os.environ": (os, lambda h, x: x * float(h.environ["K_"]), lambda h: h.environ.update(K_="3.0")),
    "a function's attribute": (_function, lambda h, x: x * h.k, lambda h: setattr(h, "k", 3.0)),
    "a function's code": (
        types.FunctionType((lambda: 2.0).__code__, {}),
        lambda h, x: x * h(),
        lambda h: setattr(h, "__code__", (lambda: 3.0).__code__),
    ),
    "a function's defaults": (
        types.FunctionType((lambda k: k).__code__, {}, argdefs=(2.0,)),
        lambda h, x: x * h(),
        lambda h: setattr(h, "__defaults__", (3.0,)),
    ),
    "a function's keyword defaults": (
        lambda *, k=2.0: k,
        lambda h, x: x * h(),
        lambda h: h.__kwdefaults__.update(k=3.0),
    ),
    "a list among a function's defaults": (
        types.FunctionType((lambda k: k[0]).__code__, {}, argdefs=([2.0],)),
        lambda h, x: x * h(),
        lambda h: h.__defaults__[0].__setitem__(0, 3.0),
    ),
    "other keyword defaults of a function": (
        lambda *, k=2.0: k,
        lambda h, x: x * h(),
        lambda h: setattr(h, "__kwdefaults__", {"k": 3.0}),
    ),
    "vars": (types.SimpleNamespace(k=2.0), lambda h, x: x * vars(h)["k"], lambda h: setattr(h, "k", 3.0)),
    "a made name": (
        types.SimpleNamespace(k=2.0),
        lambda h, x: x * getattr(h, "".join("k")),
        lambda h: setattr(h, "k", 3.0),
    ),
    "a cell's __dict__": (nn.ReLU(), lambda h, x: h(x) * h.cls_name, lambda h: h.__dict__.update(cls_name=3)),
    "an attribute that comes before a class's": (
        Shadowing(),
        lambda h, x: x * h.k,
        lambda h: setattr(h, "k", 3.0),
    ),
    "a class attribute that comes before a base's": (
        type("Inner", (Shadowing,), {}),
        lambda h, x: x * h().k,
        lambda h: setattr(h, "k", 3.0),
    ),
    "a layer of this package": (
        nn.ReLU(),
        lambda h, x: h(x),
        lambda h: setattr(nn.ReLU, "construct", lambda self, x: x * 7),
    ),
    "an operation of this package": (ops, lambda h, x: h.relu(x), lambda h: setattr(h, "relu", lambda x: x * 7)),
    "what a cached function reads": (
        functools.lru_cache(lambda: _settings.k),
        lambda h, x: x * h(),
        lambda h: (setattr(_settings, "k", 3.0), h.cache_clear()),
    ),
    "what a class's __init__ reads": (
        type("Made", (), {"__init__": lambda self: setattr(self, "k", FACTOR)}),
        lambda h, x: x * h().k,
        lambda h: globals().update(FACTOR=3.0),
    ),
    "what a function looks like another's": (
        functools.wraps(ops.relu)(lambda x: x * FACTOR),
        lambda h, x: h(x),
        lambda h: globals().update(FACTOR=3.0),
    ),
    "a name of Python's own that is covered": (
        None,
        lambda h, x: x * max(1.0, 2.0),
        lambda h: globals().update(max=lambda a, b: 3.0),
    ),
}


@pytest.mark.parametrize(("holder", "read", "change"), FOLLOWED.values(), ids=FOLLOWED)
def test_state_behind_a_name_is_followed(holder, read, change, monkeypatch):
    monkeypatch.setenv("K_", "2.0")
    monkeypatch.setattr(nn.ReLU, "construct", nn.ReLU.construct)
    monkeypatch.setattr(ops, "relu", ops.relu)
    monkeypatch.setitem(globals(), "FACTOR", 2.0)
    monkeypatch.setattr(_settings, "k", 2.0)
    if isinstance(holder, nn.Cell):
        holder.cls_name = 2
    check(lambda x: read(holder, x), lambda: change(holder))
    globals().pop("max", None)


def _generator():
    while True:
        yield 2.0


UNSEEN = {
    "an iterator": (itertools.chain([2.0] * 4, itertools.repeat(3.0)), lambda h, x: x * next(h)),
    "a generator": (_generator(), lambda h, x: x * next(h)),
    "a context variable": (contextvars.ContextVar("k", default=2.0), lambda h, x: x * h.get()),
    "a thread's own": (threading.local(), lambda h, x: x * getattr(h, "k", 2.0)),
    "a weak reference": (weakref.ref(Shadowing), lambda h, x: x * h().k),
    "globals": (None, lambda h, x: x * globals()["FACTOR"]),
    "eval": (None, lambda h, x: x * eval("FACTOR")),
    "an import": (None, eval("lambda h, x: x * __import__('types').SimpleNamespace(k=2.0).k")),
    "sys.modules": (sys, lambda h, x: x * h.modules[__name__].FACTOR),
    "random numbers": (random.Random(1), lambda h, x: x * (h.random() * 0 + 2)),
}


@pytest.mark.parametrize(("holder", "read"), UNSEEN.values(), ids=UNSEEN)
def test_state_that_cannot_be_seen_is_a_reason_not_to_replay(holder, read):
    function = ms.jit(lambda x: read(holder, x))
    for _ in range(4):
        assert function(X).asnumpy().tolist() == [2, 4, 6]
    assert any(word in function.recorded.reason for word in ("cannot be seen", "sys.modules"))


@pytest.fixture
def turn(monkeypatch):
    """Set a number of the interpreter's, which a function may read here without that being refused."""
    monkeypatch.setattr(guards, "reads_elsewhere", lambda value: False)
    before = sys.getrecursionlimit()
    yield lambda i: sys.setrecursionlimit(before + before % 2 + i)
    sys.setrecursionlimit(before)


def test_two_primitives_that_take_turns_are_told_apart(turn):
    both = ops.Abs(), ops.Neg()
    function = ms.jit(lambda x: both[sys.getrecursionlimit() % 2](x))
    for i in range(12):
        turn(i % 2)
        assert float(function(Tensor(2.0))) == (-2 if i % 2 else 2)
    assert "different arguments" in function.recorded.reason


def test_primitives_that_are_made_anew_are_one_if_they_hold_the_same(turn):
    function = ms.jit(lambda x: ops.ReduceSum(sys.getrecursionlimit() % 2 == 1)(x))
    for i in range(4):
        turn(1)
        assert function(X).shape == (1,), i
    assert function.recorded.sources
    function = ms.jit(lambda x: ops.ReduceSum(sys.getrecursionlimit() % 2 == 1)(x))
    for i in range(6):
        turn(i % 2)
        assert function(X).shape == ((1,) if i % 2 else ())


class Times(ops.Primitive):
    """A primitive of a user's own, of one name with a subclass, and with an attribute that not every one has."""

    def __init__(self, factor=None):
        super().__init__("Times")
        if factor:
            self.factor = factor

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x * getattr(self, "factor", 2)


class Over(Times):
    def compute(self, xp, x):
        return x / 2


@pytest.mark.parametrize("other", [Over, lambda: Times(3)], ids=["class", "attributes"])
@pytest.mark.parametrize("first", [0, 1])
def test_primitives_of_one_name_are_told_apart_by_class_and_attributes(turn, other, first):
    made = Times, other
    function = ms.jit(lambda x: made[sys.getrecursionlimit() % 2]()(x))
    for i in range(first, 12):
        turn(i % 2)
        assert float(function(Tensor(3.0))) == float(made[i % 2]()(Tensor(3.0)))
    assert "different arguments" in function.recorded.reason


@pytest.mark.parametrize(
    "both",
    [
        [Parameter(1.0, name="p"), Parameter(1.0, name="q")],
        [lambda x: ops.abs(x), lambda x: ops.neg(x)],
        [Tensor([0], ms.int32), Tensor([0.0], ms.float32)],
        [Tensor([0.0]), Tensor(0.0)],
    ],
    ids=["Parameters", "results", "types", "shapes"],
)
def test_two_runs_that_return_different_values_are_told_apart(turn, both):
    def eager(x):
        results = [f(x) for f in both] if callable(both[0]) else both
        found = results[sys.getrecursionlimit() % 2]
        return found if callable(both[0]) or isinstance(found, Parameter) else ops.expand_dims(found, 0)

    function, x = ms.jit(eager), Tensor(3, ms.int32)
    for i in range(12):
        turn(i % 2)
        found, expected = function(x), eager(x)
        assert (found.dtype, found.shape, found.asnumpy().tolist()) == (
            expected.dtype,
            expected.shape,
            expected.asnumpy().tolist(),
        )
        assert not isinstance(expected, Parameter) or found is expected


def test_two_runs_that_write_different_parameters_are_told_apart(turn):
    both = Parameter(1.0, name="p"), Parameter(1.0, name="q")

    def step(x):
        ops.assign(both[sys.getrecursionlimit() % 2], x * 2)
        return x

    function, values = ms.jit(step), [1.0, 1.0]
    for i in range(12):
        turn(i % 2)
        function(Tensor(float(i)))
        values[i % 2] = 2.0 * i
        assert [float(p) for p in both] == values


@pytest.mark.parametrize("kind", [Tensor, lambda x: Parameter(x, name="held")], ids=["Tensors", "Parameters"])
def test_two_runs_that_meet_different_tensors_are_told_apart(turn, kind):
    both = kind([1.0]), kind([2.0])
    function = ms.jit(lambda x: x * both[sys.getrecursionlimit() % 2])
    for i in range(12):
        turn(i % 2)
        assert float(function(Tensor([3.0]))[0]) == (6 if i % 2 else 3)


def test_a_clock_is_read_anew_in_each_call():
    function = ms.jit(lambda x: x * (time.perf_counter_ns() % 2**20))
    found = {float(function(Tensor([1.0]))[0]) for _ in range(20)}
    assert len(found) > 10 and "perf_counter_ns" in function.recorded.reason


def test_a_function_that_is_left_alone_keeps_no_recording():
    function = ms.jit(lambda x: x * time.perf_counter())
    for i in range(30):
        function(Tensor(np.ones(i % 3 + 1, np.float32)))
    recorded = function.recorded
    assert recorded.reason and not recorded._replays and not recorded._first and recorded._around is None


def test_what_waits_for_a_second_run_goes_when_another_kind_of_input_is_refused():
    function = ms.jit(lambda x: x * 2 if x.size == 1 else object())
    function(Tensor([1.0]))
    assert function.recorded._first
    function(X)
    assert "returns an object" in function.recorded.reason and not function.recorded._first


@pytest.mark.parametrize("kind", [nn.SequentialCell, type("Chain", (nn.SequentialCell,), {})])
def test_the_children_that_a_container_runs_are_changed_in_its_list(kind):
    layers = kind(nn.ReLU(), nn.Softmax(), nn.Tanh())
    check(lambda x: layers(x), lambda: layers.cell_list.reverse())


def test_a_list_of_a_layer_of_this_package_is_changed():
    layer = nn.ReLU()
    layer.factors = [2.0]
    check(lambda x: layer(x) * layer.factors[0], lambda: layer.factors.__setitem__(0, 3.0))


def test_an_attribute_of_a_cell_is_deleted():
    layer = nn.ReLU()
    layer.flag = True
    check(lambda x: layer(x) * (2.0 if hasattr(layer, "flag") else 3.0), lambda: delattr(layer, "flag"))


def test_a_name_that_comes_into_an_attribute_table_is_seen():
    def holder():
        return None

    check(lambda x: x * holder.__dict__.get("k", 2.0), lambda: setattr(holder, "k", 3.0))


def test_a_constant_name_is_a_name_like_any_other():
    """What else the objects hold, here an iterator, is not asked for."""
    holder = types.SimpleNamespace(k=2.0, source=iter(()))
    check(lambda x: x * (getattr(holder, "k") if hasattr(holder, "k") else 1.0), lambda: setattr(holder, "k", 3.0))  # noqa: B009
    function = ms.jit(lambda x, name: x * getattr(holder, name))
    function(X, "k")
    assert "cannot be seen" in function.recorded.reason


def test_an_attribute_that_nothing_else_counts_is_deleted_from_a_cell():
    """What was recorded follows from the count of changes alone: code asks for the attribute by no name of its own."""
    layer, count = nn.ReLU(), changes
    layer.flag = True
    before = count.count
    del layer.flag
    assert count.count > before


def test_what_a_function_only_writes_is_written_at_every_call():
    """No value of it is read: a replay would leave it as it was."""
    holder = types.SimpleNamespace()

    def of_object(x):
        holder.last = x * 2
        return x

    def of_module(x):
        global _written
        _written = x * 2
        return x

    for function, written in ((of_object, lambda: holder.last), (of_module, lambda: _written)):
        replayed = ms.jit(function)
        for i in range(12):
            replayed(Tensor(float(i)))
            assert float(written()) == 2 * i
        assert "changes from call to call" in replayed.recorded.reason


REACHED = {
    "by its name": lambda net: net.dense.weight.scale,
    "among all": lambda net: next(p for p in net.trainable_params() if "weight" in p.name).scale,
    "in a list": lambda net: net.listed[0].scale,
    "by the layer's table": lambda net: net.dense._params["weight"].scale,
    "by its form": lambda net: float(net.dense.weight.shape[0]),
}


@pytest.mark.parametrize("reach", REACHED.values(), ids=REACHED)
def test_a_layers_parameter_is_followed_where_code_reaches_it(reach):
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 3)
            self.dense.weight.scale = 3.0
            self.listed = [self.dense.weight]

        def construct(self, x):
            return x * reach(self)

    net = Scaled()

    def change():
        net.dense.weight.scale = 2.0
        net.dense.weight.set_data(ops.ones((2, 3)), slice_shape=True)

    check(net, change)
