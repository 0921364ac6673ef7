"""linearize, derivative, jet and get_grad; the expected values are those of MindSpore 2.0.0."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

V = Tensor([1.0, 2.0])
X = Tensor([[1.0, 2.0], [3.0, 4.0]])
ONES = Tensor(np.ones((3, 2, 2), np.float32))


def cube(x):
    return x * x * x


def product(x, y):
    return x * y


def pair(x):
    return x * x, x


def close(got, expected):
    np.testing.assert_allclose(got.asnumpy(), np.array(expected), rtol=1e-5, atol=1e-6)


def test_linearize_gives_the_output_and_the_linear_function():
    out, linear = ops.linearize(cube, V)
    close(out, [1, 8])
    close(linear(V), [3, 24])
    close(linear(2 * V), [6, 48])
    close(ops.linearize(product, (V, V))[1]((V, V)), [2, 8])
    first, second = ops.linearize(lambda x, y: (x * y, x), (V, V))[1]((V, V))
    close(first, [2, 8])
    close(second, [1, 2])


@pytest.mark.parametrize(("order", "expected"), [(1, [3, 12]), (2, [6, 12]), (3, [6, 6]), (4, [0, 0])])
def test_derivative_of_an_order(order, expected):
    for primals in (V, (V,), Tensor([1, 2])):
        out, found = ops.derivative(cube, primals, order)
        close(out, [1, 8])
        close(found, expected)


def test_derivative_moves_all_inputs_together():
    close(ops.derivative(product, (V, V), 1)[1], [2, 4])
    close(ops.derivative(lambda x, y: x * x * y, (V, V), 2)[1], [6, 12])
    out, found = ops.derivative(pair, V, 1)
    assert type(out) is type(found) is list
    close(found[0], [2, 4])
    close(found[1], [1, 1])


def test_jet_gives_the_series_of_the_output():
    out, series = ops.jet(cube, X, ONES)
    close(out, [[1, 8], [27, 64]])
    close(series, [[[3, 12], [27, 48]], [[9, 24], [45, 72]], [[27, 54], [87, 126]]])
    close(ops.jet(product, (X, X), (ONES, ONES))[1][2], [[8, 10], [12, 14]])
    given = Tensor(np.arange(12).reshape(3, 2, 2), ms.float32)
    series = ops.jet(ops.sin, X, given)[1]
    close(series[1], [[2.1612091, -2.9900317], [-6.5044346, 2.2357168]])
    assert ops.jet(ops.sin, X, given[0])[1].shape == (1, 2, 2)
    (_, _), (first, second) = ops.jet(pair, X, ONES)
    close(first[1], [[4, 6], [8, 10]])
    close(second, np.ones((3, 2, 2)))


def test_get_grad_finds_the_gradient_of_a_position_or_a_parameter():
    p = ms.Parameter(V, name="p")
    both = ms.grad(product, (0, 1), return_ids=True)(V, 3 * V)
    close(ms.get_grad(both, 1), [1, 2])
    close(ops.get_grad(ms.grad(cube, 0, return_ids=True)(V), 0), [3, 12])
    of_all = ms.grad(lambda x: (x * p, x), 0, [p], has_aux=True, return_ids=True)(V)
    close(ms.get_grad(of_all, p), [1, 2])
    close(ms.get_grad(of_all, 0), [1, 2])
    with pytest.raises(RuntimeError, match="must hold the gradient of 2"):
        ms.get_grad(both, 2)
    with pytest.raises(TypeError, match="'identifier' must be an int or a Parameter"):
        ms.get_grad(both, 1.0)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.linearize(3, V), TypeError),
        (lambda: ops.linearize(cube, 3), TypeError),
        (lambda: ops.derivative(cube, V, 0), ValueError),
        (lambda: ops.derivative(cube, V, 1.0), TypeError),
        (lambda: ops.derivative(cube, 3, 1), TypeError),
        (lambda: ops.derivative(lambda x: 3, V, 1), TypeError),
        (lambda: ops.jet(cube, X, Tensor([1.0])), ValueError),
        (lambda: ops.jet(cube, X, ONES.astype(ms.int32)), TypeError),
        (lambda: ops.jet(cube, 3, ONES), TypeError),
        (lambda: ops.jet(cube, X, (ONES,)), TypeError),
    ],
)
def test_wrong_arguments_end_in_a_sentence(call, error):
    with pytest.raises(error, match=r"^For '.*must .*"):
        call()
