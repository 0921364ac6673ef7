"""Guards of further arguments, of the rules of primitives and of functions in modules that do not change themselves."""

import math

import numpy as np
import pytest

import minispore as ms
from minispore.graph.guards import Guards
from minispore.graph.visible_state import is_special


class Held:
    """An object with a number."""

    def __init__(self, number):
        self.number = number


def reads(held):
    return held.number


def test_an_argument_that_is_guarded_already_keeps_its_first_state():
    held = Held(1)
    guards = Guards(reads, [held])
    held.number = 2
    guards.add([held, 3, None])
    assert guards.changed()


def test_a_further_argument_is_guarded_too():
    first, further = Held(1), Held(1)
    guards = Guards(reads, [first])
    further.number = 2
    assert not guards.changed()
    guards.add([further])
    assert not guards.changed()
    further.number = 3
    assert guards.changed()


def replayed(function, *calls):
    """A jitted function after three calls of each kind, the last of which are replays."""
    jitted = ms.jit(function)
    for call in calls:
        for _ in range(3):
            jitted(*call)
    assert jitted.recorded.reason is None and len(jitted.recorded.sources) == len(calls)
    return jitted


def times(x, held):
    return x * held.number


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_each_object_that_calls_were_given_is_guarded(changed):
    held, x = [Held(2.0), Held(3.0), Held(4.0)], ms.Tensor(1.0)
    function = replayed(times, *[(x, each) for each in held])
    held[changed].number = 7.0
    assert [float(function(x, each)) for each in held] == [7.0 if i == changed else 2.0 + i for i in range(3)]


class Alike(Held):
    """Objects that all look the same."""

    def __repr__(self):
        return "alike"


def test_objects_of_one_appearance_are_told_apart():
    x, first, second = ms.Tensor(1.0), Alike(2.0), Alike(3.0)
    function = replayed(times, (x, first))
    assert float(function(x, second)) == 3.0 and float(function(x, first)) == 2.0


def test_numpy_scalars_are_told_apart_by_kind_and_value_and_equal_ones_are_one():
    def divided(x, number):
        return x / float(number)

    x, kinds = ms.Tensor(1.0), [np.float32(2), np.float64(2), np.float32(0.0), np.float32(-0.0), np.int8(2)]
    function = replayed(divided, *[(x, number) for number in kinds])
    for number, expected in zip(kinds, (0.5, 0.5, np.inf, -np.inf, 0.5), strict=True):
        assert float(function(x, type(number)(number))) == expected
    assert len(function.recorded.sources) == len(kinds)


SLOPE = 2.0


class Sloped(ms.ops.Primitive):
    """The input, with a gradient of one's own that reads a global."""

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x.copy()

    def bprop(self, x, out, dout):
        return (dout * SLOPE,)


def test_the_rules_of_a_users_primitive_are_guarded(monkeypatch):
    sloped = Sloped("Sloped")
    function, x = ms.jit(ms.grad(lambda x: sloped(x) * 3)), ms.Tensor(1.0)
    assert [float(function(x)) for _ in range(4)] == [6.0] * 4
    monkeypatch.setitem(globals(), "SLOPE", 5.0)
    assert float(function(x)) == 15.0


def by_slope(x):
    return x * SLOPE


@pytest.mark.parametrize("module", [math, ms.ops, np], ids=lambda module: module.__name__)
def test_a_function_of_the_users_in_a_module_of_this_package_or_python_is_guarded(monkeypatch, module):
    monkeypatch.setattr(module, "by_slope", by_slope, raising=False)
    function, x = replayed(lambda x: module.by_slope(x), (ms.Tensor(1.0),)), ms.Tensor(1.0)
    assert float(function(x)) == 2.0
    monkeypatch.setitem(globals(), "SLOPE", 5.0)
    assert float(function(x)) == 5.0


@pytest.mark.parametrize(
    ("name", "special"), [("__add__", True), ("__add", False), ("add__", False), ("add", False), ("_add_", False)]
)
def test_special_methods_have_two_underscores_before_and_behind(name, special):
    assert is_special(name) == special
