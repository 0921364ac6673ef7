"""Factors of matrices and what is solved by them: the matrix comes back, and what does not fit is refused."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

RNG = np.random.default_rng(3)


def drawn(*shape):
    return RNG.standard_normal(shape)


def close(found, expected, rtol=1e-10):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (2, 4, 2), (2, 3, 5), (4, 0)])
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr_gives_the_matrix_back(shape, mode):
    x = drawn(*shape)
    q, r = ops.qr(Tensor(x), mode)
    close(ops.matmul(q, r), x)
    close(ops.matmul(q.swapaxes(-1, -2), q), np.broadcast_to(np.eye(q.shape[-1]), q.shape[:-2] + (q.shape[-1],) * 2))
    close(r, np.triu(r.asnumpy()))


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (2, 4, 2)])
def test_reflections_make_the_orthogonal_factor(shape):
    x = drawn(*shape)
    y, tau = ops.geqrf(Tensor(x))
    close(ops.matmul(ops.orgqr(y, tau), ops.triu(y)[..., : shape[-1], :]), x)


def reflected(y, tau):
    """The first columns of the product of the reflections."""
    out = np.eye(len(y))
    for i, t in enumerate(tau):
        v = np.concatenate((np.zeros(i), [1.0], y[i + 1 :, i]))
        out = out @ (np.eye(len(y)) - t * np.outer(v, v))
    return out[:, : y.shape[1]]


def test_orgqr_of_fewer_reflections_and_its_gradient():
    y, tau = drawn(4, 3), drawn(2)
    close(ops.orgqr(Tensor(y), Tensor(tau)), reflected(y, tau))
    weights, dy, dtau, step = drawn(4, 3), drawn(4, 3), drawn(2), 1e-6
    found = ms.grad(lambda a, t: (ops.orgqr(a, t) * Tensor(weights)).sum(), (0, 1))(Tensor(y), Tensor(tau))
    slope = (found[0].asnumpy() * dy).sum() + (found[1].asnumpy() * dtau).sum()
    ends = [(reflected(y + s * dy, tau + s * dtau) * weights).sum() for s in (step, -step)]
    np.testing.assert_allclose(slope, (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


def test_eigenvalues_and_vectors_are_those_of_the_matrix():
    x = drawn(2, 4, 4)
    u, v = ops.eig(Tensor(x))
    assert u.dtype == ms.complex128
    close(ops.matmul(Tensor(x.astype(np.complex128)), v), v.asnumpy() * u.asnumpy()[:, None, :])
    alone, nothing = ops.Eig()(Tensor(x))
    close(alone, u.asnumpy())
    assert nothing.shape == ()


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_factors_invert_and_solve(upper):
    x, b = drawn(2, 3, 3), drawn(2, 3, 2)
    x = x @ x.swapaxes(-1, -2) + np.eye(3)
    factor = ops.cholesky(Tensor(x), upper) + (ops.tril if upper else ops.triu)(Tensor(drawn(2, 3, 3)), 2 - 3 * upper)
    close(ops.cholesky_inverse(factor, upper), np.linalg.inv(x))
    close(ops.cholesky_solve(Tensor(b), factor, upper), np.linalg.solve(x, b))


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (2, 4)])
def test_lstsq_is_the_shortest_solution(shape):
    x, b = drawn(*shape), drawn(shape[0], 2)
    close(ops.lstsq(Tensor(x), Tensor(b)), np.linalg.lstsq(x, b, rcond=None)[0])
    close(ops.lstsq(Tensor(x), Tensor(b[:, 0])), np.linalg.lstsq(x, b[:, :1], rcond=None)[0])


def test_lstsq_rounds_float16_once():
    x, b = (drawn(4, n).astype(np.float16) for n in (2, 1))
    expected = np.linalg.lstsq(x.astype(float), b.astype(float), rcond=None)[0]
    found = ops.lstsq(Tensor(x), Tensor(b))
    assert found.dtype == ms.float16
    close(found, expected, 1e-3)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 6, -1, -3])
def test_matrix_power_is_numpys(n):
    x = drawn(2, 3, 3)
    close(ops.matrix_power(Tensor(x), n), np.linalg.matrix_power(x, n), 1e-8)
    close(Tensor(x).matrix_power(n), np.linalg.matrix_power(x, n), 1e-8)


X, SQUARE = Tensor(drawn(2, 3)), Tensor(drawn(3, 3))
WRONG = [
    (ValueError, "For 'qr', the 'mode' must be", lambda: ops.qr(X, "r")),
    (TypeError, "For 'Qr', the 'x' must be a floating Tensor", lambda: ops.qr(Tensor([[1]]))),
    (ValueError, "For 'Qr', the 'x' must have at least as many rows", lambda: ms.grad(lambda x: ops.qr(x)[1].sum())(X)),
    (ValueError, "For 'orgqr', the 'input' must have at least as many rows", lambda: ops.orgqr(X, Tensor([1.0]))),
    (ValueError, "For 'orgqr', the 'input2' must have the shape", lambda: ops.orgqr(SQUARE, Tensor([1.0] * 4))),
    (ValueError, "For 'Eig', the 'x' must be square", lambda: ops.eig(X)),
    (ValueError, "For 'cholesky_inverse', the 'input_x' must be square", lambda: ops.cholesky_inverse(X)),
    (TypeError, "For 'cholesky_solve', the 'upper' must be a bool", lambda: ops.cholesky_solve(SQUARE, SQUARE, 1)),
    (ValueError, "For 'lu_solve', the 'b' must have the shape", lambda: ops.lu_solve(X, SQUARE, Tensor([1, 2, 3]))),
    (TypeError, "For 'RowOrder', the 'pivots' must be a Tensor of ints", lambda: ops.lu_unpack(SQUARE, SQUARE[0])),
    (ValueError, "For 'lstsq', the 'A' must have 1 or 2 axes and 2 rows", lambda: ops.lstsq(X, SQUARE)),
    (TypeError, "For 'matrix_power', the 'n' must be an int", lambda: ops.matrix_power(SQUARE, 1.5)),
    (ValueError, "For 'matrix_power', the 'input' must be square", lambda: ops.matrix_power(X, 2)),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=part):
        call()


def test_the_gradient_of_a_triangular_factor_goes_to_its_triangle():
    lower = Tensor(np.tril(drawn(3, 3)) + 3 * np.eye(3))
    assert (np.triu(ms.grad(ops.cholesky_inverse)(lower).asnumpy(), 1) == 0).all()


def test_the_transform_of_real_numbers_is_that_of_complex_ones():
    x = drawn(4)
    close(ops.fft(Tensor(x)), np.fft.fft(x))
    assert ops.fft(Tensor(x.astype(np.float32))).dtype == ms.complex64
