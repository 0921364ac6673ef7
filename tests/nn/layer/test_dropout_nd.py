"""Layers that drop channels, bound norms or measure them: Dropout1d to 3d, ClipByNorm, L1Regularizer, Norm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.layer.test_layer_laws import SEEDS, close, reals

import minispore as ms
from minispore import nn


@given(SEEDS, st.floats(0.1, 10.0))
def test_clipping_by_norm_bounds_the_norm_and_keeps_the_direction(seed, bound):
    x = reals(3, 4, seed=seed)
    norm = np.linalg.norm(x)
    close(nn.ClipByNorm()(ms.Tensor(x), ms.Tensor(bound)), x * min(1, bound / norm))
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    close(nn.ClipByNorm(1)(ms.Tensor(x), ms.Tensor(bound)), x * np.minimum(1, bound / norms))


def test_clipping_zeros_by_norm_leaves_them_and_their_gradient():
    x = ms.Tensor(np.zeros((2, 2), np.float32))
    close(nn.ClipByNorm()(x, ms.Tensor(1.0)), 0)
    close(ms.grad(lambda x: nn.ClipByNorm()(x, ms.Tensor(1.0)).sum())(x), 1)


@pytest.mark.parametrize(
    ("layer", "shape"), [(nn.Dropout1d, (8, 9, 4)), (nn.Dropout2d, (8, 9, 2, 2)), (nn.Dropout3d, (8, 9, 1, 2, 2))]
)
def test_channel_dropout_drops_or_scales_whole_channels_in_training(layer, shape):
    dropout, x = layer(p=0.75), ms.Tensor(np.ones(shape, np.float32))
    assert dropout(x) is x
    found = dropout.set_train()(x).asnumpy().reshape(72, 4)
    assert (found == found[:, :1]).all()
    assert set(found[:, 0]) == {0.0, 4.0}
    close(layer(p=1.0).set_train()(x), 0)
