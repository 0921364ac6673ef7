"""A skipped step changes nothing: Parameters, statistics, optimizer state and random streams stay, bit for bit.

An inf is put into the data, into the forward pass of a layer, or into one gradient; only the loss scale's state moves.
"""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import amp, nn
from minispore.core import seeds
from minispore.core.journal import Journal
from minispore.core.running import running
from minispore.nn import optim
from minispore.tools.testing.strategies.courses import PLACES, POISON
from minispore.tools.testing.strategies.networks import OPTIMIZERS
from minispore.tools.testing.users_code import made as defined_by

pytestmark = pytest.mark.usefixtures("restored")

NO_OPTIMIZERS = {"Optimizer", "LearningRateSchedule"}
# The emulated Ascend has a register, which an inf that was there before does not raise
DEVICES = ("CPU", pytest.param("Ascend", marks=pytest.mark.needs("devices")))
Poison = defined_by(POISON)["Poison"]
SCALE_STATE = {"scale_sense", "loss_scaling_manager.cur_iter", "loss_scaling_manager.last_overflow_iter"}


class Network(nn.Cell):
    """All that a step may move: weights, BatchNorm's statistics, the random stream of a Dropout."""

    def __init__(self):
        super().__init__()
        self.first, self.poison, self.bn = nn.Dense(3, 4), Poison(), nn.BatchNorm1d(4)
        self.dropout, self.second = nn.Dropout(p=0.5), nn.Dense(4, 2)

    def construct(self, x):
        return self.second(self.dropout(self.bn(self.poison(self.first(x)))))


def step_of(optimizer, level="O0", accumulating=False):
    """A training step over a new network, the same for the same arguments."""
    ms.set_seed(0)
    ms.set_context(cpu_loss_scale=True)
    network = Network()
    body = nn.WithLossCell(network, nn.MSELoss())
    body = nn.GradAccumulationCell(body, 2) if accumulating else body
    manager = amp.DynamicLossScaleManager(2.0**10, 2, 100)
    made = OPTIMIZERS[optimizer](network.trainable_params())
    return amp.build_train_network(body, made, level=level, loss_scale_manager=manager), network


def batch(number, bad=False):
    """Data and labels."""
    rng = np.random.default_rng(number)
    x = rng.standard_normal((4, 3), np.float32)
    x[1, 2] = np.inf if bad else x[1, 2]
    return ms.Tensor(x), ms.Tensor(rng.standard_normal((4, 2), np.float32))


def spoiled(step, network, place, number):
    """A step with an inf at a place; the network is sound again after it."""
    poison = network.poison
    poison.forwards = np.inf if place == "forward" else 1.0
    poison.backwards = np.inf if place == "gradient" else 1.0
    try:
        return step(*batch(number, bad=place == "data"))
    finally:
        poison.forwards = poison.backwards = 1.0


def state_of(step):
    """The bytes of every Parameter of the step by path, and the state of the random streams."""
    state = {path: p.asnumpy().tobytes() for path, p in step.parameters_and_names()}
    return {**state, "random streams": seeds.seed.draws}


def moved(before, after):
    return {path for path in before if before[path] != after[path]}


def test_every_optimizer_is_tested():
    assert set(OPTIMIZERS) | NO_OPTIMIZERS == set(optim.__all__)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_skipped_step_changes_nothing_but_the_state_of_the_loss_scale(optimizer, place, device):
    ms.set_context(device_target=device)
    step, network = step_of(optimizer)
    step(*batch(0))
    before = state_of(step)
    loss, overflow, scale = spoiled(step, network, place, 1)
    assert bool(overflow)
    assert moved(before, state_of(step)) == SCALE_STATE
    assert (float(scale), float(step.scale_sense)) == (1024.0, 512.0)
    assert int(step.loss_scaling_manager.last_overflow_iter) == 2
    assert bool(np.isfinite(float(loss))) == (place == "gradient")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
