"""Random draws: normal and uniform numbers, integers, outcomes, permutations."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(2)


def test_permutations_and_shuffles_lose_nothing():
    assert sorted(ops.randperm(Tensor([9])).tolist()) == list(range(9))
    x = Tensor(np.arange(20).reshape(10, 2))
    assert sorted(ops.shuffle(x).tolist()) == sorted(ops.RandomShuffle()(x).tolist()) == x.tolist()
    assert ops.shuffle(Tensor(3)).item() == ops.RandomShuffle()(Tensor(3)).item() == 3
