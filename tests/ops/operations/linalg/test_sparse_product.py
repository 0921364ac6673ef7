"""The product of a sparse matrix with a dense one is that of the matrices; its gradients; errors."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

RNG = np.random.default_rng(8)
PLACES, VALUES = np.array([[0, 1], [2, 3], [0, 1]]), np.array([1.5, -2.0, 0.5])
MATRIX = np.zeros((3, 4))
np.add.at(MATRIX, tuple(PLACES.T), VALUES)


@pytest.mark.parametrize("turn_dense", [False, True])
@pytest.mark.parametrize("turn_sparse", [False, True])
def test_it_is_the_product_of_the_matrices(turn_sparse, turn_dense):
    sparse = MATRIX.T if turn_sparse else MATRIX
    dense = RNG.standard_normal((sparse.shape[1], 2))
    given = Tensor(dense.T.copy() if turn_dense else dense)
    product = ops.SparseTensorDenseMatmul(turn_sparse, turn_dense)
    weights = RNG.standard_normal((sparse.shape[0], 2))

    def total(values, dense):
        return (product(Tensor(PLACES), values, (3, 4), dense) * Tensor(weights)).sum()

    found = product(Tensor(PLACES), Tensor(VALUES), (3, 4), given).asnumpy()
    np.testing.assert_allclose(found, sparse @ dense)
    d_values, d_dense = ms.grad(total, (0, 1))(Tensor(VALUES), given)
    slopes = (weights @ dense.T).T if turn_sparse else weights @ dense.T
    np.testing.assert_allclose(d_values.asnumpy(), slopes[tuple(PLACES.T)])
    np.testing.assert_allclose(d_dense.asnumpy(), (sparse.T @ weights).T if turn_dense else sparse.T @ weights)


def test_no_elements_make_zeros():
    none = ops.SparseTensorDenseMatmul()(ops.zeros((0, 2), ms.int64), ops.zeros((0,)), (2, 3), ops.ones((3, 1)))
    assert none.tolist() == [[0], [0]]


@pytest.mark.parametrize(
    ("change", "kind", "part"),
    [
        ({0: Tensor(PLACES + 2)}, ValueError, "'indices' must lie"),
        ({0: Tensor(PLACES.astype(np.float32))}, TypeError, "int32 or int64"),
        ({1: Tensor([1.0])}, TypeError, "one floating dtype"),
        ({1: Tensor(VALUES[:2])}, ValueError, "'indices' must have the shape"),
        ({2: 3}, TypeError, "'sparse_shape'"),
        ({3: Tensor(np.ones((3, 1)))}, ValueError, "'dense' must have 4 rows"),
        ({3: 1.0}, TypeError, "'dense' must be a Tensor"),
    ],
)
def test_what_does_not_fit_is_refused(change, kind, part):
    inputs = {0: Tensor(PLACES), 1: Tensor(VALUES), 2: (3, 4), 3: Tensor(np.ones((4, 1)))} | change
    with pytest.raises(kind, match=f"^For 'SparseTensorDenseMatmul', .*{part}"):
        ops.SparseTensorDenseMatmul()(*inputs.values())
