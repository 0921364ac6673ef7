"""The cross entropy of rows of logits, and the loss of angles between vectors."""

import numpy as np
import pytest
from nn.loss.test_loss import REDUCTIONS

import minispore as ms
from minispore import nn


def test_a_batch_of_no_samples_has_no_label_outside_of_the_classes():
    x, y = ms.Tensor(np.zeros((0, 3), np.float32)), ms.Tensor(np.zeros(0, np.int32))
    assert nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, y).shape == (0,)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_a_class_that_is_masked_out_by_minus_infinity_costs_the_others_nothing(reduction, sparse, kind):
    x = ms.Tensor(np.array([[0.0, -np.inf, 1.0]], kind))
    y = ms.Tensor(np.array([0], np.int32)) if sparse else ms.Tensor(np.array([[1, 0, 0]], kind))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=sparse, reduction=reduction)
    np.testing.assert_allclose(loss(x, y).asnumpy(), np.log1p(np.e), rtol=1e-3)
    np.testing.assert_allclose(ms.grad(loss)(x, y).asnumpy(), [[-0.7310586, 0, 0.7310586]], rtol=1e-3)


def test_a_class_that_is_meant_and_masked_out_costs_infinity():
    x, y = ms.Tensor([[0.0, -np.inf, 1.0]]), ms.Tensor([[0.5, 0.5, 0.0]])
    assert np.isposinf(nn.SoftmaxCrossEntropyWithLogits()(x, y).asnumpy())
