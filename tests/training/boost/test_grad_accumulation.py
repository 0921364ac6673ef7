"""GradientAccumulation: one update by the mean of several gradients, as float64 has it."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn, ops
from minispore.boost.grad_accumulation import gradient_accumulation_op, gradient_clear_op


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_optimizer_gets_the_mean_of_the_gradients(steps):
    rng = np.random.default_rng(steps)
    w = ms.Parameter(np.zeros(4, np.float32), name="w")
    accumulate = boost.GradientAccumulation(steps, nn.Momentum([w], 0.5, 0.9))
    value, moment, total = np.zeros(4), np.zeros(4), np.zeros(4)
    for call in range(1, 8):
        g = rng.standard_normal(4)
        loss = ms.Tensor(float(call))
        assert accumulate(loss, (ms.Tensor(g, ms.float32),)) is loss
        total += g / steps
        if call % steps == 0:
            moment = 0.9 * moment + total
            value, total = value - 0.5 * moment, np.zeros(4)
        np.testing.assert_allclose(w.asnumpy(), value, rtol=1e-5, atol=1e-6)


def test_the_two_operations_work_under_a_hyper_map_and_alone():
    total = ms.Parameter(np.zeros(3, np.float32), name="total")
    g = ms.Tensor([1.0, 2.0, 3.0], ms.float32)
    ops.HyperMap()(ops.partial(gradient_accumulation_op, 4), (total,), (g,))
    np.testing.assert_array_equal(total.asnumpy(), [0.25, 0.5, 0.75])
    np.testing.assert_array_equal(gradient_accumulation_op(4, total, g).asnumpy(), [0.5, 1.0, 1.5])
    np.testing.assert_array_equal(total.asnumpy(), [0.5, 1.0, 1.5])
    gradient_clear_op(total)
    np.testing.assert_array_equal(total.asnumpy(), 0)


@pytest.mark.parametrize("steps", [0, -1, 1.5, "a", True])
def test_a_wrong_number_of_steps_is_refused(steps):
    w = ms.Parameter([0.0], name="w")
    with pytest.raises((TypeError, ValueError), match="'max_accumulation_step' must be"):
        boost.GradientAccumulation(steps, nn.SGD([w], 1.0))


def test_anything_but_an_optimizer_is_refused():
    with pytest.raises(TypeError, match="the 'optimizer' must be an Optimizer, but got int"):
        boost.GradientAccumulation(2, 3)
