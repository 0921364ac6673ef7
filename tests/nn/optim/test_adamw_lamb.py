"""Optimizers with decoupled weight decay, which does not enter the moments: AdamWeightDecay and Lamb."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.optim.test_optimizer import (
    RATE,
    one,
)

import minispore as ms
from minispore import nn


@given(seed=st.integers(0, 2**32 - 1), decay=st.sampled_from([0.01, 0.5]))
def test_each_group_of_adam_weight_decay_has_its_own_decay(seed, decay):
    rng = np.random.default_rng(seed)
    values = [rng.normal(size=3).astype(np.float32) for _ in range(2)]
    params = [ms.Parameter(ms.Tensor(v), name=f"p{i}") for i, v in enumerate(values)]
    groups = [{"params": params[:1], "weight_decay": decay}, {"params": params[1:]}]
    nn.AdamWeightDecay(groups, 0.5)((ms.Tensor(np.zeros(3, np.float32)),) * 2)
    np.testing.assert_allclose(params[0].asnumpy(), values[0] * (1 - 0.5 * decay), rtol=1e-6)
    np.testing.assert_array_equal(params[1].asnumpy(), values[1])


@pytest.mark.parametrize(("weight", "gradient", "expected"), [([0, 0], [1, 2], [-0.5, -0.5]), ([1, 2], [0, 0], [1, 2])])
def test_where_a_norm_is_0_lamb_takes_1_for_the_ratio(weight, gradient, expected):
    w = one(values=map(float, weight))
    nn.Lamb([w], 0.5)((ms.Tensor(gradient, ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-5)


def test_lamb_counts_its_steps():
    optimizer = nn.Lamb([one()], RATE)
    for _ in range(3):
        optimizer((ms.Tensor([1.0]),))
    assert optimizer.global_step.asnumpy() == [3]
