"""Order along an axis: sorting, the largest k, the places of values in sorted rows, distinct values."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from ops.operations.test_array import WHOLE

from minispore import Tensor, ops


@given(st.lists(WHOLE, min_size=1, max_size=9), st.booleans())
def test_sorting_keeps_the_order_of_equals(values, descending):
    x = np.array(values, np.float32)
    found, places = ops.Sort(descending=descending)(Tensor(x))
    order = np.argsort(-x if descending else x, kind="stable")
    assert places.asnumpy().tolist() == order.tolist() and found.asnumpy().tolist() == x[order].tolist()
