"""Elements at lists of indices: gathering them, and putting, adding or combining others into a copy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ops.operations.test_array import WHOLE

import minispore as ms
from minispore import Tensor, grad, ops


def rows(width):
    return st.lists(st.lists(WHOLE, min_size=width, max_size=width), min_size=1, max_size=6)


@given(rows(3), st.booleans(), st.booleans())
def test_the_gradient_of_a_running_product_is_that_of_its_definition_at_zeros_too(values, exclusive, reverse):
    x = np.array(values, np.float64)
    weights = np.arange(1.0, x.size + 1).reshape(x.shape)
    found = grad(lambda t: (ops.CumProd(exclusive, reverse)(t, 1) * Tensor(weights)).sum())(Tensor(x))
    turn = (lambda a: a[:, ::-1]) if reverse else (lambda a: a)
    y, w, expected = turn(x), turn(weights), np.zeros(x.shape)
    for j in range(3):
        for i in range(j + exclusive, 3):
            others = [k for k in range(i + (not exclusive)) if k != j]
            expected[:, j] += w[:, i] * y[:, others].prod(1)
    np.testing.assert_allclose(found.asnumpy(), turn(expected), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name, answer", [("ScatterAdd", [1, 4]), ("ScatterUpdate", [1, 3]), ("ScatterMax", [1, 3])])
def test_whole_updates_of_a_floating_parameter_are_widened(name, answer):
    parameter = ms.Parameter(ms.Tensor([1.0, 1.0]), name="p")
    getattr(ops, name)()(parameter, ms.Tensor([1], ms.int32), ms.Tensor([3], ms.int32))
    assert parameter.asnumpy().tolist() == answer and parameter.dtype == ms.float32
    with pytest.raises(TypeError, match="should be same"):
        getattr(ops, name)()(ms.Parameter(ms.Tensor([1, 1]), name="q"), ms.Tensor([1], ms.int32), ms.Tensor([0.5]))
