"""Lines of reductions to extremes and lengths, and of matrices."""

import numpy as np

from minispore import Tensor, ops
from minispore.ops.operations.linalg.factors import Eigh
from minispore.tools.testing.primitives.case import distinct, line, nonzero, products, reals


def _axes(function, **kwargs):
    return lambda x, axis=(): function(x, axis=axis or None, **kwargs)


def _norm(x, p, axis, keepdims=False):
    return np.power((np.abs(x) ** p).sum(axis, keepdims=keepdims), 1 / p)


def _distances(x, y, p):
    return _norm(x[..., :, None, :] - y[..., None, :, :], p, -1)


def _renormed(x, p, axes, most):
    return x * np.minimum(1, most / _norm(x, p, axes, keepdims=True))


def _invertible(*shape):
    """Matrices whose diagonal is larger than the rest of their rows."""
    return lambda rng: rng.uniform(-0.5, 0.5, shape) + np.eye(shape[-1]) * 3


def _positive_definite(*shape):
    def draw(rng):
        x = rng.uniform(-2.0, 2.0, shape)
        return x @ x.swapaxes(-1, -2) + np.eye(shape[-1])

    return draw


def _with_gaps(*shape):
    """Matrices whose diagonals are far apart, and so their eigenvalues."""
    return lambda rng: rng.uniform(-0.3, 0.3, (*shape, shape[-1])) + np.diag(np.arange(shape[-1]) * 3.0)


