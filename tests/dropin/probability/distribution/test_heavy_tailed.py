"""Distributions of real numbers around a location with heavier tails than the normal one's."""

import numpy as np
import pytest

import minispore as ms
from minispore.nn.probability import distribution


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(5)


def test_half_of_cauchys_draws_are_within_its_scale():
    drawn = distribution.Cauchy(0.5, 2.0).sample((20000,)).asnumpy()
    assert abs((np.abs(drawn - 0.5) < 2).mean() - 0.5) < 0.02
