"""Gradients of the incomplete gamma functions and of zeta: to the second input; for the first they are refused."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

A, X = Tensor([2.0, 5.0]), Tensor([1.0, 6.0])


@pytest.mark.parametrize("function", [ops.igamma, ops.igammac, ops.zeta])
def test_a_gradient_for_the_first_input_is_an_error(function):
    ms.grad(function, 1)(A, X)
    with pytest.raises(NotImplementedError, match="the rule 'bprop' is not defined"):
        ms.grad(function)(A, X)


def test_zeta_of_what_has_no_value_is_nan_and_infinite_at_poles():
    found = ops.zeta(Tensor([2.0, 1.0, 0.5, 2.0]), Tensor([-1.5, 1.0, 1.0, -1.0])).asnumpy()
    np.testing.assert_array_equal(found, [np.nan, np.inf, np.nan, np.inf])