@pytest.mark.parametrize("accumulating", [False, True])
def test_it_is_so_at_every_level_and_with_accumulation(level, place, accumulating):
    step, network = step_of("Adam", level, accumulating)
    step(*batch(0))
    before = state_of(step)
    assert bool(spoiled(step, network, place, 1)[1])
    assert moved(before, state_of(step)) == SCALE_STATE


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("size", [1e30, 1e38])
def test_a_step_that_overflows_by_itself_is_skipped_too(size, device):
    """Finite data so large that the loss is inf."""
    ms.set_context(device_target=device)
    step, _ = step_of("Adam")
    before = state_of(step)
    x, y = batch(0)
    assert bool(step(x * size, y * size)[1])
    assert moved(before, state_of(step)) == SCALE_STATE


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_good_step_moves_weights_statistics_and_random_streams(optimizer):
    step, _ = step_of(optimizer)
    before = state_of(step)
    step(*batch(0))
    assert {"first.weight", "bn.moving_mean", "random streams"} <= {
        path.removeprefix("network._backbone.") for path in moved(before, state_of(step))
    }


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@settings(max_examples=settings.default.max_examples // 3)
@given(course=st.lists(st.sampled_from((None, *PLACES)), max_size=8))
def test_a_run_goes_on_as_if_the_skipped_steps_had_not_been(optimizer, course):
    """The scale is a power of two, so that the gradients are the same bits under any."""
    step, network = step_of(optimizer)
    for number, place in enumerate(course):
        spoiled(step, network, place, number)
    found = state_of(step)
    alone, _ = step_of(optimizer)
    for number, place in enumerate(course):
        if place is None:
            alone(*batch(number))
    assert moved(state_of(alone), found) <= SCALE_STATE


# A step that raises leaves what a skipped step leaves


class Raiser(nn.Cell):
    """Hands its input on, or raises, forward or backward."""

    def __init__(self):
        super().__init__()
        self.errors = {}

    def construct(self, x):
        if "forward" in self.errors:
            raise self.errors["forward"]
        return x

    def bprop(self, x, out, dout):
        if "backward" in self.errors:
            raise self.errors["backward"]
        return (dout,)


class Breakable(nn.Cell):
    """Statistics, random streams and a Parameter that no cell owns, before a cell that may raise."""

    def __init__(self):
        super().__init__()
        self.first, self.bn, self.dropout = nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5)
        self.raiser, self.second = Raiser(), nn.Dense(4, 2)
        self.unowned = [ms.Parameter([0.0], name="count", requires_grad=False)]

    def construct(self, x):
        ms.ops.assign_add(self.unowned[0], ms.Tensor([1.0]))
        return self.second(self.raiser(self.dropout(self.bn(self.first(x)))))


def breakable(scaled, accumulating=False, optimizer="Adam"):
    ms.set_seed(0)
    ms.set_context(cpu_loss_scale=True)
    network = Breakable()
    body = nn.WithLossCell(network, nn.MSELoss())
    body = nn.GradAccumulationCell(body, 2) if accumulating else body
    manager = amp.DynamicLossScaleManager(2.0**10, 2, 100) if scaled else None
    made = OPTIMIZERS[optimizer](network.trainable_params())
    return amp.build_train_network(body, made, loss_scale_manager=manager), network


def whole_state(step, network):
    return {**state_of(step), "unowned": network.unowned[0].asnumpy().tobytes()}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("place", ["forward", "backward"])
