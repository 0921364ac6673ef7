"""A skipped step changes nothing: Parameters, statistics, optimizer state and random streams stay, bit for bit.

An inf is put into the data, into the forward pass of a layer, or into one gradient; only the loss scale's state moves.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_networks import OPTIMIZERS

import minispore as ms
from minispore import amp, nn
from minispore.nn import optim

pytestmark = pytest.mark.usefixtures("restored")

NO_OPTIMIZERS = {"Optimizer", "LearningRateSchedule"}
PLACES = ("data", "forward", "gradient")
DEVICES = ("CPU", "Ascend")  # the emulated one, whose register an inf that was there before does not raise
SCALE_STATE = {"scale_sense", "loss_scaling_manager.cur_iter", "loss_scaling_manager.last_overflow_iter"}


class Poison(nn.Cell):
    """Hands its input on, times a factor; its gradient, times another."""

    def __init__(self):
        super().__init__()
        self.forward, self.backward = 1.0, 1.0

    def construct(self, x):
        return x * self.forward

    def bprop(self, x, out, dout):
        return (dout * self.backward,)


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
    poison.forward = np.inf if place == "forward" else 1.0
    poison.backward = np.inf if place == "gradient" else 1.0
    try:
        return step(*batch(number, bad=place == "data"))
    finally:
        poison.forward = poison.backward = 1.0


def state_of(step):
    """The bytes of every Parameter of the step by path, and the state of the random streams."""
    state = {path: p.asnumpy().tobytes() for path, p in step.parameters_and_names()}
    return {**state, "random streams": ms.context.seed.draws}


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


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_is_so_in_graph_mode(optimizer):
    """The good steps are recorded and replayed; the bad one is a replay too."""
    ms.set_context(mode=ms.GRAPH_MODE)
    step, network = step_of(optimizer)
    for number in range(4):
        step(*batch(number))
    before = state_of(step)
    assert bool(spoiled(step, network, "data", 4)[1])
    assert moved(before, state_of(step)) == SCALE_STATE
    step(*batch(5))
    found = state_of(step)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    alone, _ = step_of(optimizer)
    for number in (0, 1, 2, 3, 5):
        alone(*batch(number))
    assert moved(state_of(alone), found) <= SCALE_STATE


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
