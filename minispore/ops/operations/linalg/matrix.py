"""Square matrices: inverse, determinants, solving, Cholesky's factor; and the trace and bands of matrices.

float16 is computed in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.errors import runtime_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.array.creation import Eye
from minispore.ops.operations.linalg.matmul import BatchMatMul
from minispore.ops.operations.math.complex_numbers import Conj
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_number, check_same_type, check_tensor

__all__ = [
    "Cholesky",
    "LogMatrixDeterminant",
    "MatrixBandPart",
    "MatrixDeterminant",
    "MatrixInverse",
    "MatrixSolve",
    "Trace",
]

_matmul, _matmul_nt, _matmul_tn = BatchMatMul(), BatchMatMul(False, True), BatchMatMul(True, False)
_conj, _eye = Conj(), Eye()


def check_square(op, argument, x):
    """Raise unless x is a floating Tensor of square matrices."""
    check_float(op, argument, x)
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
        raise value_error(op.name, f"the '{argument}' must be square matrices on the last two axes", f"shape {x.shape}")


def _transposed(x):
    return x.swapaxes(-1, -2)


def _by_adjoint(x, y):
    """``x @ y.T``, of complex numbers with the conjugate of y."""
    return _matmul_nt(x, _conj(y) if y.dtype.np.kind == "c" else y)


class MatrixInverse(Primitive):
    """Inverse of square matrices: ``out @ x = 1``, or of their transposes with ``adjoint``.

    Shapes: (..., N, N), kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        ValueError: If a matrix is singular; a GPU does not report it: there the result is then not finite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inverse(ms.Tensor([[2.0, 0.0], [1.0, 4.0]])))
        [[ 0.5    0.   ]
         [-0.125  0.25 ]]
    """

    complex_numbers = "analytic"

    def __init__(self, adjoint: bool = False) -> None:
        self.add_prim_attr("adjoint", adjoint)

    def infer(self, x):
        check_square(self, "x", x)
        return x

    def compute(self, xp, x):
        try:
            out = xp.linalg.inv(widen(xp, _transposed(x) if self.adjoint else x))
        except np.linalg.LinAlgError:
            raise value_error(self.name, "the 'x' must be invertible", "a singular matrix") from None
        return narrow(xp, out, x.dtype)

    def bprop(self, x, out, dout):
        inner = _matmul_tn(out, _matmul_nt(dout, out))  # outᵀ dout outᵀ, the slope for the inverted matrix
        return -(_transposed(inner) if self.adjoint else inner)


class MatrixDeterminant(Primitive):
    """Determinant of square matrices; its gradient needs their inverse.

    Shapes: (..., N, N) gives (...). Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If the input is not a Tensor.
        ValueError: If the input is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.det(ms.Tensor([[2.0, 1.0], [3.0, 4.0]])))
        5.0
    """

    complex_numbers = "analytic"

    def infer(self, x):
        check_square(self, "x", x)
        return Spec(x.shape[:-2], x.dtype)

    def compute(self, xp, x):
        return narrow(xp, xp.asarray(xp.linalg.det(widen(xp, x))), x.dtype)

    def bprop(self, x, out, dout):
        return (dout * out).expand_dims(-1).expand_dims(-1) * _inverse_of_transpose(x)


class LogMatrixDeterminant(Primitive):
    """Sign and logarithm of the size of the determinant of square matrices: ``(sign, ln |det x|)``.

    Shapes: (..., N, N) gives (...) twice. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If the input is not a Tensor.
        ValueError: If the input is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.slogdet(ms.Tensor([[0.0, 1.0], [1.0, 0.0]])))
        -1.0 0.0
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, x):
        check_square(self, "x", x)
        spec = Spec(x.shape[:-2], x.dtype)
        return spec, spec

    def compute(self, xp, x):
        return tuple(narrow(xp, xp.asarray(y), x.dtype) for y in xp.linalg.slogdet(widen(xp, x)))

    def bprop(self, x, out, dout):
        return dout[1].expand_dims(-1).expand_dims(-1) * _inverse_of_transpose(x)


_inverse_of_transpose = MatrixInverse(True)