@pytest.mark.parametrize("accumulating", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_step_that_raises_changes_nothing(mode, scaled, accumulating, place, error):
    ms.set_context(mode=mode)
    step, network = breakable(scaled, accumulating)
    for number in range(3):
        step(*batch(number))
    before = whole_state(step, network)
    network.raiser.errors = {place: error("in the middle")}
    with pytest.raises(error, match="in the middle"):
        step(*batch(3))
    assert moved(before, whole_state(step, network)) == set()
    network.raiser.errors = {}
    step(*batch(4))
    found = whole_state(step, network)
    alone, other = breakable(scaled, accumulating)
    for number in (0, 1, 2, 4):
        alone(*batch(number))
    assert moved(whole_state(alone, other), found) == set()


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_an_optimizer_that_is_interrupted_changes_nothing(monkeypatch, optimizer, scaled):
    """After its first Parameter: by itself, and in a training step."""
    step, network = breakable(scaled, optimizer=optimizer)
    step(*batch(0))
    inner = getattr(step.optimizer, "opt", None)
    inner = inner if isinstance(inner, nn.Optimizer) else step.optimizer
    plain, before = type(inner).update, whole_state(step, network)

    def update(self, index, *rest):
        if index == 1:
            raise KeyboardInterrupt
        plain(self, index, *rest)

    monkeypatch.setattr(type(inner), "update", update)
    gradients = tuple(ms.ops.ones_like(p) for p in step.optimizer.parameters)
    for call in (lambda: step(*batch(1)), lambda: step.optimizer(gradients)):
        with pytest.raises(KeyboardInterrupt):
            call()
        assert moved(before, whole_state(step, network)) == set()


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_replay_that_is_interrupted_while_it_writes_changes_nothing(monkeypatch, mode):
    ms.set_context(mode=mode)
    step, _ = step_of("Momentum")
    for number in range(4):
        step(*batch(number))
    before, writes, notes = state_of(step), Journal.writes, []

    def interrupted(self, tensor, array):
        writes(self, tensor, array)
        notes.append(tensor)
        if len(notes) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "writes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        step(*batch(4))
    assert moved(before, state_of(step)) == set()


def test_a_skipped_step_puts_back_a_parameter_that_no_cell_owns():
    step, network = breakable(True)
    step(*batch(0))
    assert bool(step(*batch(1, bad=True))[1])
    assert float(network.unowned[0]) == 1.0


def test_values_set_during_a_step_that_raises_are_put_back():
    class Setting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter([1.0, 2.0], name="w")

        def construct(self, x):
            self.w.set_data(ms.Tensor([5.0, 5.0]))
            self.w[0] = 7.0
            self.w.set_dtype(ms.float64)
            raise ValueError("in the middle")

    network = Setting()
    step = nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.1))
    with pytest.raises(ValueError, match="in the middle"):
        step(ms.Tensor([1.0]))
    assert network.w.dtype == ms.float32
    np.testing.assert_array_equal(network.w.asnumpy(), [1.0, 2.0])


def test_a_skipped_step_leaves_the_random_streams_where_another_thread_has_taken_one():
    """They would be given out twice."""

    class Disturbed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.dropout = nn.Dense(3, 2), nn.Dropout(p=0.5)

        def construct(self, x):
            x = self.dropout(x)
            thread = threading.Thread(target=ms.ops.standard_normal, args=((2,),))
            thread.start()
            thread.join()
            return self.dense(x)

    ms.set_seed(0)
    network = nn.WithLossCell(Disturbed(), nn.MSELoss())
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, nn.FixedLossScaleUpdateCell(8.0)).set_train()
    before = seeds.seed.draws
    assert bool(step(*batch(0, bad=True))[1])
    assert seeds.seed.draws == before + 2


def test_what_an_interrupt_left_in_force_is_put_back_by_the_step_that_it_ended(monkeypatch):
    """As if it had come between two lines that restore it."""
    step, _ = step_of("Momentum")
    before, errors = {**running.__dict__, "followed": {}}, np.geterr()

    def construct(self, *inputs):
        running.tape, running.silent, running.cast_cache, running.cast = [], True, {}, np.dtype(np.float16)
        running.followed[self.scale_sense] = running.tape
        np.seterr(all="raise")
        raise KeyboardInterrupt

    monkeypatch.setattr(type(step), "construct", construct)
    with pytest.raises(KeyboardInterrupt):
        step(*batch(0))
    assert running.__dict__ == before
    assert np.geterr() == errors
