"""Normalization of each sample by itself: GroupNorm over groups of channels, InstanceNorm over each channel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.layer.test_layer_laws import SEEDS, close, normalized, reals
from support.differentiated import assert_differentiated

import minispore as ms
from minispore import nn, ops


@given(SEEDS, st.sampled_from([1, 2, 3, 6]))
def test_group_norm_normalizes_each_group_of_each_sample(seed, groups):
    x, gamma, beta = reals(3, 6, 2, 4, seed=seed), reals(6, seed=seed + 1), reals(6, seed=seed + 2)
    layer = nn.GroupNorm(groups, 6, gamma_init=ms.Tensor(gamma), beta_init=ms.Tensor(beta))
    expected = normalized(x.reshape(3, groups, -1).astype(np.float64), 2).reshape(x.shape)
    close(layer(ms.Tensor(x)), expected * gamma[:, None, None] + beta[:, None, None], 1e-4)


@pytest.mark.parametrize(("layer", "rest"), [(nn.InstanceNorm1d, (5,)), (nn.InstanceNorm2d, (4, 2))])
@pytest.mark.parametrize("train", [True, False])
def test_instance_norm_normalizes_each_channel_of_each_sample(layer, rest, train):
    x = reals(2, 3, *rest)
    norm = layer(3).set_train(train)
    close(norm(ms.Tensor(x)), normalized(x, tuple(range(2, x.ndim))), 1e-4)
    assert [p.name for p in norm.get_parameters()] == ["mean", "variance", "gamma", "beta"]
    assert [p.name for p in layer(3, affine=False).trainable_params()] == []


def test_instance_norm_of_volumes_is_that_of_their_planes_laid_side_by_side():
    x = reals(2, 3, 2, 4, 5)
    close(
        nn.InstanceNorm3d(3)(ms.Tensor(x)),
        nn.InstanceNorm2d(3)(ms.Tensor(x.reshape(2, 3, 8, 5))).asnumpy().reshape(x.shape),
    )


def test_group_norm_takes_its_statistics_in_float32_for_float16():
    """A float16 sum of their squares would be infinite."""
    x = reals(1, 2, 40, 40, low=50, high=60).astype(np.float16)
    out = nn.GroupNorm(1, 2)(ms.Tensor(x))
    assert out.dtype == ms.float32
    close(out, normalized(x.astype(np.float64), (1, 2, 3)), 1e-3)


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: nn.GroupNorm(2, 4)(x), (2, 4, 2, 3)),
        (lambda x: ops.layer_norm(x, (4,)), (3, 4)),
        (lambda x: ops.avg_pool3d(x * x, 2), (1, 1, 3, 3, 3)),
        (lambda x: ops.max_pool3d(x * x, 2), (1, 1, 3, 3, 3)),
        (lambda x: ops.interpolate(x * x, size=(3, 5), mode="bilinear"), (1, 2, 4, 2)),
        (lambda x: ops.pad(x * x, (1, 2), "reflect"), (2, 4)),
        (lambda x: ops.clip_by_norm(x, ms.Tensor(0.5, ms.float64)), (3, 2)),
        (lambda x: ops.glu(x), (3, 4)),
        (lambda x: ops.softplus(x, 2, 1.5), (9,)),
        (lambda x: ops.unfold(x * x, 2), (1, 1, 3, 3)),
    ],
)
def test_the_gradient_of_the_gradient_is_the_difference_quotient(function, shape):
    rng = np.random.default_rng(3)
    x, way = rng.uniform(0.2, 1.0, shape), ms.Tensor(rng.standard_normal(shape))

    def slope(x):
        first = ms.grad(lambda x: (function(x) * function(x)).sum())(x)
        return (first * way).sum()

    assert_differentiated(slope, x)