class MatrixSolve(Primitive):
    """Solution of linear equations: ``matrix @ out = rhs``, or with the matrix's adjoint with ``adjoint``.

    Shapes: (..., N, N) and (..., N, K) give (..., N, K). Dtypes: floats and complex, kept; TypeError for ints and
    bools.

    Raises:
        ValueError: If a matrix is singular; a GPU does not report it: there the result is then not finite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixSolve()(ms.Tensor([[2.0, 0.0], [0.0, 4.0]]), ms.Tensor([[2.0], [2.0]])))
        [[1. ]
         [0.5]]
    """

    complex_numbers = "as written"

    def __init__(self, adjoint: bool = False) -> None:
        self.add_prim_attr("adjoint", adjoint)

    def infer(self, matrix, rhs):
        check_square(self, "matrix", matrix)
        check_same_type(self, matrix=matrix, rhs=rhs)
        if len(rhs.shape) != len(matrix.shape) or rhs.shape[:-1] != matrix.shape[:-1]:
            raise value_error(
                self.name, f"the 'rhs' must have the shape (*{matrix.shape[:-1]}, columns)", f"shape {rhs.shape}"
            )
        return rhs

    def compute(self, xp, matrix, rhs):
        a = widen(xp, matrix)
        try:
            out = xp.linalg.solve(_transposed(a).conj() if self.adjoint else a, widen(xp, rhs))
        except np.linalg.LinAlgError:
            raise value_error(self.name, "the 'matrix' must be invertible", "a singular matrix") from None
        return narrow(xp, out, rhs.dtype)

    def bprop(self, matrix, rhs, out, dout):
        back = self.cached_primitive(MatrixSolve, not self.adjoint)(matrix, dout)
        if not needs_grad(matrix):
            return None, back
        return -(_by_adjoint(out, back) if self.adjoint else _by_adjoint(back, out)), back


class Cholesky(Primitive):
    """Triangular factor of positive definite matrices: ``out @ out.T = x``, or ``out.T @ out`` with ``upper``.

    Of a matrix that is not symmetric, the mean of it and its transpose is factored.

    Shapes: (..., N, N), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        RuntimeError: If a matrix is not positive definite. A GPU does not report it: there the result then holds nan
            (CUDA 13), or the factor of only a part of the matrix (CUDA 12).
        ValueError: If ``x`` is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Cholesky()(ms.Tensor([[4.0, 2.0], [2.0, 10.0]])))
        [[2. 0.]
         [1. 3.]]
    """

    def __init__(self, upper: bool = False) -> None:
        self.add_prim_attr("upper", upper)

    def infer(self, x):
        check_square(self, "input_x", x)
        return x

    def compute(self, xp, x):
        wide = widen(xp, x)
        try:
            out = xp.linalg.cholesky((wide + _transposed(wide)) / 2)
        except np.linalg.LinAlgError:
            raise runtime_error(self.name, "the 'input_x' must be positive definite", "another matrix") from None
        return narrow(xp, _transposed(out) if self.upper else out, x.dtype)

    def bprop(self, x, out, dout):
        factor, d = (_transposed(out), _transposed(dout)) if self.upper else (out, dout)
        inner = _matmul_tn(factor, d)
        halved = _band(inner, -1, 0) - _band(inner, 0, 0) * 0.5  # the lower triangle, with half of its diagonal
        back = _inverse_of_transpose(factor)
        slope = _matmul_nt(_matmul(back, halved), back)
        return (slope + _transposed(slope)) * 0.5


class Trace(Primitive):
    """Sum of a matrix's diagonal: ``out = sum of x[i, i]``.

    Shapes: (N, M) gives (). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If the input is not a Tensor.
        ValueError: If the input does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.trace(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
    """

    complex_numbers = "analytic"

    def infer(self, x):
        check_number(self, "x", x)
        check_rank(self, "x", x, (2,))
        return Spec((), x.dtype)

    def compute(self, xp, x):
        return xp.asarray(narrow(xp, widen(xp, x).trace(dtype=widen(xp, x).dtype), x.dtype))

    def bprop(self, x, out, dout):
        return _eye(*x.array.shape, x.array.dtype) * dout


class MatrixBandPart(Primitive):
    """Band of matrices, with zeros elsewhere: ``out[i, j] = x[i, j]`` where i - j <= lower and j - i <= upper.

    A negative ``lower`` or ``upper`` keeps all there is on that side.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``lower`` or ``upper`` is not an int.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixBandPart()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 0, -1))  # the upper triangle
        [[1. 2.]
         [0. 4.]]
    """

    def adapt(self, x, lower, upper):
        """Read the numbers of diagonals: ints, or integer Tensors of one element."""
        return x, as_int(self, "lower", lower), as_int(self, "upper", upper)

    def infer(self, x, lower, upper):
        check_tensor(self, "x", x)
        if len(x.shape) < 2:
            raise value_error(self.name, "the 'x' must have at least 2 axes", f"shape {x.shape}")
        return x

    def compute(self, xp, x, lower, upper):
        below = xp.arange(x.shape[-2])[:, None] - xp.arange(x.shape[-1])[None, :]
        keep = xp.ones_like(below, dtype=np.bool_)
        if lower >= 0:
            keep = xp.logical_and(keep, below <= lower)
        if upper >= 0:
            keep = xp.logical_and(keep, below >= -upper)
        return select(xp, keep, x, xp.zeros_like(x))

    def bprop(self, x, lower, upper, out, dout):
        return self(dout, lower, upper), None, None


_band = MatrixBandPart()
