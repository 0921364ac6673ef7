"""Optimizers with groups make MindSpore 2.7.0's steps, and their schedules set its rates."""

import copy

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.dropin.experimental import optim
from minispore.dropin.experimental.optim import lr_scheduler

GRADIENTS = Tensor(np.float32([0.1, -0.2, 0.3])), Tensor(np.float32([[1.0]]))


def parameters():
    values = np.float32([1, -2, 3]), np.float32([[0.5]])
    return [Parameter(Tensor(v), name=n) for v, n in zip(values, "ab", strict=True)]


# What MindSpore 2.7.0 has after three steps
STEPS = [
    ("SGD", {}, [0.97, -1.94, 2.91, 0.2]),
    (
        "SGD",
        {"momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
        [0.9415265321731567, -1.8830530643463135, 2.8245794773101807, -0.03423492610454559],
    ),
    ("SGD", {"momentum": 0.9, "nesterov": True}, [0.919510006904602, -1.839020013809204, 2.7585301399230957, -0.3049]),
    ("SGD", {"maximize": True}, [1.03, -2.06, 3.09, 0.8]),
    ("Adam", {}, [0.7, -1.7, 2.7, 0.2]),
    ("Adam", {"maximize": True}, [1.3, -2.3, 3.3, 0.8]),
    (
        "Adam",
        {"amsgrad": True, "weight_decay": 0.1},
        [0.7006237506866455, -1.700274109840393, 2.7001748085021973, 0.2000960409641266],
    ),
    ("AdamW", {}, [0.6973029375076294, -1.6943060159683228, 2.6913089752197266, 0.19880147278308868]),
    (
        "AdamW",
        {"amsgrad": True, "weight_decay": 0.1},
        [0.6732890605926514, -1.6435880661010742, 2.613887310028076, 0.18813957273960114],
    ),
]


@pytest.mark.parametrize(("name", "settings", "expected"), STEPS)
def test_three_steps_are_mindspores(name, settings, expected):
    members = parameters()
    optimizer = getattr(optim, name)(members, lr=0.1, **settings)
    assert [optimizer(GRADIENTS) for _ in range(3)] == [True] * 3
    found = np.concatenate([p.asnumpy().ravel() for p in members])
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=1e-6)


# The rate at first and after each of six steps, in MindSpore 2.7.0
RATES = [
    ("StepLR", {"step_size": 2, "gamma": 0.5}, [0.1, 0.1, 0.05, 0.05, 0.025, 0.025, 0.0125]),
    ("LambdaLR", {"lr_lambda": lambda epoch: 0.9**epoch}, [0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144]),
    ("MultiStepLR", {"milestones": [2, 4]}, [0.1, 0.1, 0.01, 0.01, 0.001, 0.001, 0.001]),
    ("ExponentialLR", {"gamma": 0.9}, [0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144]),
    ("CosineAnnealingLR", {"T_max": 4, "eta_min": 0.01}, [0.1, 0.08682, 0.055, 0.02318, 0.01, 0.02318, 0.055]),
    ("LinearLR", {}, [0.033333, 0.046667, 0.06, 0.073333, 0.086667, 0.1, 0.1]),
    ("ConstantLR", {}, [0.033333, 0.033333, 0.033333, 0.033333, 0.033333, 0.1, 0.1]),
    ("PolynomialLR", {"total_iters": 4, "power": 2.0}, [0.1, 0.05625, 0.025, 0.00625, 0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("name", "settings", "expected"), RATES)
def test_a_schedule_sets_mindspores_rates(name, settings, expected):
    optimizer = optim.SGD(parameters(), lr=0.1)
    schedule = getattr(lr_scheduler, name)(optimizer, **settings)
    found = [schedule.get_last_lr()[0].item()]
    for _ in range(6):
        schedule.step()
        found.append(optimizer.param_groups[0]["lr"].item())
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_groups_have_settings_of_their_own_that_can_be_changed():
    first, second = parameters()
    optimizer = optim.SGD([{"params": [first], "lr": 0.5}, {"params": [second]}], lr=0.1)
    assert [group["lr"].item() for group in optimizer.param_groups] == [0.5, np.float32(0.1)]
    ops.assign(optimizer.param_groups[1]["lr"], 0.0)
    optimizer(GRADIENTS)
    np.testing.assert_allclose(first.asnumpy(), [0.95, -1.9, 2.85], rtol=1e-6)
    assert second.item() == 0.5 and "lr: 0.5" in str(optimizer) and "Parameter Group 1" in str(optimizer)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_network_is_trained(mode, restored):
    ms.set_context(mode=mode)
    ms.set_seed(1)
    net, x = nn.Dense(3, 1), Tensor(np.random.default_rng(0).standard_normal((8, 3)).astype(np.float32))
    optimizer = optim.Adam(net.trainable_params(), lr=0.05)
    step = ms.value_and_grad(lambda x: ops.square(net(x) - 1).mean(), None, optimizer.parameters)
    losses = []
    for _ in range(40):
        loss, gradients = step(x)
        optimizer(gradients)
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 4


def test_a_step_that_fails_changes_nothing():
    members = parameters()
    optimizer = optim.Adam(members, lr=0.1)
    before = copy.deepcopy([p.asnumpy() for p in members])
    with pytest.raises(ValueError, match=r"^For 'Adam', the gradient of 'b' must be a Tensor of shape \(1, 1\)"):
        optimizer((GRADIENTS[0], Tensor([1.0, 2.0])))
    assert all((p.asnumpy() == b).all() for p, b in zip(members, before, strict=True))
    assert optimizer.state_step.item() == 0


P = parameters()
WRONG = [
    (lambda: optim.SGD(P, lr=-1), ValueError),
    (lambda: optim.SGD([], lr=0.1), ValueError),
    (lambda: optim.SGD([1], lr=0.1), TypeError),
    (lambda: optim.SGD([P[0], P[0]], lr=0.1), ValueError),
    (lambda: optim.SGD(P, lr=0.1, nesterov=True), ValueError),
    (lambda: optim.SGD(P, lr=0.1, momentum=-0.1), ValueError),
    (lambda: optim.Adam(P, betas=(1.0, 0.9)), ValueError),
    (lambda: optim.Adam(P, betas=0.9), TypeError),
    (lambda: optim.Adam(P, eps=-1.0), ValueError),
    (lambda: optim.AdamW(P, weight_decay=-1.0), ValueError),
    (lambda: optim.SGD(P, lr=0.1)((GRADIENTS[0],)), ValueError),
    (lambda: lr_scheduler.StepLR(1, 2), TypeError),
    (lambda: lr_scheduler.StepLR(optim.SGD(P, lr=0.1), 2.5), TypeError),
    (lambda: lr_scheduler.LambdaLR(optim.SGD(P, lr=0.1), 2), TypeError),
]


@pytest.mark.parametrize(("call", "kind"), WRONG)
def test_wrong_arguments_are_refused(call, kind):
    with pytest.raises(kind, match=r"^For '\w+', "):
        call()
