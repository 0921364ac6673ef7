"""Reruns: an error in one reaches nobody, a step begins in each as it did, and they are few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.planted_faults import Between, Own, X, Y, mean_as_sum, plain, scaled

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow, watch

INPUTS = ms.Tensor(X), ms.Tensor(Y)


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(3)


class Counted(nn.Cell):
    """Counts its calls, and raises where a condition of its input holds."""

    def __init__(self, network, refuses=lambda x: False, error=ValueError):
        super().__init__()
        self.network, self.refuses, self.error, self.calls = network, refuses, error, [0]

    def construct(self, x):
        self.calls[0] += 1
        if self.refuses(x):
            raise self.error("not so")
        return self.network(x)


class Deep(nn.Cell):
    """Layers that hand numbers beyond float16 on to one another."""

    def __init__(self, depth, begin):
        super().__init__()
        self.layers = nn.SequentialCell([nn.Dense(6, 6, weight_init="ones") for _ in range(depth)])
        self.factors = [3e4 if number == begin else 1 / 6 for number in range(depth)]

    def construct(self, x):
        for layer, factor in zip(self.layers, self.factors, strict=True):
            x = layer(x) * factor
        return x * 1e-5


def outcome(step, rows):
    """What steps return, and the state after them, bit for bit."""
    ms.set_seed(7)
    found = [step(*row) for row in rows]
    found = [y if isinstance(y, tuple) else (y,) for y in found]
    return [[x.asnumpy().tobytes() for x in y] for y in found], [p.asnumpy().tobytes() for p in step.get_parameters()]


def run(make, watched, rows=((*INPUTS,),) * 3):
    """The outcome of a training, and its watch, or None."""
    ms.set_seed(3)
    step = make()
    if not watched:
        return outcome(step, rows), None
    with watch(step) as seen:
        return outcome(step, rows), seen


@pytest.mark.parametrize("level", ["O2", "O3"])
@pytest.mark.parametrize(
    ("what", "refuses"),
    [
        ("the type", lambda x: x.dtype != ms.float16),
        ("numbers that are not finite", lambda x: not np.isfinite(x.asnumpy()).all()),
    ],
)
@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError, KeyError, ZeroDivisionError, AssertionError])
def test_a_network_that_raises_where_it_is_run_again_trains_as_without_a_watch(what, refuses, level, error):
    def make():
        return scaled(nn.SequentialCell(nn.Dense(6, 6), Counted(Between(mean_as_sum), refuses, error)), level)

    expected, (found, seen) = run(make, False)[0], run(make, True)
    assert found == expected and len(seen.skipped) == 3
    assert seen.skipped[0].verdict.kind == "forward"


def test_a_gradient_of_ones_own_that_takes_no_float32_trains_as_without_a_watch():
    def make():
        return scaled(nn.SequentialCell(nn.Dense(6, 6), Own(), nn.Dense(6, 6)))

    expected, (found, seen) = run(make, False)[0], run(make, True)
    assert found == expected and [s.verdict.differentiated for s in seen.skipped] == ["Own"] * 3


def test_a_step_that_cannot_run_again_is_told_of():
    rows = iter([True, False, False, False])

    def make():
        return scaled(Counted(Between(mean_as_sum), lambda x: not next(rows), OSError))

    step = make()
    with watch(step) as seen:
        step(*INPUTS)
    assert seen.skipped[0].verdict is None and seen.skipped[0].error == "OSError: not so"
    assert str(seen.skipped[0]) == "Step 1 was skipped: it cannot run again: OSError: not so"


def test_explaining_a_step_that_raises_raises_what_it_raises():
    step = scaled(Counted(nn.Dense(6, 6), lambda x: True, OSError))
    with pytest.raises(OSError, match="not so"):
        explain_overflow(step, *INPUTS)


# A step that is applied begins again as it began


def dropping(rule, optimizer=nn.Adam):
    """A step without a loss scale, whose network draws."""

    def make():
        net = nn.SequentialCell(nn.Dense(6, 6), nn.BatchNorm1d(6), nn.Dropout(p=0.5), Between(rule))
        return plain(net, optimizer(net.trainable_params())).set_train()

    return make


@given(
    mode=st.sampled_from([ms.PYNATIVE_MODE, ms.GRAPH_MODE]),
    optimizer=st.sampled_from([nn.Adam, nn.Momentum, nn.SGD]),
    bad=st.lists(st.booleans(), min_size=1, max_size=5),
)
def test_a_training_without_a_loss_scale_has_the_same_bits_with_a_watch(mode, optimizer, bad):
    ms.set_context(mode=mode)
    optimizer = (lambda p: nn.Momentum(p, 0.1, 0.9)) if optimizer is nn.Momentum else optimizer
    rows = [(ms.Tensor(np.where(b, np.inf, X).astype(np.float32)), INPUTS[1]) for b in bad]
    make = dropping(ops.tanh, optimizer)
    expected, (found, seen) = run(make, False, rows)[0], run(make, True, rows)
    assert found == expected and seen.steps == len(rows)
    assert len(seen.not_finite) == (len(bad) - bad.index(True) if True in bad else 0)
    if seen.not_finite:
        first = seen.not_finite[0]
        assert first.number == bad.index(True) + 1 and not first.skipped
        assert (first.verdict.kind, first.verdict.given) == ("data", "inputs[0]")


def test_a_parameter_that_an_optimizer_made_nan_is_told_of_in_that_step():
    step = plain(Between(ops.relu), None)
    net = step.network
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), eps=1e-60))
    with watch(step) as seen:
        for _ in range(5):
            step(ms.Tensor(X * 0), INPUTS[1])
    first, second = seen.not_finite[:2]
    assert (first.number, first.found, first.verdict.kind) == (1, "parameters", "update")
    assert (second.number, second.found, second.verdict.kind) == (2, "loss", "parameter")
    assert seen.stuck and seen.skipped == [] and "The run is stuck: it stays so." in str(seen)
    assert "Steps 2 to 5 have a loss that is not finite: before.weight is not finite" in str(seen)


# How many there are


@pytest.mark.parametrize(("depth", "most"), [(4, 16), (12, 22), (40, 28)])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_the_runs_of_a_verdict_grow_with_the_logarithm_of_the_cells(depth, most, share):
    net = Counted(Deep(depth, int(depth * share)))
    step = scaled(net, scale=4.0)
    verdict = explain_overflow(step, *INPUTS)
    assert verdict.kind == "forward" and verdict.remedy is not None
    assert net.calls[0] <= most
    exec(verdict.remedy, {"step": step, "ms": ms})
    assert explain_overflow(step, *INPUTS) is None


def test_a_stuck_run_is_explained_once_and_then_counted():
    net = Counted(Deep(12, 0))
    step = scaled(net, scale=4.0)
    with watch(step) as seen:
        step(*INPUTS)
        first = net.calls[0]
        for _ in range(29):
            step(*INPUTS)
    assert (
        len(seen.skipped) == 30 and net.calls[0] == first + 29 + 2
    )  # one run for each of the next two, which are alike
    assert len(str(seen).splitlines()) == 2 and "Steps 1 to 30 were skipped: " in str(seen)
