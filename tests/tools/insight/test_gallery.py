"""The gallery: each fault in networks of many kinds, with the verdict that names what was planted.

The default profile plants each fault in one kind of network, ``deep`` in all.
"""

import os
from itertools import product

import numpy as np
import pytest
from support.overflow_faults import FURTHER, RULES, Body, Fault, X, Y, explained, line_of, overflows, step_of

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
FAULTS = {**RULES, **FURTHER}


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(3)


class Listed(nn.Cell):
    """The fault is the third cell of a list."""

    def __init__(self, rule):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(4, 4), nn.Tanh(), Fault(rule), nn.Dense(4, 4)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Looped(nn.Cell):
    """The fault is called again and again."""

    def __init__(self, rule):
        super().__init__()
        self.before, self.fault = nn.Dense(4, 4), Fault(rule)

    def construct(self, x):
        x = self.before(x)
        for _ in range(2):
            x = x + self.fault(x)
        return x


class Recurrent(nn.Cell):
    """The fault comes after each step of an LSTM."""

    def __init__(self, rule):
        super().__init__()
        self.lstm, self.fault, self.head = nn.LSTMCell(4, 4), Fault(rule), nn.Dense(4, 4)

    def construct(self, x):
        state = x * 0, x * 0
        for _ in range(3):
            state = self.lstm(x, state)
            x = self.fault(state[0]) * 0.1 + x
        return self.head(x)


def rewritten(rule):
    """The fault in a network that is rewritten as O1 is, with the fault's class on the white list."""
    net = ms.amp.custom_mixed_precision(Body(rule), white_list=[Fault, nn.Dense])
    net = nn.WithLossCell(net, nn.MSELoss())
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(8.0, ms.float32))


def replayed(rule):
    """The fault in graph mode, after the recording is replayed."""
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Body(rule))
    for _ in range(3):
        assert overflows(step, X, Y)
    return step


def on_ascend(rule):
    ms.set_context(device_target="Ascend")
    return step_of(Body(rule))


def accumulated(rule):
    """The fault in each part of a batch."""
    net = nn.WithLossCell(ms.amp.auto_mixed_precision(Body(rule), "O3"), nn.MSELoss())
    scale = nn.DynamicLossScaleUpdateCell(8, 2, 100)
    net = nn.GradAccumulationCell(net, 1)
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)


NETWORKS = {  # the step of a fault, and the path of its cell
    "O2": (lambda rule: step_of(Body(rule), "O2"), "network._backbone.fault"),
    "O3": (lambda rule: step_of(Body(rule)), "network._backbone.fault"),
    "list": (lambda rule: step_of(Listed(rule)), "network._backbone.layers.2"),
    "loop": (lambda rule: step_of(Looped(rule)), "network._backbone.fault"),
    "LSTM": (lambda rule: step_of(Recurrent(rule), "O2"), "network._backbone.fault"),
    "rewritten": (rewritten, "network._backbone.fault"),
    "graph": (replayed, "network._backbone.fault"),
    "Ascend": (on_ascend, "network._backbone.fault"),
    "accumulated": (accumulated, "network.network._backbone._backbone.fault"),
}
ALL = list(product(FAULTS, NETWORKS))
SHARE = ALL if DEEP else [(rule, list(NETWORKS)[n % len(NETWORKS)]) for n, rule in enumerate(FURTHER)]


@pytest.mark.parametrize(("rule", "network"), SHARE, ids=lambda part: getattr(part, "__name__", part))
def test_the_verdict_names_the_fault_in_every_network(rule, network):
    (operation, phase, kind), (make, cell) = FAULTS[rule], NETWORKS[network]
    verdict = explained(make(rule), X, Y)
    assert (verdict.operation, verdict.phase, verdict.kind) == (operation, phase, kind)
    assert (verdict.cell, verdict.where) == (cell, line_of(rule))
    assert (verdict.remedy is None) == (kind == "invalid")


@pytest.mark.parametrize("network", NETWORKS if DEEP else ["list", "graph"])
def test_each_scale_that_is_too_high_is_told_from_the_greatest_that_works(network):
    step = NETWORKS[network][0](exponential_of_small_numbers) if network != "graph" else replayed_finite()
    inputs = ms.Tensor(X), ms.Tensor(Y)
    greatest = explain_overflow(step, *inputs, scale=2.0**60).scale
    assert explain_overflow(step, *inputs, scale=greatest) is None
    for excess in range(1, 21) if DEEP else (1, 20):
        verdict = explain_overflow(step, *inputs, scale=greatest * 2.0**excess)
        assert (verdict.kind, verdict.phase, verdict.scale) == ("scale", "backward", greatest)
        assert verdict.loss_scale == greatest * 2.0**excess
    ops.assign(step.scale_sense, ms.ops.full_like(step.scale_sense, greatest * 2))
    assert overflows(step, X, Y)
    exec(verdict.remedy, {"step": step, "ms": ms})
    assert not overflows(step, X, Y)


def exponential_of_small_numbers(x):
    return ops.exp(x * 0.1)


def replayed_finite():
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of(Body(exponential_of_small_numbers))
    for _ in range(3):
        assert not overflows(step, X, Y)
    return step


