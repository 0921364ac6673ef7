"""Subjects: each kind of step is taken, by explain_overflow and by a watch, and what of it is not finite is told."""

import numpy as np
import pytest
from support.planted_faults import Between, X, Y, exponential_in_float32, functional, mean_as_sum, plain, scaled

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow, watch
from minispore.tools.insight.subjects import as_code, number_of

INPUTS = ms.Tensor(X), ms.Tensor(Y)


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(3)


def exponential_in_bfloat16(x):
    return ops.exp(x * 0 + 100) * x


class Whole(nn.Cell):
    """A whole training step of a user's own, which a Model without an optimizer takes."""

    def __init__(self, network):
        super().__init__()
        self.network, self.loss = network, nn.MSELoss()
        self.optimizer = nn.SGD(network.trainable_params(), 0.1)
        self.differentiate = ms.value_and_grad(self.forward, None, self.optimizer.parameters)

    def forward(self, x, y):
        return self.loss(self.network(x), y)

    def construct(self, x, y):
        loss, gradients = self.differentiate(x, y)
        self.optimizer(gradients)
        return loss


def whole_function():
    """A function that makes a whole step and returns the loss alone."""
    step = Whole(Between(exponential_in_float32))

    def train(x, y):
        return step(x, y)

    return train


STEPS = {
    "scaled": lambda: scaled(Between(mean_as_sum)),
    "float32": lambda: plain(Between(exponential_in_float32)),
    "bfloat16": lambda: plain(ms.amp.auto_mixed_precision(Between(exponential_in_bfloat16), "O3", dtype=ms.bfloat16)),
    "Model": lambda: ms.train.Model(
        *(lambda net: (net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)))(Between(exponential_in_float32))
    ),
    "Model of a step": lambda: ms.train.Model(Whole(Between(exponential_in_float32))),
    "whole step": lambda: Whole(Between(exponential_in_float32)),
    "function": functional,
    "function under jit": lambda: ms.jit(functional()),
    "function of a whole step": whole_function,
    "gradients returned": lambda: nn.TrainOneStepCell(
        *(lambda net: (nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), 1.0, True))(
            Between(exponential_in_float32)
        )
    ),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", STEPS)
def test_every_kind_of_step_is_explained(name, mode):
    ms.set_context(mode=mode)
    verdict = explain_overflow(STEPS[name](), *INPUTS)
    assert verdict.operation in ("Exp", "ReduceSum") and verdict.kind == "forward"
    assert verdict.cell.endswith("network._backbone") or "network" in verdict.cell


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", STEPS)
def test_every_kind_of_step_is_watched(name, mode):
    ms.set_context(mode=mode)
    step = STEPS[name]()
    seen = watch(step)
    call = seen if not isinstance(step, nn.Cell) else step
    for _ in range(5):
        call(*INPUTS)
    seen.stop()
    call(*INPUTS)
    assert seen.steps == 5 + (not isinstance(getattr(step, "train_network", step), nn.Cell))
    assert [found.number for found in seen.not_finite][:5] == [1, 2, 3, 4, 5]
    assert seen.not_finite[0].verdict.operation in ("Exp", "ReduceSum")
    assert seen.not_finite[0].skipped == (name == "scaled")


def test_a_model_is_watched_while_it_trains():
    net = Between(exponential_in_float32)
    model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    data = ms.dataset.NumpySlicesDataset({"data": X, "label": Y}, shuffle=False).batch(2)
    with watch(model) as seen:
        model.train(2, data)
    assert seen.steps == 4 and seen.not_finite[0].number == 1 and np.isnan(seen.losses[-1])


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_step_that_is_watched_no_longer_is_replayed_as_before(mode):
    ms.set_context(mode=mode)
    step = plain(Between(ops.tanh))
    before = vars(step).get("recordable")
    with watch(step) as seen:
        losses = [float(step(*INPUTS)) for _ in range(4)]
    assert seen.losses == losses and seen.not_finite == []
    assert vars(step).get("recordable") == before


def test_the_scale_of_a_step_and_its_optimizer_is_set_in_both():
    def make(scale):
        ms.set_seed(3)
        net = Between(ops.tanh)
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=scale)
        manager = ms.amp.FixedLossScaleManager(scale, drop_overflow_update=False)
        return ms.build_train_network(net, optimizer, nn.MSELoss(), level="O3", loss_scale_manager=manager)

    step = make(2.0**30)
    verdict = explain_overflow(step, *INPUTS)
    exec(verdict.remedy, {"step": step})
    expected = make(verdict.scale)
    assert step(*INPUTS) == expected(*INPUTS)
    pairs = zip(step.trainable_params(), expected.trainable_params(), strict=True)
    assert all((a.asnumpy() == b.asnumpy()).all() for a, b in pairs)


def test_a_path_is_written_as_python_reads_it():
    assert as_code(".layers.0.weight") == as_code("layers.0.weight") == ".layers[0].weight"
    assert as_code("") == ""


def test_a_loss_of_several_numbers_has_their_mean():
    assert number_of(ms.Tensor([1.0, 3.0])) == 2.0 and np.isnan(number_of(None))
