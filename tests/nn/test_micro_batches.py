"""Networks over the parts of a batch: the loss is the sum, the gradient that sum's, one update a call."""

import numpy as np
import pytest
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn

pytestmark = pytest.mark.usefixtures("restored")
LOSS = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


def dense_with_loss():
    ms.set_seed(5)
    return nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss())


def batch():
    rng = np.random.default_rng(0)
    return ms.Tensor(rng.standard_normal((6, 3), np.float32)), ms.Tensor(rng.standard_normal((6, 2), np.float32))


@pytest.mark.parametrize("wrapper", [nn.GradAccumulationCell, nn.PipelineCell, nn.MicroBatchInterleaved])
def test_the_loss_is_the_sum_of_the_parts_losses(wrapper):
    network, (x, y) = dense_with_loss(), batch()
    expected = sum(float(network(x[i : i + 2], y[i : i + 2])) for i in (0, 2, 4))
    np.testing.assert_allclose(float(wrapper(network, 3)(x, y)), expected, rtol=1e-6)


@pytest.mark.parametrize("scaled", [False, True])
def test_one_step_takes_the_gradient_of_the_sum(scaled):
    ms.set_context(cpu_loss_scale=True)
    manager = amp.DynamicLossScaleManager(1024, 2, 10) if scaled else None
    plain = dense_with_loss()
    x, y = batch()
    gradients = ms.grad(nn.GradAccumulationCell(plain, 2), None, plain.trainable_params())(x, y)
    expected = [p.asnumpy() - 0.1 * g.asnumpy() for p, g in zip(plain.trainable_params(), gradients, strict=True)]
    network = dense_with_loss()
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    step = amp.build_train_network(nn.GradAccumulationCell(network, 2), optimizer, loss_scale_manager=manager)
    assert type(step).__name__ == ("_TrainGradAccuWithLossScaleCell" if scaled else "_TrainGradAccuStepCell")
    step(x, y)
    for p, values in zip(network.trainable_params(), expected, strict=True):
        np.testing.assert_allclose(p.asnumpy(), values, rtol=1e-5, atol=1e-7)


def test_an_overflow_in_one_part_skips_the_whole_step():
    ms.set_context(cpu_loss_scale=True)
    network, (x, y) = dense_with_loss(), batch()
    x[4] = float("inf")
    before = [p.asnumpy() for p in network.trainable_params()]
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    manager = amp.DynamicLossScaleManager(1024, 2, 10)
    step = amp.build_train_network(nn.GradAccumulationCell(network, 3), optimizer, loss_scale_manager=manager)
    _, overflow, _ = step(x, y)
    assert bool(overflow)
    assert all(np.array_equal(p.asnumpy(), old) for p, old in zip(network.trainable_params(), before, strict=True))


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_the_network_inside_is_converted(type_record, level):
    ms.set_context(cpu_loss_scale=True)
    network = nn.GradAccumulationCell(nn.WithLossCell(ConvNet(), LOSS), 2)
    step = amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), level=level)
    step(*images())
    assert type_record.seen_by("Conv2D") == {"float16"}