@pytest.mark.parametrize("network", NETWORKS if DEEP else ["loop", "rewritten", "Ascend"])
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_a_bad_number_in_the_data_is_told_of_in_every_network(network, value):
    step = replayed_finite() if network == "graph" else NETWORKS[network][0](exponential_of_small_numbers)
    x = X.copy()
    x[1, 2] = value
    verdict = explained(step, x, Y)
    assert (verdict.kind, verdict.given) == ("data", "inputs[0]")


@pytest.mark.parametrize("network", NETWORKS if DEEP else ["list", "LSTM", "graph"])
def test_a_poisoned_parameter_is_told_of_in_every_network(network):
    step = replayed_finite() if network == "graph" else NETWORKS[network][0](exponential_of_small_numbers)
    poisoned = [p for p in step.network.trainable_params() if p.ndim == 2][-1]
    value = poisoned.asnumpy().copy()
    value[0, 1] = np.inf
    poisoned.set_data(ms.Tensor(value))
    verdict = explained(step, X, Y)
    assert (verdict.kind, verdict.given) == ("parameter", poisoned.name)


# What the code casts itself


class Casting(nn.Cell):
    """Its code casts to a narrow type what that has no numbers for, or numbers that overflow after it."""

    def __init__(self, kept=False, large=1e5, dtype=ms.float16):
        super().__init__()
        self.before, self.after, self.kept, self.large, self.dtype = nn.Dense(4, 4), nn.Dense(4, 4), kept, large, dtype

    def construct(self, x):
        wide = self.before(x) * 0 + self.large
        narrow = wide if self.kept else wide.astype(self.dtype)  # FAULT
        return self.after(narrow.astype(ms.float32) * (1 / self.large))


@pytest.mark.parametrize("level", ["O0", "O1", "O2"])
def test_a_cast_in_the_users_code_that_overflows_is_named_and_without_it_the_step_is_finite(level):
    verdict = explain_overflow(step_of(Casting(), level), ms.Tensor(X), ms.Tensor(Y))
    assert (verdict.operation, verdict.kind) == ("Cast" if level != "O2" else "Add", "forward")
    assert verdict.casts == (line_of(Casting.construct),)
    assert "No cell in float32 helps alone: the step is finite without the narrowing cast at " in str(verdict)
    mended = step_of(Casting(kept=True), level)
    if verdict.remedy is not None:
        exec(verdict.remedy, {"step": mended, "ms": ms})
    assert not overflows(mended, X, Y)


def test_a_cast_to_bfloat16_that_overflows_is_not_told_of_as_one_to_float16():
    verdict = explain_overflow(step_of(Casting(large=3.4e38, dtype=ms.bfloat16), "O0"), ms.Tensor(X), ms.Tensor(Y))
    assert verdict.casts == (line_of(Casting.construct),) and "float16" not in str(verdict)


class Product(nn.Cell):
    """O1 casts to float16 what a listed primitive is given, which is too large for it."""

    def __init__(self):
        super().__init__()
        self.before, self.matmul, self.large = nn.Dense(4, 4), ops.MatMul(), 1e5

    def construct(self, x):
        y = self.before(x)
        z = y * 0 + self.large
        return self.matmul(z, y.T) @ x * 1e-6


def test_a_cast_of_the_white_list_is_named_as_such():
    verdict = explain_overflow(step_of(Product(), "O1"), ms.Tensor(X), ms.Tensor(Y))
    assert (verdict.operation, verdict.kind, verdict.cell) == ("CastFloats", "forward", "network._backbone")
    assert verdict.casts == (f"{verdict.where} (of the white list)",)


class Halved(nn.Cell):
    """Its code casts to float16 what overflows only in the next operation."""

    def __init__(self):
        super().__init__()
        self.before, self.after = nn.Dense(4, 4), nn.Dense(4, 4)

    def construct(self, x):
        narrow = (self.before(x) * 0 + 12).astype(ms.float16)
        return self.after(ops.exp(narrow).astype(ms.float32) * 1e-5)  # FAULT


@pytest.mark.parametrize("level", ["O0", "O1", "O3"])
def test_an_operation_on_what_the_users_code_casts_computes_in_float32_in_a_flagged_cell(level):
    verdict = explained(step_of(Halved(), level), X, Y)
    assert (verdict.operation, verdict.kind, verdict.where) == ("Exp", "forward", line_of(Halved.construct))
    assert verdict.remedy == "step.network._backbone.add_flags(fp32=True)" and verdict.casts == ()


class Normalized(nn.Cell):
    """A normalization of the black list gives what float16 has no numbers for."""

    def __init__(self):
        super().__init__()
        self.before, self.norm, self.after = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.Dense(4, 4)
        self.norm.gamma.set_data(ms.ops.full_like(self.norm.gamma, 1e6))

    def construct(self, x):
        return self.after(self.norm(self.before(x)) * 1e-6)  # FAULT


def test_what_is_around_a_cell_of_the_black_list_is_taken_away_where_it_overflows():
    step = step_of(Normalized(), "O2")
    names = [p.name for p in step.get_parameters()]
    verdict = explained(step, X, Y)
    assert (verdict.operation, verdict.cell, verdict.cell_class) == ("Cast", "network._backbone.norm", "_OutputTo16")
    assert "step.network._backbone.norm = step.network._backbone.norm._backbone" in verdict.remedy.splitlines()
    assert [p.name for p in step.get_parameters()] == names
