"""Sparse matrices by their parts: dense forms and products, as MindSpore 2.0.0 gives them."""

import numpy as np
import pytest

from minispore import COOTensor, Tensor, nn

INDICES, VALUES = Tensor(np.int32([[0, 1], [1, 2]])), Tensor([1.0, 2.0])


def test_a_sparse_matrix_is_multiplied_or_made_dense():
    ones = Tensor(np.ones((4, 2), np.float32))
    assert nn.SparseTensorDenseMatmul()(INDICES, VALUES, (3, 4), ones).tolist() == [[1, 1], [2, 2], [0, 0]]
    turned = nn.SparseTensorDenseMatmul(adjoint_st=True)(INDICES, VALUES, (3, 4), ones[:3])
    assert turned.tolist() == [[0, 0], [1, 1], [2, 2], [0, 0]]
    dense = nn.SparseToDense()(COOTensor(INDICES, VALUES, (3, 4)))
    assert dense.tolist() == [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]


def test_what_does_not_fit_is_refused():
    with pytest.raises(TypeError, match="For 'SparseToDense', the 'input' must be a sparse Tensor"):
        nn.SparseToDense()(VALUES)
    with pytest.raises(TypeError, match="For 'SparseTensorDenseMatmul', the 'adjoint_dt' must be a bool"):
        nn.SparseTensorDenseMatmul(adjoint_dt=1)
