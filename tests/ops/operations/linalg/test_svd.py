"""Singular vectors: what they are, and the gradients that pass through them."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

import minispore as ms
from minispore import Tensor, ops

RNG = np.random.default_rng(4)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_the_product_of_its_parts_is_the_matrix(shape, full):
    x = Tensor(RNG.standard_normal(shape))
    s, u, v = ops.svd(x, full_matrices=full)
    rank = s.shape[-1]
    assert u.shape[-1] == (shape[-2] if full else rank) and v.shape[-1] == (shape[-1] if full else rank)
    product = (u[..., :rank] * s.expand_dims(-2)).asnumpy() @ v[..., :rank].asnumpy().swapaxes(-1, -2)
    np.testing.assert_allclose(product, x.asnumpy(), atol=1e-12)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_the_gradient_through_vectors_is_the_difference_quotient(shape):
    x = RNG.standard_normal(shape)
    weights = [Tensor(RNG.standard_normal(y.shape)) for y in ops.svd(Tensor(x))]

    def total(x):  # in squares, since the signs of vectors are free
        s, u, v = ops.svd(x)
        return (s * weights[0]).sum() + (u * u * weights[1]).sum() + (v * v * weights[2]).sum()

    assert_differentiated(total, x)


def test_square_vectors_of_other_matrices_have_no_gradient():
    with pytest.raises(ValueError, match=r"^For 'Svd', the 'full_matrices' must be False for a gradient"):
        ms.grad(lambda x: ops.svd(x, full_matrices=True)[1].sum())(ops.ones((3, 2)))
