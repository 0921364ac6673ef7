"""Distributions of real numbers with light tails: normal, uniform, exponential and their kin."""

import numpy as np
import pytest
from dropin.probability.distribution.test_distribution import tensor

import minispore as ms
from minispore import Tensor
from minispore.nn.probability import distribution


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(5)


def test_a_seed_of_its_own_gives_the_same_draws_again():
    first = distribution.Normal(0.0, 1.0, seed=3).sample((4,)).asnumpy()
    ms.set_seed(5)
    np.testing.assert_array_equal(first, distribution.Normal(0.0, 1.0, seed=3).sample((4,)).asnumpy())


def test_gradients_pass_through_densities_and_draws():
    normal = distribution.Normal()
    by_mean = ms.grad(lambda mean: normal.log_prob(tensor(1), mean, tensor(2)))(tensor(0))
    assert by_mean.item() == pytest.approx(0.25)
    assert ms.grad(lambda mean: normal.sample((), mean, tensor(2)))(tensor(0)).item() == 1
    beside = ms.grad(lambda x: distribution.LogNormal(0.0, 1.0).log_prob(x).sum())(tensor([-1, 1]))
    assert beside.asnumpy().tolist() == [0, -1]


def test_a_float16_density_is_the_float32_one_rounded_once():
    x, wide = Tensor(np.float16([0.1, 3.3])), distribution.Normal(0.5, 2.0)
    found = distribution.Normal(0.5, 2.0, dtype=ms.float16).log_prob(x).asnumpy()
    np.testing.assert_array_equal(found, wide.log_prob(x).asnumpy().astype(np.float16))
