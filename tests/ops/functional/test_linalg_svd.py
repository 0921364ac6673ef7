"""Pseudo-inverses, products of batches, norms by singular values, and what they refuse."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

X = np.random.default_rng(5).standard_normal((2, 4, 3))


def test_a_pseudo_inverse_is_numpys():
    np.testing.assert_allclose(ops.pinv(Tensor(X)).asnumpy(), np.linalg.pinv(X), atol=1e-12)
    flat = np.outer([1.0, 2.0], [3.0, 4.0])
    np.testing.assert_allclose(ops.pinv(Tensor(flat)).asnumpy(), np.linalg.pinv(flat), atol=1e-12)
    tolerances = Tensor(np.array([0.0, 100.0]))
    np.testing.assert_array_equal(ops.pinv(Tensor(X), atol=tolerances).asnumpy()[1], np.zeros((3, 4)))
    assert ops.pinv(ops.zeros((0, 3))).shape == (3, 0)


@pytest.mark.parametrize("order", ["nuc", 2, -2])
def test_a_norm_by_singular_values_is_numpys(order):
    for axes in ((1, 2), (2, 0), (-1, -2)):
        for keep in (False, True):
            found = ops.norm(Tensor(X), order, axes, keep).asnumpy()
            np.testing.assert_allclose(found, np.linalg.norm(X, order, axes, keep), atol=1e-12)
    assert Tensor(X[0], ms.float16).norm(order).dtype == ms.float16


def test_an_einsum_of_a_primitive_is_that_of_the_function():
    x, y = Tensor(X[0]), Tensor(X[1])
    found = ops.Einsum("ij,kj->ik")((x, y)).asnumpy()
    np.testing.assert_array_equal(found, ops.einsum("ij,kj->ik", x, y).asnumpy())
    np.testing.assert_allclose(found, X[0] @ X[1].T)


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: ops.pinv(Tensor([[1]])), TypeError, "float32 or float64"),
        (lambda: ops.pinv(Tensor([1.0])), ValueError, "at least 2 axes"),
        (lambda: ops.pinv(ops.ones((2, 3)), hermitian=True), ValueError, "square"),
        (lambda: ops.pinv(ops.ones((2, 3)), rtol="a"), TypeError, "'rtol'"),
        (lambda: ops.svd(Tensor([1.0])), ValueError, "at least 2 axes"),
        (lambda: ops.Svd(1), TypeError, "'full_matrices'"),
        (lambda: ops.t(ops.ones((1, 1, 1))), ValueError, "at most 2 axes"),
        (lambda: ops.norm(ops.ones((2, 2)), "nuc", (0, 0)), ValueError, "two axes"),
        (lambda: ops.norm(ops.ones((2, 2)), "nuc", 0), TypeError, "for vectors"),
        (lambda: ops.batch_dot(ops.ones((2, 3)), ops.ones((3, 3))), ValueError, "first ones of one length"),
        (lambda: ops.batch_dot(ops.ones((2, 3)), ops.ones((2, 4))), ValueError, "summed over must have one length"),
        (lambda: ops.batch_dot(ops.ones((2, 3)), ops.ones((2, 3)), 0), ValueError, "not name the first axis"),
        (lambda: ops.batch_dot(ops.ones((2, 3)), ops.ones((2, 3)), (1,)), ValueError, "a pair of ints"),
        (lambda: ops.batch_dot(Tensor([[1]]), Tensor([[1]])), TypeError, "one floating dtype"),
        (lambda: ops.Einsum("ij")(ops.ones((2, 2))), TypeError, "a tuple or a list"),
        (lambda: ops.Einsum("ij")((Tensor([[1]]),)), TypeError, "a floating Tensor"),
        (lambda: ops.Einsum(3), TypeError, "'equation'"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For '.*{part}"):
        call()


@pytest.mark.parametrize("order", [np.ones(2), True, [2], {}])
def test_an_order_that_matrices_do_not_have_is_refused(order):
    with pytest.raises(ValueError, match=r"^For 'norm', the 'ord' must be"):
        ms.ops.norm(ms.ops.ones((2, 3)), order)
