"""The rule of a loss scale is merged into the operation that finds the overflow, where no number may change."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, amp, nn
from minispore.core import context
from minispore.core.tensor import wrap
from minispore.graph.mode import recordings_of
from minispore.graph.one_launch import with_scale_rules_merged
from minispore.graph.recorder import Recorder
from minispore.graph.replay import Replay
from minispore.ops.operations.loss_scale import AdvanceLossScale, Unscale
from minispore.ops.operations.overflow_status import AllFinite

UNSCALE, ADVANCE, FINITE = Unscale(), AdvanceLossScale(2.0, 3), AllFinite()


class State:
    """A loss scale of shape (), or (1,) as an update cell takes it, its steps, and gradients."""

    def __init__(self, shape=(), steps=5):
        self.scale = Parameter(np.full(shape, 1024, np.float32), name="scale")
        self.step, self.last = (Parameter(np.array(n, np.int32), name=f"n{n}") for n in (steps, 2))
        self.x, self.y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full(4, 512, np.float16))

    def unscaled(self, scale=None):
        scale = self.scale if scale is None else scale
        return UNSCALE(scale.reshape(()).astype(ms.float32), self.x, self.y)

    def advanced(self, overflow):
        ADVANCE(self.scale, self.step, self.last, overflow)
        return self.scale.value(), self.step.value(), self.last.value()


def plain(state):
    *out, overflow = state.unscaled()
    return *out, overflow, *state.advanced(overflow)


def by_another_check(state):
    *out, _ = state.unscaled()
    return *out, *state.advanced(FINITE(*out).logical_not())


def by_another_scale(state):
    *out, overflow = state.unscaled(Tensor([2.0]))
    return *out, *state.advanced(overflow)


def rounded(state):
    *out, overflow = state.unscaled(state.scale.astype(ms.float16))
    return *out, *state.advanced(overflow)


def counted_late(state):
    *out, overflow = state.unscaled()
    ms.ops.assign_add(state.step, Tensor(1, ms.int32))
    return *out, *state.advanced(overflow)


def recorded(function, state):
    before = [(p, p.array) for p in (state.scale, state.step, state.last)]
    with Recorder([]) as recorder:
        recording = recorder.finished(function(state))
    for p, array in before:
        p.set_data(wrap(array))
    return recording


def names(recording):
    return [step.primitive.name for step in recording.steps]


@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("steps", [3, 5])
@pytest.mark.parametrize("overflows", [False, True])
def test_the_two_operations_become_one_with_the_same_bits(shape, steps, overflows):
    state = State(shape, steps)
    if overflows:
        state.x = Tensor(np.array([[1, np.inf, 0]], np.float32))
    runs = [recorded(plain, state) for _ in range(2)]
    merged = [with_scale_rules_merged(run) for run in runs]
    assert "UnscaleAndAdvance" in names(merged[0])
    assert not {"Unscale", "AdvanceLossScale"} & {*names(merged[0])}
    bits = []
    for first, second in (runs, merged):
        state.scale.set_data(Tensor(np.full(shape, 64, np.float32)))
        state.step.set_data(Tensor(steps, ms.int32))
        state.last.set_data(Tensor(2, ms.int32))
        found = [*Replay(first, second)([]), state.scale, state.step, state.last]
        bits.append([(t.dtype, t.shape, t.asnumpy().tobytes()) for t in found])
    assert bits[0] == bits[1]


@pytest.mark.parametrize("function", [by_another_check, by_another_scale, rounded, counted_late])
def test_what_takes_another_scale_another_overflow_or_later_steps_stays_as_it_is(function):
    recording = recorded(function, State())
    assert names(with_scale_rules_merged(recording)) == names(recording)
    assert {"Unscale", "AdvanceLossScale"} <= {*names(recording)}


class OwnCheck(nn.TrainOneStepWithLossScaleCell):
    def get_overflow_status(self, status, compute_output):
        return super().get_overflow_status(status, tuple(compute_output))


@pytest.mark.parametrize("kind", [nn.TrainOneStepWithLossScaleCell, OwnCheck])
@pytest.mark.usefixtures("on_cupy", "restored")
def test_a_captured_step_has_them_as_one_unless_the_user_checks_otherwise(kind):
    ms.set_seed(0)
    context.set_context(mode=ms.GRAPH_MODE)
    net = nn.WithLossCell(amp.auto_mixed_precision(nn.Dense(3, 2), "O2"), nn.MSELoss())
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = kind(net, optimizer, nn.DynamicLossScaleUpdateCell(1024, 2, 3)).set_train()
    for _ in range(5):
        step(ms.ops.ones((4, 3)), ms.ops.zeros((4, 2)))
    sources = [text for found in recordings_of(step).values() for text in found.sources]
    assert any("AdvanceLossScale" in text or "UnscaleAndAdvance" in text for text in sources)
    assert any("UnscaleAndAdvance" in text for text in sources) == (kind is nn.TrainOneStepWithLossScaleCell)
