"""Indices of triangles."""

import numpy as np
import pytest

import minispore.numpy as mnp
from minispore import Tensor


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_counts_of_a_triangle_may_be_whole_floats(name):
    found = getattr(mnp, name)(3.0, 1.0, 4.0)
    np.testing.assert_array_equal([x.asnumpy() for x in found], getattr(np, name)(3, 1, 4))
    matrix = np.ones((3, 4), np.float32)
    found = getattr(mnp, f"{name}_from")(Tensor(matrix), -1.0)
    np.testing.assert_array_equal([x.asnumpy() for x in found], getattr(np, f"{name}_from")(matrix, -1))


def test_a_part_of_a_row_is_refused():
    with pytest.raises(TypeError, match=r"^For 'triu_indices', the 'N' must be an int, but got 2\.5"):
        mnp.triu_indices(2.5)
    with pytest.raises(TypeError, match=r"^For 'tril_indices', the 'k' must be an int, but got 0\.5"):
        mnp.tril_indices(2, 0.5)
