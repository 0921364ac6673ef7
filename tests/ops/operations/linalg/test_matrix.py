"""Linear equations of complex numbers, as MindSpore 2.0.0 solves them, and their gradients."""

import numpy as np
import pytest
import torch

import minispore as ms
from minispore import ops
from minispore.ops.operations import MatrixSolve

DRAWN = np.random.default_rng(3)
A, B, UP = (DRAWN.standard_normal((2, *shape, 2)).view(complex)[..., 0] for shape in ((3, 3), (3, 2), (3, 2)))


def solved(a, b, adjoint):
    return torch.linalg.solve(a.mH if adjoint else a, b)


@pytest.mark.parametrize("adjoint", [False, True])
def test_complex_equations_are_solved_and_differentiated(adjoint):
    inputs = [torch.tensor(x, requires_grad=True) for x in (A, B)]
    out = solved(*inputs, adjoint)
    expected = torch.autograd.grad(out, inputs, torch.tensor(UP))
    found, back = ms.vjp(MatrixSolve(adjoint), ms.Tensor(A), ms.Tensor(B))
    np.testing.assert_allclose(found.asnumpy(), out.detach().numpy(), rtol=1e-10)
    for one, other in zip(back(ms.Tensor(UP)), expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.resolve_conj().numpy(), rtol=1e-9)


def test_one_number_has_the_norm_of_a_vector_of_one_element():
    for order in (None, 1, 2):
        assert float(ops.norm(ms.Tensor(-3.0), order, dim=0)) == float(ops.norm(ms.Tensor(-3.0), order, dim=-1)) == 3.0
    assert ops.norm(ms.Tensor(-3.0), dim=0, keepdim=True).shape == ()
    with pytest.raises(ValueError, match="axis"):
        ops.norm(ms.Tensor(-3.0), dim=1)
