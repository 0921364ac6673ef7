"""Adam (Kingma and Ba, 2015), AMSGrad (Reddi et al., 2018) and AdamW (Loshchilov and Hutter, 2019)."""

import copy

import numpy as np
import pytest
from dropin.experimental.optim.test_optimizer import GRADIENTS, parameters

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.dropin.experimental import optim

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
