"""Linear equations of complex numbers, as MindSpore 2.0.0 solves them, and their gradients."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.ops.operations import MatrixSolve

DRAWN = np.random.default_rng(3)
A, B, UP = (DRAWN.standard_normal((2, *shape, 2)).view(complex)[..., 0] for shape in ((3, 3), (3, 2), (3, 2)))


def adjoint_of(x):
    return x.conj().swapaxes(-1, -2)


@pytest.mark.parametrize("adjoint", [False, True])
def test_complex_equations_are_solved_and_differentiated(adjoint):
    """For ``a x = b`` the gradient of b is ``g = a^-H dout``, and that of a is ``-g x^H``."""
    matrix = adjoint_of(A) if adjoint else A
    found, back = ms.vjp(MatrixSolve(adjoint), ms.Tensor(A), ms.Tensor(B))
    x = np.linalg.solve(matrix, B)
    np.testing.assert_allclose(found.asnumpy(), x, rtol=1e-10)
    of_b = np.linalg.solve(adjoint_of(matrix), UP)
    of_matrix = -of_b @ adjoint_of(x)
    of_a = adjoint_of(of_matrix) if adjoint else of_matrix
    for one, other in zip(back(ms.Tensor(UP)), (of_a, of_b), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-9)


def test_one_number_has_the_norm_of_a_vector_of_one_element():
    for order in (None, 1, 2):
        assert float(ops.norm(ms.Tensor(-3.0), order, dim=0)) == float(ops.norm(ms.Tensor(-3.0), order, dim=-1)) == 3.0
    assert ops.norm(ms.Tensor(-3.0), dim=0, keepdim=True).shape == ()
    with pytest.raises(ValueError, match="axis"):
        ops.norm(ms.Tensor(-3.0), dim=1)
