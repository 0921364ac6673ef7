"""Choices by conditions."""

import numpy as np
import pytest

import minispore.numpy as mnp
from minispore import Tensor


@pytest.mark.parametrize("condition", [True, False])
@pytest.mark.parametrize("given", [bool, Tensor])
def test_one_condition_for_all_elements_may_be_a_bool(condition, given):
    found = mnp.piecewise(Tensor([1, 2, 3]), given(condition), [5, 7])
    np.testing.assert_array_equal(found.asnumpy(), np.piecewise(np.array([1, 2, 3]), condition, [5, 7]))


def test_a_number_is_no_condition():
    with pytest.raises(TypeError, match=r"^For 'piecewise', the 'condlist' must be a Tensor, or a tuple or list of"):
        mnp.piecewise(Tensor([1, 2, 3]), 2, [5])
