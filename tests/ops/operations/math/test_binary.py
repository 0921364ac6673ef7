"""Elementwise functions of two Tensors that the table of primitives does not hold."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_nextafter_is_the_neighbour_in_its_own_dtype(kind):
    x = np.array([[0.0, 1.0, -1.0, np.inf, np.nan]], kind)
    y = np.array([[1.0], [-1.0], [0.0]], kind)
    found = ops.nextafter(Tensor(x), Tensor(y))
    assert found.asnumpy().dtype == kind
    np.testing.assert_array_equal(found.asnumpy(), np.nextafter(x, y))
    np.testing.assert_array_equal(Tensor(x).nextafter(Tensor(y)).asnumpy(), np.nextafter(x, y))


def test_nextafter_refuses_other_dtypes_and_passes_no_gradient():
    with pytest.raises(TypeError, match="For 'NextAfter', the 'x1' must be a Tensor of float32 or float64"):
        ops.nextafter(Tensor([1], ms.int32), Tensor([1], ms.int32))
    with pytest.raises(TypeError, match="For 'NextAfter', the 'x1' must be a Tensor of float32 or float64"):
        ops.nextafter(Tensor([1], ms.float16), Tensor([1], ms.float16))
    assert ms.grad(lambda x: (ops.nextafter(x, x + 1) + x).sum())(Tensor([1.0])).asnumpy() == 1
