"""Factors of matrices: orthogonal and triangular, triangular twice, eigenvalues. float16 is computed in float32."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import COMPLEX
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels import lu as factoring
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.array.scatter import check_indices
from minispore.ops.operations.linalg.matmul import BatchMatMul
from minispore.ops.operations.linalg.matrix import MatrixBandPart, MatrixSolve, check_square
from minispore.ops.operations.linalg.svd import diagonal_matrices, gaps
from minispore.ops.type_checks import check_float

__all__ = ["Eig", "Geqrf", "Qr"]

_matmul, _matmul_nt, _matmul_tn = BatchMatMul(), BatchMatMul(False, True), BatchMatMul(True, False)
_band, _solve = MatrixBandPart(), MatrixSolve()


def check_matrices(op, argument, x):
    """Raise unless x is a floating Tensor of at least two axes."""
    check_float(op, argument, x)
    if len(x.shape) < 2:
        raise value_error(op.name, f"the '{argument}' must have at least 2 axes", f"shape {x.shape}")


class Qr(Primitive):
    """Orthogonal and triangular factor of matrices, ``x = q @ r``: ``(q, r)``.

    Shapes: (..., M, N) gives (..., M, K) and (..., K, N), where K is min(M, N), or M with ``full_matrices``. Dtypes:
    floats, kept; TypeError for ints, bools and complex.

    Args:
        full_matrices (bool): If True, q is square. Default: False.

    Raises:
        ValueError: If x has fewer than 2 axes, or a gradient is asked for through a wide matrix, or through a square q
            of a matrix that is not square.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> q, r = ops.Qr()(ms.Tensor([[0.0, 2.0], [3.0, 4.0]]))
        >>> print((q @ r).round())
        [[0. 2.]
         [3. 4.]]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, full_matrices: bool = False) -> None:
        self.add_prim_attr("full_matrices", check_bool(self.name, "full_matrices", full_matrices))

    def infer(self, x):
        check_matrices(self, "x", x)
        *lead, rows, columns = x.shape
        inner = rows if self.full_matrices else min(rows, columns)
        return Spec((*lead, rows, inner), x.dtype), Spec((*lead, inner, columns), x.dtype)

    def compute(self, xp, x):
        q, r = xp.linalg.qr(widen(xp, x), "complete" if self.full_matrices else "reduced")
        return narrow(xp, q, x.dtype), narrow(xp, r, x.dtype)

    def bprop(self, x, out, dout):
        rows, columns = x.shape[-2:]
        if rows < columns or (self.full_matrices and rows != columns):
            expected = "the 'x' must have at least as many rows as columns, and q as many columns, for a gradient"
            raise value_error(self.name, expected, f"shape {x.shape}")
        (q, r), (dq, dr) = out, dout
        inner = _matmul_nt(r, dr) - _matmul_tn(dq, q)
        mirrored = _band(inner, -1, 0) + _strictly_lower(inner).swapaxes(-1, -2)
        return _solve(r, (dq + _matmul(q, mirrored)).swapaxes(-1, -2)).swapaxes(-1, -2)


def _strictly_lower(x):
    return _band(x, -1, 0) - _band(x, 0, 0)


class Geqrf(Primitive):
    """Orthogonal factor of matrices as reflections: ``(y, tau)``, r in y's upper triangle, their vectors below it.

    The i-th reflection is ``1 - tau[i] * v @ v.T``; v is 0 above i, 1 at i, and y's column i below. It has no gradient:
    one that is asked for is an error.

    Shapes: (..., M, N) gives (..., M, N) and (..., min(M, N)). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If the input is not a Tensor.
        ValueError: If the input has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> y, tau = ops.geqrf(ms.Tensor([[0.0, 1.0], [2.0, 3.0]]))
        >>> print(tau)
        [1. 0.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, x):
        check_matrices(self, "input", x)
        return x, Spec((*x.shape[:-2], min(x.shape[-2:])), x.dtype)

    def compute(self, xp, x):
        turned, tau = xp.linalg.qr(widen(xp, x), "raw")
        return narrow(xp, xp.ascontiguousarray(turned.swapaxes(-1, -2)), x.dtype), narrow(xp, tau, x.dtype)


class LU(Primitive):
    """Triangular factors of matrices whose rows are exchanged: ``(factors, pivots)``.

    U is in the upper triangle, L below it with ones on its diagonal; pivots, int32 from 0, say which row each was
    exchanged with. It has no gradient: one that is asked for is an error.
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, x):
        check_matrices(self, "a", x)
        return x, Spec((*x.shape[:-2], min(x.shape[-2:])), np.dtype(np.int32))

    def compute(self, xp, x):
        *lead, rows, columns = x.shape
        factors, pivots = factoring.lu(xp, widen(xp, x).reshape(-1, rows, columns))
        return narrow(xp, factors.reshape(x.shape), x.dtype), pivots.reshape(*lead, min(rows, columns))


