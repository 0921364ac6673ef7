"""A run whose steps are all skipped says so once, by the step itself, and names the function that explains it."""

import copy
import logging
import pickle
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, boost, dataset, nn, ops
from minispore.amp.loss_scale import hopeless_skips
from minispore.amp.loss_scale.hopeless_skips import HopelessSkips
from minispore.amp.loss_scale.rule import LossScale
from minispore.devices import transfers
from minispore.tools.insight import explain_overflow, watch

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
        lambda: step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100), OwnStep),
        lambda: step_of(nn.DynamicLossScaleUpdateCell(4, 2, 100), boost.BoostTrainOneStepWithLossScaleCell),
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


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("scale, count", [(16.0, 5), (2.0**24, 20)])
def test_a_model_on_nan_data_tells(mode, scale, count):
    ms.set_context(mode=mode, cpu_loss_scale=True)
    rows = {"x": np.full((8, 3), np.nan, np.float32), "y": np.zeros((8, 2), np.float32)}
    net, manager = nn.Dense(3, 2), amp.DynamicLossScaleManager(scale, 2, 100)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, nn.MSELoss(), optimizer, amp_level="O2", loss_scale_manager=manager)
    with Told() as told:
        model.train(10, dataset.NumpySlicesDataset(rows).batch(2))
    assert len(told.messages) == 1
    assert f"{count} in a row" in told.messages[0]


def test_the_runs_of_an_explanation_are_no_steps():
    step = step_of(nn.DynamicLossScaleUpdateCell(2.0**20, 2, 100))
    with Told() as told, watch(step):
        for _ in range(3):
            step(BAD)
    assert told.messages == []


def hopeless_in_float16():
    """A step whose gradients exceed float16 at every loss scale."""
    net = nn.SequentialCell(Sum(), Loud()).to_float(ms.float16)
    return step_of(nn.DynamicLossScaleUpdateCell(2.0**10, 2, 100), net=net)


class Loud(nn.Cell):
    def construct(self, x):
        return x * 1e4 * 1e4


def test_an_explanation_tries_smaller_scales_and_tells_of_no_skips():
    with Told() as told:
        assert explain_overflow(hopeless_in_float16(), GOOD).kind == "forward"
    assert told.messages == []


@given(runs=RUNS, power=st.sampled_from([0, 1, 2, 5, 19, 30]), factor=st.sampled_from([2, 4]), window=st.integers(1, 4))
def test_a_scaler_of_a_users_own_loop_tells_as_a_step_does(runs, power, factor, window):
    skips = [skipped for skipped, count in runs for _ in range(count)]
    expected = first_hopeless(skips, LossScale(2.0**power, factor, window), True)
    scaler = amp.DynamicLossScaler(2.0**power, factor, window)
    with Told() as told:
        after = [scaler.adjust(Tensor(not skipped)) and len(told.messages) for skipped in skips]
    assert after == [int(expected is not None and number >= expected) for number in range(1, len(skips) + 1)]


def test_a_loop_of_value_and_grad_tells_and_its_explanation_does_not():
    net, scaler = Sum(), amp.DynamicLossScaler(4.0, 2, 100)
    find = ms.value_and_grad(lambda x: scaler.scale(net(x)), None, net.trainable_params())

    def step(x):
        loss, gradients = find(x)
        gradients = scaler.unscale(gradients)
        scaler.adjust(amp.all_finite(gradients))
        return loss, gradients

    with Told() as told:
        assert explain_overflow(step, BAD, network=net, scaler=scaler).kind == "data"
        assert told.messages == []
        for _ in range(9):
            step(BAD)
    (message,) = told.messages
    assert "3 in a row" in message and "the loss scale is 1, below which it does not go" in message


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


class OnDevice:
    """The number that the step just begun computes on a GPU; to read it earlier is an error."""

    def __init__(self, number, gpu):
        self.number, self.gpu, self.place = number, gpu, gpu.begun
        self.size, self.device = 1, SimpleNamespace(id=0)

    def get(self, stream):
        assert stream == "aside" and self.place <= self.gpu.done, "the host waits"
        self.gpu.reads += 1
        return np.asarray(self.number)


class Event:
    """What CuPy records in a stream: done when what was begun before is computed."""

    def __init__(self, gpu):
        self.gpu, self.place = gpu, gpu.begun

    @property
    def done(self):
        return self.place <= self.gpu.done


class Gpu:
    """Events and streams of CuPy, of a GPU that has computed the first ``done`` of the steps that are ``begun``."""

    def __init__(self):
        self.begun = self.done = self.reads = 0
        self.cuda = SimpleNamespace(get_current_stream=lambda: SimpleNamespace(record=lambda: Event(self)))
        self.cuda.Device, self.cuda.Stream = (lambda device: nullcontext()), (lambda non_blocking: "aside")


@pytest.fixture
def gpu(monkeypatch):
    gpu = Gpu()
    backend = SimpleNamespace(is_on_host=lambda array: False, other_memory=transfers, xp=gpu)
    monkeypatch.setattr(hopeless_skips, "backend", backend)
    return gpu


def results(gpu, skipped, scale):
    overflow, used = Tensor(True), Tensor(1.0)
    overflow.array, used.array = OnDevice(skipped, gpu), OnDevice(scale, gpu)
    return None, overflow, used


@pytest.mark.parametrize("lag", [0, 1, 30])
@pytest.mark.parametrize("first, scale, by", [(1, 1.0, 16), (100, 1.0, 112), (1, 8.0, 35), (90, 8.0, 115)])
def test_a_gpu_is_read_late_and_never_waited_for(gpu, lag, first, scale, by):
    hook = HopelessSkips()
    with Told() as told:
        for gpu.begun in range(1, 200):
            gpu.done = gpu.begun - lag
            hook("", (), results(gpu, gpu.begun >= first, scale))
            if told.messages:
                break
    assert len(told.messages) == 1
    assert by <= gpu.begun <= by + 2 * lag + 1


def test_a_gpu_whose_steps_are_good_is_read_rarely(gpu):
    hook = HopelessSkips()
    for gpu.begun in range(1, 1601):
        gpu.done = gpu.begun - 2
        hook("", (), results(gpu, False, 1.0))
    assert gpu.reads <= 100


def test_a_step_whose_numbers_a_gpu_still_computes_can_be_copied(gpu):
    hook = HopelessSkips()
    gpu.begun = 1
    for _ in range(16):
        hook("", (), results(gpu, True, 8.0))
    assert pickle.loads(pickle.dumps(hook)).__dict__ == copy.deepcopy(hook).__dict__ == HopelessSkips().__dict__


def test_single_skips_on_a_gpu_are_no_run_of_them(gpu):
    hook = HopelessSkips()
    with Told() as told:
        for gpu.begun in range(1, 1601):
            gpu.done = gpu.begun
            hook("", (), results(gpu, gpu.begun % 16 == 0, 8.0))
    assert told.messages == []


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_on_cupy_a_run_is_told_of_in_either_mode(on_cupy, mode):
    ms.set_context(mode=mode)
    step, x = step_of(nn.DynamicLossScaleUpdateCell(16, 2, 100)), ops.mul(Tensor(np.ones((2, 3), np.float32)), np.nan)
    with Told() as told:
        for _ in range(40):
            step(x)[0].asnumpy()
    assert len(told.messages) == 1