def _lower_median(x, axis):
    ordered = np.sort(x, axis)
    value = np.take(ordered, (x.shape[axis] - 1) // 2, axis)
    return value, np.argmax(x == np.expand_dims(value, axis), axis)


_POSITIONS = "the other output says where the element stands, in whole numbers"
_ZEROS = "the other outputs are zeros, and signs of singular vectors are free: operations/linalg/test_svd.py"
_TERM = 2.0**-21  # what is left of numbers of size 1 to 8, computed in float32, where they cancel

# fmt: off
LINES = [
    # products of rows, with zeros
    line(ops.ReduceProd(), nonzero(2, 5), (), oracle=_axes(np.prod)),
    line(ops.ReduceProd(True), nonzero(2, 3, 4), (0, 2), oracle=_axes(np.prod, keepdims=True)),
    line(ops.ReduceProd(), lambda rng: np.where(rng.random((4, 3)) < 0.4, 0.0, rng.uniform(0.5, 2, (4, 3))), (1,),
         oracle=_axes(np.prod)),
    line(ops.ReduceProd(), nonzero(0, 3), (0,), oracle=_axes(np.prod)),
    line(ops.ReduceProd(), nonzero(), (), oracle=_axes(np.prod)),
    # extremes
    line(ops.ArgMinWithValue(1), distinct(3, 4), oracle=lambda x: (x.argmin(1), x.min(1))),
    line(ops.ArgMinWithValue(0, True), distinct(3, 4), oracle=lambda x: (x.argmin(0)[None], x.min(0)[None])),
    line(ops.Median(), distinct(3, 4), through=(0,), reason=_POSITIONS, oracle=lambda x: _lower_median(x, 0)),
    line(ops.Median(False, -1, True), distinct(3, 4), through=(0,), reason=_POSITIONS,
         oracle=lambda x: tuple(y[:, None] for y in _lower_median(x, -1))),
    line(ops.Median(True), distinct(3, 4), through=(0,), reason=_POSITIONS,
         oracle=lambda x: _lower_median(x.reshape(-1), 0)),
    line(ops.Median(), distinct(), through=(0,), reason=_POSITIONS, oracle=lambda x: (x, np.zeros(()))),
    # lengths
    line(ops.LpNorm(1), nonzero(3, 4), slack=_TERM, oracle=lambda x: _norm(x, 2, 1)),
    line(ops.LpNorm([0, 1], 3, True), nonzero(3, 4), slack=_TERM, oracle=lambda x: _norm(x, 3, (0, 1), True)),
    line(ops.LpNorm(0, 1), nonzero(3), slack=_TERM, oracle=lambda x: np.abs(x).sum()),
    line(ops.LpNorm(0, 0), nonzero(3, 2), oracle=lambda x: np.full(2, 3.0)),
    line(ops.Cdist(), reals(2, 3, 2), reals(2, 4, 2), slack=_TERM, oracle=lambda x, y: _distances(x, y, 2)),
    line(ops.Cdist(1.0), reals(3, 2), reals(2, 2, low=3.0, high=4.0), slack=_TERM,
         oracle=lambda x, y: _distances(x, y, 1)),
    line(ops.Cdist(2.5), reals(3, 2), reals(2, 2, low=3.0, high=4.0), slack=_TERM,
         oracle=lambda x, y: _distances(x, y, 2.5)),
    line(ops.Cdist(np.inf), reals(1, 3), reals(1, 3, low=5.0, high=9.0), slack=_TERM,
         oracle=lambda x, y: np.abs(x - y).max(keepdims=True)),
    line(ops.L2Normalize(1), nonzero(3, 4), slack=_TERM,
         oracle=lambda x: x / np.linalg.norm(x, axis=1, keepdims=True)),
    line(ops.L2Normalize([0], 400.0), nonzero(3, 2), slack=_TERM, oracle=lambda x: x / 20),
    line(ops.Renorm(2, 0, 3.0), nonzero(4, 3), slack=_TERM, oracle=lambda x: _renormed(x, 2, 1, 3.0)),
    line(ops.Renorm(1, -2, 5.0), nonzero(2, 3, 2), slack=_TERM, oracle=lambda x: _renormed(x, 1, (0, 2), 5.0)),
    line(ops.Renorm(3, 0, 1.0), nonzero(5), slack=_TERM, oracle=lambda x: np.clip(x, -1, 1),
         wrong=[
             (ValueError, "'p' must be above 0", lambda: ops.Renorm(0, 0, 1.0)),
             (TypeError, "'p' must be an int", lambda: ops.renorm(Tensor([1.0]), 2.0, 0, 1.0)),
             (ValueError, "'maxnorm' must be finite and at least 0", lambda: ops.Renorm(2, 0, -1.0)),
             (TypeError, "'maxnorm' must be a float", lambda: Tensor([1.0]).renorm(2, 0, 1)),
             (ValueError, "axis", lambda: ops.Renorm(2, 1, 1.0)(Tensor([1.0]))),
             (TypeError, "'input_x' must", lambda: ops.Renorm(2, 0, 1.0)(Tensor([1]))),
         ]),
    line(ops.ReduceStd(), reals(3, 4), slack=_TERM, oracle=lambda x: (x.std(ddof=1), x.mean())),
    line(ops.ReduceStd((0, -1), False, True), reals(3, 2, 2), slack=_TERM,
         oracle=lambda x: (x.std((0, 2), keepdims=True), x.mean((0, 2), keepdims=True))),
    line(ops.L2Loss(), reals(2, 3), slack=_TERM, oracle=lambda x: (x * x).sum() / 2),
    line(ops.SquareSumAll(), reals(2, 3), reals(2, 3), slack=_TERM,
         oracle=lambda x, y: ((x * x).sum(), (y * y).sum())),
    # matrices
    line(ops.MatrixInverse(), _invertible(2, 3, 3), oracle=np.linalg.inv),
    line(ops.MatrixInverse(True), _invertible(3, 3), oracle=lambda x: np.linalg.inv(x.T)),
    line(ops.MatrixDeterminant(), _invertible(2, 3, 3), oracle=np.linalg.det),
    line(ops.LogMatrixDeterminant(), _invertible(2, 3, 3), oracle=lambda x: tuple(np.linalg.slogdet(x)), through=(1,),
         reason="the sign is constant wherever it has a derivative"),
    line(ops.MatrixSolve(), _invertible(2, 3, 3), reals(2, 3, 2), slack=_TERM, oracle=np.linalg.solve),
    line(ops.MatrixSolve(True), _invertible(3, 3), reals(3, 1), slack=_TERM,
         oracle=lambda a, b: np.linalg.inv(a.T) @ b),
    line(ops.Cholesky(), _positive_definite(2, 3, 3), slack=_TERM, oracle=np.linalg.cholesky),
    line(ops.Cholesky(True), _positive_definite(3, 3), slack=_TERM, oracle=lambda x: np.linalg.cholesky(x).T),
    line(ops.Trace(), reals(3, 4), slack=_TERM, oracle=np.trace),
    line(ops.MatrixBandPart(), reals(2, 4, 3), 1, 0, oracle=lambda x, lower, upper: np.tril(np.triu(x, -1))),
    line(ops.MatrixBandPart(), reals(3, 4), -1, 1, oracle=lambda x, lower, upper: np.tril(x, 1)),
    line(ops.Svd(compute_uv=False), reals(2, 4, 3), through=(0,), reason=_ZEROS, slack=_TERM,
         oracle=lambda x: (np.linalg.svd(x, compute_uv=False), [0.0], [0.0])),
    line(ops.Svd(True, False), reals(2, 3), through=(0,), reason=_ZEROS, slack=_TERM),
    line(ops.Qr(), reals(2, 4, 3), slack=_TERM, oracle=lambda x: tuple(np.linalg.qr(x))),
    line(ops.Qr(True), reals(3, 3), slack=_TERM, oracle=lambda x: tuple(np.linalg.qr(x))),
    line(Eigh(), _with_gaps(2, 3), slack=_TERM, oracle=lambda x: tuple(np.linalg.eigh(x))),
    line(Eigh(False), _with_gaps(3), slack=_TERM, oracle=lambda x: tuple(np.linalg.eigh(x, "U"))),
    line(ops.Cross(), reals(2, 3), reals(2, 3), oracle=np.cross),
    line(ops.Cross(0), reals(3, 2), reals(3, 2), oracle=lambda x, y: np.cross(x, y, axis=0)),
    line(ops.BatchMatMul(), reals(1, 2, 3), reals(3, 3, 0), oracle=np.matmul, slack=products(3)),
]
# fmt: on
