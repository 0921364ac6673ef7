"""A Tensor's shape, rank, size and dtype, and Tensors made from Python numbers."""

import numpy as np
import pytest

from minispore import Tensor, float32, ops


def test_what_is_known_without_the_values():
    x = Tensor(np.zeros((2, 3), np.float32))
    assert (ops.shape(x), ops.rank(x), ops.size(x), ops.dtype(x)) == ((2, 3), 2, 6, float32)
    assert (ops.Shape()(x), ops.Rank()(x), ops.Size()(x), ops.DType()(x)) == ((2, 3), 2, 6, float32)
    with pytest.raises(TypeError, match="For 'Shape', the 'input_x' must be a Tensor, but got int"):
        ops.shape(3)


def test_numbers_become_tensors():
    assert ops.TupleToArray()((1, 2.5)).asnumpy().tolist() == [1, 2]
    assert ops.ScalarToTensor()(2).dtype == float32
    for call in (lambda: ops.TupleToArray()([1, 2]), lambda: ops.ScalarToTensor()("a")):
        with pytest.raises(TypeError, match="the 'input_x' must be a"):
            call()