class RowOrder(Primitive):
    """The order of ``height`` rows, int64, that exchanges of rows lead to; ``first`` is the number of the first row."""

    differentiable = False

    def infer(self, pivots, height, first):
        check_indices(self, "pivots", pivots)
        if not pivots.shape or pivots.shape[-1] > height:
            raise value_error(self.name, f"the 'pivots' must have 1 to {height} numbers", f"shape {pivots.shape}")
        return Spec((*pivots.shape[:-1], height), np.dtype(np.int64))

    def compute(self, xp, pivots, height, first):
        flat = pivots.reshape(-1, pivots.shape[-1]).astype(np.int64) - first
        return xp.ascontiguousarray(factoring.row_order(xp, flat, height)).reshape(*pivots.shape[:-1], height)


class Eig(Primitive):
    """Eigenvalues and vectors of square matrices, ``x @ v = v * u``: ``(u, v)``, complex, in no certain order.

    Vectors have length 1; the turn of each in the complex plane is free. It has no gradient: one that is asked for is
    an error.

    Shapes: (..., N, N) gives (..., N), and with ``compute_v`` (..., N, N) too. Dtypes: complex, kept; float16 and
    float32 give complex64; float64 gives complex128; TypeError for ints and bools.

    Args:
        compute_v (bool): If False, v is not computed: it is a zero without axes. Default: False.

    Raises:
        TypeError: If ``compute_v`` is not a bool, or ``x`` is not a Tensor.
        ValueError: If ``x`` is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Eig()(ms.Tensor([[2.0, 0.0], [0.0, 3.0]]))[0])
        [2.+0.j 3.+0.j]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]
    complex_numbers = "as written"

    def __init__(self, compute_v: bool = False) -> None:
        self.add_prim_attr("compute_v", check_bool(self.name, "compute_v", compute_v))

    def infer(self, x):
        check_square(self, "x", x)
        kind = x.dtype if x.dtype in COMPLEX else np.dtype(np.complex128 if x.dtype.itemsize == 8 else np.complex64)
        return Spec(x.shape[:-1], kind), Spec(x.shape if self.compute_v else (), kind)

    def compute(self, xp, x):
        u, v = xp.linalg.eig(widen(xp, x))
        kind = self.infer(Spec(x.shape, x.dtype))[0].dtype
        return u.astype(kind), v.astype(kind) if self.compute_v else xp.zeros((), kind)


class Eigh(Primitive):
    """Eigenvalues, from the smallest on, and vectors of symmetric matrices: ``(w, v)``, ``x @ v = v * w``.

    One triangle counts; the gradient goes to it alone. The sign of each vector is free.

    Args:
        lower (bool): If True, the lower triangle counts. Default: True.
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, lower: bool = True) -> None:
        self.add_prim_attr("lower", check_bool(self.name, "lower", lower))

    def infer(self, x):
        check_square(self, "a", x)
        return Spec(x.shape[:-1], x.dtype), x

    def compute(self, xp, x):
        w, v = xp.linalg.eigh(widen(xp, x), "L" if self.lower else "U")
        return narrow(xp, w, x.dtype), narrow(xp, v, x.dtype)

    def bprop(self, x, out, dout):
        (w, v), (dw, dv) = out, dout
        inner = diagonal_matrices(dw) + gaps(w) * _matmul_tn(v, dv)
        slope = _matmul_nt(_matmul(v, inner), v)
        both = slope + slope.swapaxes(-1, -2)
        whole = _band(both, -1, 0) if self.lower else _band(both, 0, -1)
        return whole - _band(slope, 0, 0)
