"""A run whose steps are all skipped says so once, by the step itself, and names the function that explains it."""

import copy
import logging
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.amp.loss_scale.rule import LossScale

pytestmark = pytest.mark.usefixtures("restored")
GOOD, BAD = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full((2, 3), np.nan, np.float32))


class Told(logging.Handler):
    """The messages about hopeless skips while it is entered."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        if "explain_overflow" in record.getMessage():
            self.messages.append(record.getMessage())

    def __enter__(self):
        logging.getLogger("minispore").addHandler(self)
        return self

    def __exit__(self, *error):
        logging.getLogger("minispore").removeHandler(self)


class Sum(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)

    def construct(self, x):
        return self.dense(x).sum()


def step_of(scale, kind=nn.TrainOneStepWithLossScaleCell, net=None):
    net = Sum() if net is None else net
    return kind(net, nn.SGD(net.trainable_params(), 0.0), scale).set_train()


def first_hopeless(skips, state, shrinks):
    """The number of the first step at which a warning is due, by the rule of the loss scale; None if none is."""
    row = 0
    for number, skipped in enumerate(skips, 1):
        row = row + 1 if skipped else 0
        if skipped and (state.scale <= 1 or row == 20):
            return number
        state = state.after(not skipped) if shrinks else state
    return None


RUNS = st.lists(st.tuples(st.booleans(), st.integers(1, 24)), min_size=1, max_size=5)


@given(
    runs=RUNS,
    power=st.sampled_from([0, 1, 2, 5, 19, 30]),
    factor=st.sampled_from([2, 4, 1000]),
    window=st.integers(1, 4),
    kind=st.sampled_from(["dynamic", "fixed", "tensor"]),
    mode=st.sampled_from([ms.PYNATIVE_MODE, ms.GRAPH_MODE]),
)
def test_a_drawn_run_is_told_of_once_at_the_first_hopeless_skip(runs, power, factor, window, kind, mode):
    ms.set_context(mode=mode)
    scales = {
        "dynamic": nn.DynamicLossScaleUpdateCell(2**power, factor, window),
        "fixed": nn.FixedLossScaleUpdateCell(2.0**power),
        "tensor": Tensor(2.0**power, ms.float32),
    }
    step, skips = step_of(scales[kind]), [skipped for skipped, count in runs for _ in range(count)]
    expected = first_hopeless(skips, LossScale(2.0**power, factor, window), kind == "dynamic")
    with Told() as told:
        after = [step(BAD if skipped else GOOD) and len(told.messages) for skipped in skips]
    assert after == [int(expected is not None and number >= expected) for number in range(1, len(skips) + 1)]


class OwnStep(nn.TrainOneStepWithLossScaleCell):
    """A step as MindSpore's models write their own."""

    def construct(self, x):
        loss, scale = self.network(x), self.scale_sense.value()
        status, scale = self.start_overflow_check(loss, scale)
        gradients = self.grad(self.network, self.weights)(x, scale)
        gradients = self.hyper_map(lambda g: g / scale, gradients)
        overflow = self.process_loss_scale(self.get_overflow_status(status, gradients))
        if not overflow:
            self.optimizer(gradients)
        return loss, overflow, scale


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            lambda: step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100), OwnStep), marks=pytest.mark.needs("dropin")
        ),
        pytest.param(
            lambda: step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100), ms.boost.BoostTrainOneStepWithLossScaleCell),
            marks=pytest.mark.needs("training"),
        ),
        lambda: step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100), net=nn.GradAccumulationCell(Sum(), 2)),
        lambda: copy.deepcopy(step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100))),
    ],
    ids=["of one's own", "boosted", "accumulating", "a copy"],
)
def test_steps_of_every_kind_tell(make, mode):
    ms.set_context(mode=mode)
    step = make()
    with Told() as told:
        for _ in range(30):
            step(BAD)
    (message,) = told.messages
    assert "3 in a row" in message
    assert "the loss scale is 1, below which it does not go" in message


@given(runs=RUNS, power=st.sampled_from([0, 1, 2, 5, 19, 30]), factor=st.sampled_from([2, 4]), window=st.integers(1, 4))
def test_a_scaler_of_a_users_own_loop_tells_as_a_step_does(runs, power, factor, window):
    skips = [skipped for skipped, count in runs for _ in range(count)]
    expected = first_hopeless(skips, LossScale(2.0**power, factor, window), True)
    scaler = amp.DynamicLossScaler(2.0**power, factor, window)
    with Told() as told:
        after = [scaler.adjust(Tensor(not skipped)) and len(told.messages) for skipped in skips]
    assert after == [int(expected is not None and number >= expected) for number in range(1, len(skips) + 1)]


def test_a_copy_of_a_scaler_counts_anew():
    scaler = amp.DynamicLossScaler(2.0**30, 2, 100)
    with Told() as told:
        for _ in range(19):
            scaler.adjust(False)
        copy.deepcopy(scaler).adjust(False)
        pickle.loads(pickle.dumps(scaler)).adjust(False)
        assert told.messages == []
        scaler.adjust(False)
    assert len(told.messages) == 1


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_on_cupy_a_run_is_told_of_in_either_mode(on_cupy, mode):
    ms.set_context(mode=mode)
    step, x = step_of(nn.DynamicLossScaleUpdateCell(16, 2, 100)), ops.mul(Tensor(np.ones((2, 3), np.float32)), np.nan)
    with Told() as told:
        for _ in range(40):
            step(x)[0].asnumpy()
    assert len(told.messages) == 1
