"""SciPy's names of linear algebra are those of ops."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops
from minispore.scipy import linalg

A = Tensor(np.float32([[4, 2], [2, 3]]))


def test_inverses_factors_and_blocks_are_numpys():
    np.testing.assert_allclose(linalg.inv(A).asnumpy(), np.linalg.inv(A.asnumpy()), rtol=1e-5)
    lower = np.linalg.cholesky(A.asnumpy())
    np.testing.assert_allclose(linalg.cholesky(A).asnumpy(), lower.T, rtol=1e-5)
    np.testing.assert_allclose(linalg.cholesky(A, lower=True).asnumpy(), lower, rtol=1e-5)
    assert linalg.block_diag(A, A).shape == (4, 4)


def test_a_switch_must_be_a_bool():
    with pytest.raises(TypeError, match=r"^For 'inv', the 'overwrite_a' must be a bool"):
        linalg.inv(A, 1)
    with pytest.raises(TypeError, match=r"^For 'cholesky', the 'lower' must be a bool"):
        linalg.cholesky(A, 1)


RNG = np.random.default_rng(1)


def close(found, expected, rtol=1e-9):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=rtol, atol=rtol)


def test_what_mindspore_gives():
    """Recorded from MindSpore 2.0.0, for the same two matrices."""
    a = Tensor(np.float32([[4, 1, 2], [1, 5, 3], [2, 3, 6]]))
    close(linalg.eigh(a, eigvals_only=True), [2.19439697265625, 3.3867695331573486, 9.418828010559082], 1e-6)
    close(
        linalg.cho_factor(a)[0], [[2, 0.5, 1], [0, 2.1794495582580566, 1.1470786333084106], [0, 0, 1.919429779]], 1e-6
    )
    close(linalg.cho_solve(linalg.cho_factor(a), Tensor(np.float32([1, 2, 3]))), [0, 1 / 7, 3 / 7], 1e-6)
    p, lower, upper = linalg.lu(Tensor(np.float32([[1, 2, 3], [4, 5, 6.5], [7, 8, 10]])))
    assert p.dtype == ms.int32
    close(p, [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    close(lower, [[1, 0, 0], [0.1428571492433548, 1, 0], [0.5714285969734192, 0.4999997913837433, 1]], 1e-6)
    close(upper, [[7, 8, 10], [0, 0.8571428060531616, 1.5714285373687744], [0, 0, 1.7881393432617188e-07]], 1e-6)
    blocks = linalg.block_diag(Tensor([[1, 2]], ms.int64), Tensor([[3]], ms.int32))
    assert blocks.dtype == ms.int64
    close(blocks, [[1, 2, 0], [0, 0, 3]])


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (2, 4), (2, 3, 3), (1, 1)])
def test_lu_gives_the_matrix_back_by_the_largest_pivots(shape):
    x = RNG.standard_normal(shape)
    p, lower, upper = linalg.lu(Tensor(x))
    close(p.astype(ms.float64) @ lower @ upper, x)
    permuted, upper = linalg.lu(Tensor(x), permute_l=True)
    close(permuted @ upper, x)
    assert abs(lower.asnumpy()).max() <= 1  # the largest of each column is the pivot
    assert (linalg.lu_factor(Tensor(x))[1].asnumpy() >= np.arange(min(shape[-2:]))).all()


@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("columns", [(), (2,)])
def test_factors_solve(trans, columns):
    x, b = RNG.standard_normal((4, 4)), RNG.standard_normal((4, *columns))
    turned = x.T if trans else x
    close(linalg.lu_solve(linalg.lu_factor(Tensor(x)), Tensor(b), trans), np.linalg.solve(turned, b), 1e-8)
    lower = np.tril(turned) if not trans else np.tril(x).T
    close(linalg.solve_triangular(Tensor(x), Tensor(b), trans, lower=True), np.linalg.solve(lower, b), 1e-8)
    unit = np.triu(x, 1) + np.eye(4)
    found = linalg.solve_triangular(Tensor(x), Tensor(b), "T" if trans else "N", unit_diagonal=True)
    close(found, np.linalg.solve(unit.T if trans else unit, b), 1e-8)


def test_eigh_gives_the_matrix_back_from_either_triangle():
    x = RNG.standard_normal((2, 4, 4))
    for lower in (True, False):
        w, v = linalg.eigh(Tensor(x), lower=lower)
        triangle = np.tril(x) if lower else np.triu(x)
        whole = triangle + np.swapaxes(triangle, -1, -2) - triangle * np.eye(4)
        close(ops.matmul(v * w.expand_dims(-2), v.swapaxes(-1, -2)), whole)
    close(linalg.det(Tensor(x)), np.linalg.det(x))


@pytest.mark.parametrize(
    ("part", "call"),
    [
        ("For 'eigh', the 'b' must be None", lambda: linalg.eigh(A, A)),
        ("For 'eigh', the 'type' must be", lambda: linalg.eigh(A, type=2)),
        ("For 'lu_solve', the 'trans' must be", lambda: linalg.lu_solve(linalg.lu_factor(A), A, 3)),
        ("For 'solve_triangular', the 'trans' must be", lambda: linalg.solve_triangular(A, A, "X")),
        ("For 'LU', the 'a' must have at least 2 axes", lambda: linalg.lu_factor(A[0])),
        ("For 'Eigh', the 'a' must be square", lambda: linalg.eigh(A[:1])),
    ],
)
def test_what_does_not_fit_is_refused(part, call):
    with pytest.raises(ValueError, match=part):
        call()


@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3)])
def test_lu_parts_give_the_matrix_back_and_solve(shape):
    x, b = RNG.standard_normal(shape), RNG.standard_normal((*shape[:-1], 2))
    packed, pivots = linalg.lu_factor(Tensor(x))
    pivots = pivots + 1
    p, lower, upper = ops.lu_unpack(packed, pivots)
    np.testing.assert_allclose(ops.matmul(ops.matmul(p, lower), upper).asnumpy(), x, rtol=1e-10, atol=1e-10)
    solved = ops.lu_solve(Tensor(b), packed, pivots).asnumpy()
    np.testing.assert_allclose(solved, np.linalg.solve(x, b), rtol=1e-10, atol=1e-10)
    assert ops.lu_unpack(packed, pivots, False)[1:] == (None, None)
    assert ops.LuUnpack(unpack_pivots=False)(packed, pivots)[0] is None
