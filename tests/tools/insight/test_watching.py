"""Watching: each skipped step is explained, a stuck run is told of, and no number changes."""

import logging

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import watch

X = ms.Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
Y = ops.zeros((2, 4))
NAN = ms.Tensor(np.full((2, 4), np.nan, np.float32))


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)


def step_of(scale=8.0, level="O2"):
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5), nn.Dense(4, 4))
    for p in net.get_parameters():
        p.set_data(ms.Tensor(np.linspace(-0.5, 0.5, p.size, dtype=np.float32).reshape(p.shape)))
    manager = ms.amp.DynamicLossScaleManager(scale, 2, 3)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    return ms.build_train_network(net, optimizer, nn.MSELoss(), level=level, loss_scale_manager=manager)


def run(step):
    """The losses and scales of steps of which some are skipped, and the state after them."""
    ms.set_seed(7)
    found = [[y.asnumpy().tobytes() for y in step(x, Y)] for x in (X, NAN, X, X, X)]
    return found, [p.asnumpy().tobytes() for p in step.get_parameters()]


@pytest.mark.parametrize(("level", "mode"), [("O1", ms.PYNATIVE_MODE), ("O2", ms.GRAPH_MODE), ("O3", ms.PYNATIVE_MODE)])
def test_all_numbers_are_the_same_with_a_watch_and_without(level, mode):
    ms.set_context(mode=mode)
    expected, watched = run(step_of(2.0**20, level)), step_of(2.0**20, level)
    with watch(watched) as seen:
        assert run(watched) == expected
    assert seen.steps == 5
    assert {s.verdict.kind for s in seen.skipped} == {"scale", "data"}


def test_each_skipped_step_is_explained_with_its_number():
    step = step_of()
    with watch(step) as seen:
        for x in (X, NAN, NAN, X, NAN):
            step(x, Y)
    assert [(s.number, s.since, s.verdict.given) for s in seen.skipped] == [
        (2, 2, "inputs[0]"),
        (3, 2, "inputs[0]"),
        (5, 5, "inputs[0]"),
    ]
    assert str(seen.skipped[1]).endswith("All steps since step 2 were skipped.")
    of_all = f"Steps 2, 3 and 5 were skipped: {seen.skipped[0].verdict}"
    assert str(seen).splitlines() == ["5 steps, 3 skipped; loss scale 8 to 2.", of_all]
    step(NAN, Y)
    assert seen.steps == 5


def test_the_scale_is_the_one_that_the_step_used():
    step = step_of(2.0**40)
    with watch(step) as seen:
        for _ in range(3):
            step(X, Y)
    assert [s.verdict.loss_scale for s in seen.skipped] == [2.0**40, 2.0**39, 2.0**38]
    assert not seen.stuck


@pytest.mark.parametrize(("scale", "patience", "after"), [(2.0**10, 4, 4), (4.0, 9, 3), (1.0, 9, 1)])
def test_a_run_that_no_scale_helps_is_told_of_once(scale, patience, after, caplog):
    step = step_of(scale)
    weight = next(p for p in step.get_parameters() if p.name == "3.weight")
    with caplog.at_level(logging.WARNING, "minispore"), watch(step, patience) as seen:
        step(X, Y)
        weight.set_data(ms.Tensor(np.full((4, 4), np.nan, np.float32)))
        for skipped in range(1, 6):
            step(X, Y)
            assert seen.stuck == (skipped >= after)
    assert seen.skipped[-1].since == 2 and seen.skipped[-1].verdict.given == "3.weight"
    assert sum("The run is stuck" in message for message in caplog.messages) == 1
    assert sum("was skipped" in message for message in caplog.messages) == 4


def test_a_step_that_is_finite_again_ends_being_stuck():
    step = step_of()
    with watch(step, 1) as seen:
        step(NAN, Y)
        assert seen.stuck
        step(X, Y)
        assert not seen.stuck


def test_a_watch_of_no_step_and_a_stuck_one_say_so():
    step = step_of(1.0)
    with watch(step) as seen:
        assert str(seen) == "0 steps, 0 skipped."
        step(NAN, Y)
    stuck = "The run is stuck: no smaller loss scale helps."
    assert str(seen).splitlines()[0] == f"1 step, 1 skipped; loss scale 1. {stuck}"


def test_a_wrong_patience_is_refused():
    with pytest.raises(ValueError, match="the 'patience' must be"):
        watch(step_of(), 0)


def test_the_name_of_before_is_still_there_with_a_warning():
    with pytest.warns(DeprecationWarning, match="now called NotFiniteStep"):
        assert ms.insight.SkippedStep is ms.insight.NotFiniteStep
