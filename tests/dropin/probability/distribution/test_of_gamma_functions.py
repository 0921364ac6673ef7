"""Distributions whose density has gamma functions."""

import numpy as np
import pytest
from dropin.probability.distribution.test_distribution import tensor

import minispore as ms
from minispore.nn.probability import distribution

GRID = np.linspace(1e-4, 1 - 1e-4, 20001)


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(5)


@pytest.mark.parametrize(
    ("made", "points"),
    [
        (distribution.Gamma([3.0], [4.0], dtype=ms.float64), GRID * 12),
        (distribution.Beta([3.0], [2.5], dtype=ms.float64), GRID),
    ],
)
def test_a_density_sums_to_one_and_gives_the_mean_and_the_entropy(made, points):
    width = points[1] - points[0]
    density = made.prob(ms.Tensor(points)).asnumpy()
    assert density.sum() * width == pytest.approx(1, abs=1e-6)
    assert (density * points).sum() * width == pytest.approx(made.mean().item(), abs=1e-6)
    assert -(density * np.log(density)).sum() * width == pytest.approx(made.entropy().item(), abs=1e-4)
    assert points[density.argmax()] == pytest.approx(made.mode().item(), abs=1e-3)


def test_probabilities_of_poisson_sum_to_its_cdf():
    made = distribution.Poisson([2.5], dtype=ms.float64)
    counts = ms.Tensor(np.arange(30.0))
    np.testing.assert_allclose(made.cdf(counts).asnumpy(), made.prob(counts).asnumpy().cumsum(), atol=1e-12)
    assert made.cdf(ms.Tensor(np.array([-1.0]))).item() == 0


@pytest.mark.parametrize("name", ["Gamma", "Beta"])
def test_a_distribution_is_at_no_distance_from_itself(name):
    made = getattr(distribution, name)([2.0, 0.5], [1.5])
    np.testing.assert_allclose(made.kl_loss(name, tensor([2.0, 0.5]), tensor([1.5])).asnumpy(), 0, atol=1e-6)


def test_draws_take_a_shape_a_seed_and_parameters():
    gamma = distribution.Gamma(seed=3)
    drawn = gamma.sample((2, 3), tensor([[1.0], [2.0]]), tensor([1.0, 5.0]))
    assert drawn.shape == (2, 3, 2, 2)
    ms.set_seed(5)
    first = distribution.Poisson([4.0], seed=3, dtype=ms.int32).sample((5,))
    ms.set_seed(5)
    again = distribution.Poisson([4.0], seed=3, dtype=ms.int32).sample((5,))
    np.testing.assert_array_equal(first.asnumpy(), again.asnumpy())
    assert again.dtype == ms.int32
