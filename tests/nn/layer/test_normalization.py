"""Normalization layers: the batch statistics of several processes, which are threads."""

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore import nn


@pytest.mark.parametrize("shape", [(6, 3), (6, 3, 2, 2)])
def test_batches_of_several_processes_are_normalized_as_one(shape):
    draw = np.random.default_rng(3)
    data, weights = (draw.normal(1, 2, shape).astype(np.float32) for _ in range(2))

    def run(layer, part):
        x, w = ms.Tensor(data[part]), ms.Tensor(weights[part])
        gradients = ms.grad(lambda x: (layer(x) * w).sum(), 0, layer.trainable_params())(x)
        return [g.asnumpy() for g in (gradients[0], *gradients[1], layer.moving_mean, layer.moving_variance)]

    expected = run((nn.BatchNorm2d if len(shape) == 4 else nn.BatchNorm1d)(3).set_train(), slice(None))
    parts = [slice(0, 2), slice(2, 6)]
    both = every(2, lambda rank: run(nn.SyncBatchNorm(3).set_train(), parts[rank]))
    dx, dgamma, dbeta = (np.concatenate([found[0] for found in both]), *(sum(f[i] for f in both) for i in (1, 2)))
    for found, value in zip((dx, dgamma, dbeta, *both[0][3:], *both[1][3:]), [*expected, *expected[3:]], strict=True):
        np.testing.assert_allclose(found, value, rtol=2e-5, atol=2e-5)
