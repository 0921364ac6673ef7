"""Layers of mathematics: MatMul, Moments, ReduceLogSumExp, Range."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn

A = np.random.default_rng(0).normal(size=(2, 3, 4))
B = np.random.default_rng(1).normal(size=(2, 4, 5))


def turned(x, whether):
    return x.swapaxes(-1, -2) if whether else x


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_a_product_transposes_either_factor_and_has_its_gradient(first, second):
    layer, x, y = nn.MatMul(first, second), ms.Tensor(turned(A, first)), ms.Tensor(turned(B, second))
    np.testing.assert_allclose(layer(x, y).asnumpy(), A @ B, rtol=1e-12)
    gradient = ms.grad(lambda t: layer(t, y).sum())(x).asnumpy()
    np.testing.assert_allclose(gradient, turned(np.ones((2, 3, 5)) @ B.swapaxes(-1, -2), first), rtol=1e-12)


def test_a_product_of_vectors_is_a_number():
    assert float(nn.MatMul(True, True)(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 2.0, 3.0]))) == 14.0


@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
@pytest.mark.parametrize("keep", [None, True])
def test_moments_are_numpys(axis, keep):
    mean, variance = nn.Moments(axis, keep)(ms.Tensor(A))
    np.testing.assert_allclose(mean.asnumpy(), A.mean(axis, keepdims=bool(keep)), rtol=1e-12)
    np.testing.assert_allclose(variance.asnumpy(), A.var(axis, keepdims=bool(keep)), rtol=1e-12)
    gradient = ms.grad(lambda t: nn.Moments()(t)[1])(ms.Tensor(A)).asnumpy()
    np.testing.assert_allclose(gradient, 2 * (A - A.mean()) / A.size, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("axis", "keep"), [(1, False), ((0, 1), True)])
def test_a_sum_of_exponentials_is_its_logarithm_and_its_gradient_the_softmax(axis, keep):
    total = np.exp(A).sum(axis, keepdims=keep)
    np.testing.assert_allclose(nn.ReduceLogSumExp(axis, keep)(ms.Tensor(A)).asnumpy(), np.log(total), rtol=1e-12)
    gradient = ms.grad(lambda t: nn.ReduceLogSumExp(axis)(t).sum())(ms.Tensor(A)).asnumpy()
    np.testing.assert_allclose(gradient, np.exp(A) / np.exp(A).sum(axis, keepdims=True), rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "expected", "dtype"),
    [((1, 8, 2), [1, 3, 5, 7], ms.int32), ((1.0, 2.0, 0.5), [1.0, 1.5], ms.float32), ((3,), [0, 1, 2], ms.int32)],
)
def test_a_range_has_its_numbers(arguments, expected, dtype):
    found = nn.Range(*arguments)()
    assert (found.asnumpy().tolist(), found.dtype) == (expected, dtype)


REFUSALS = [
    (TypeError, "For 'MatMul', the 'transpose_x1' must be a bool", lambda: nn.MatMul(3)),
    (TypeError, "For 'MatMul', the 'x2' must be a Tensor", lambda: nn.MatMul()(ms.Tensor(A), 3)),
    (TypeError, "For 'Moments', the 'keep_dims' must be a bool", lambda: nn.Moments(0, 3)),
    (TypeError, "For 'ReduceLogSumExp', the 'axis' must be an int", lambda: nn.ReduceLogSumExp("a")),
    (TypeError, "For 'Range', the 'start' must be a number", lambda: nn.Range("a", 3)),
    (ValueError, "For 'Range', the 'delta' must not be 0", lambda: nn.Range(0, 3, 0)),
]


@pytest.mark.parametrize(("kind", "message", "call"), REFUSALS)
def test_wrong_arguments_are_refused(kind, message, call):
    with pytest.raises(kind, match=message):
        call()
