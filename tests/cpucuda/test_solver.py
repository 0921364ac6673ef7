"""The driver's factorizations give what LAPACK's do."""

import numpy as np
import pytest

pytestmark = pytest.mark.cpucuda
SHAPES = [(3, 3), (5, 3), (3, 5), (1, 1), (4, 1), (40, 6), (2, 4, 3), (2, 3, 4), (2, 40, 35)]


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_singular_values_and_vectors_make_the_matrix(cupy, shape, full):
    a = np.random.default_rng(0).standard_normal(shape)
    u, s, v = (x.get() for x in cupy.linalg.svd(cupy.asarray(a), full_matrices=full))
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), atol=1e-12)
    kept = s.shape[-1]
    np.testing.assert_allclose((u[..., :kept] * s[..., None, :]) @ v[..., :kept, :], a, atol=1e-12)
    for square in (np.swapaxes(u, -1, -2) @ u, v @ np.swapaxes(v, -1, -2)):
        np.testing.assert_allclose(square, np.broadcast_to(np.eye(square.shape[-1]), square.shape), atol=1e-12)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_matrix_of_lower_rank_has_vectors_all_the_same(cupy, rank):
    u, s, v = (x.get() for x in cupy.linalg.svd(cupy.asarray(rank * np.outer(np.arange(1.0, 5), np.ones(3)))))
    assert (s > 1e-12).sum() == rank
    np.testing.assert_allclose(u.T @ u, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(v @ v.T, np.eye(3), atol=1e-12)
