"""Functional wrappers of the operations on matrices: inverse, determinant, solving, trace, bands."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import make, unary
from minispore.ops.functional.reduce import reduce_sum
from minispore.ops.operations.linalg import matrix as matrices
from minispore.ops.operations.math.select import Select

__all__ = [
    "cholesky",
    "det",
    "inverse",
    "log_matrix_determinant",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_solve",
    "slogdet",
    "trace",
]
METHODS = "cholesky det inverse log_matrix_determinant matrix_determinant slogdet"

det = matrix_determinant = unary(matrices.MatrixDeterminant())
inverse = unary(matrices.MatrixInverse())
log_matrix_determinant = slogdet = unary(matrices.LogMatrixDeterminant())
trace = unary(matrices.Trace())


def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """Triangular factor of positive definite matrices: ``Cholesky(upper)(input_x)``.

    Shapes: (..., N, N), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``upper`` is not a bool.
        ValueError: If ``input_x`` is not square in its last two axes.
        RuntimeError: If ``input_x`` is not positive definite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cholesky(ms.Tensor([[4.0, 2.0], [2.0, 10.0]])))
        [[2. 0.]
         [1. 3.]]
    """
    return make(matrices.Cholesky, upper)(input_x)


def matrix_band_part(x: Tensor, lower, upper) -> Tensor:
    """Matrices with zeros but for a band around the diagonal: ``MatrixBandPart()(x, lower, upper)``.

    ``out[i, j] = x[i, j]`` where ``i - j <= lower`` and ``j - i <= upper``, else 0. A bound below 0 keeps that whole
    side.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``lower`` or ``upper`` is not an int.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.matrix_band_part(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]), 1, 0))
        [[1. 0. 0.]
         [4. 5. 0.]
         [0. 8. 9.]]
    """
    return make(matrices.MatrixBandPart)(x, lower, upper)


def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """Solution of ``matrix @ out = rhs``: ``MatrixSolve(adjoint)(matrix, rhs)``.

    Shapes: (..., N, N) and (..., N, K) give (..., N, K). Dtypes: floats and complex, kept; TypeError for ints and
    bools.

    Raises:
        TypeError: If ``matrix`` or ``rhs`` is not a Tensor, ``rhs`` and ``matrix`` differ in dtype, or ``adjoint`` is
            not a bool.
        ValueError: If ``rhs`` has a shape that does not fit, or ``matrix`` is not square in its last two axes. Also if
            ``matrix`` is not invertible.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.matrix_solve(ms.Tensor([[2.0, 0.0], [0.0, 4.0]]), ms.Tensor([[2.0], [2.0]])))
        [[1. ]
         [0.5]]
    """
    return make(matrices.MatrixSolve, adjoint)(matrix, rhs)


def trace_along(x, offset=0, axis1=0, axis2=1, dtype=None):
    """Sum of the diagonal ``offset`` places right of the main one, of matrices along two axes: Tensor's ``trace``.

    Dtypes: floats, ints and complex, kept; bools give int64.

    Raises:
        TypeError: If ``offset``, ``axis1`` or ``axis2`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis1`` or ``axis2`` is no axis of the input, or both are one axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).trace())
        5.0
    """
    if x.ndim < 2:
        raise value_error("trace", "the Tensor must have at least 2 axes", f"shape {x.shape}")
    check_int("trace", "offset", offset)
    axis1, axis2 = (as_axis("trace", a, x.ndim, name) for name, a in (("axis1", axis1), ("axis2", axis2)))
    height, width = x.shape[axis1], x.shape[axis2]
    on = Tensor(np.eye(height, width, max(-height, min(offset, width)), dtype=bool))
    order = [i for i in range(x.ndim) if i not in (axis1, axis2)]
    last = x.transpose((*order, axis1, axis2))
    out = reduce_sum(make(Select)(on, last, 0), (-2, -1))
    return out if dtype is None else out.astype(dtype)
