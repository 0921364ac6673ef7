"""Refusals of the gradient of average pooling."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1, 1, 1), (1, 1, 2, 1), (2, 1, 1, 1), (1, 2, 1, 1), (0, 1, 1, 1)])
def test_a_gradient_has_the_shape_of_what_is_pooled(shape):
    with pytest.raises(ValueError, match=r"^For 'AvgPoolGrad', the 'dy' must have the shape \(1, 1, 1, 1\)"):
        ops.AvgPoolGrad(2, 2)(ms.Tensor(np.ones(shape, np.float32)), (1, 1, 2, 2))


def test_a_gradient_of_one_window_is_not_spread_over_others():
    with pytest.raises(ValueError, match=r"^For 'AvgPoolGrad', the 'dy' must have the shape \(1, 1, 2, 2\)"):
        ops.AvgPoolGrad(2, 2)(ms.Tensor(np.ones((1, 1, 1, 1), np.float32)), (1, 1, 4, 4))
