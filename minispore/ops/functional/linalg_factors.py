"""Functional wrappers that factor matrices, and that solve equations by factors: QR, LU, Cholesky, eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.dtype import float16, float32
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make, unary
from minispore.ops.functional.array_filling import eye, zeros_like
from minispore.ops.functional.array_rearrange import swapaxes, tril, triu
from minispore.ops.functional.linalg_matmul import matmul
from minispore.ops.functional.linalg_matrix import inverse, matrix_solve
from minispore.ops.functional.linalg_svd import pinv
from minispore.ops.operations.array.creation import OneHot
from minispore.ops.operations.linalg import factors

__all__ = [
    "cholesky_inverse",
    "cholesky_solve",
    "eig",
    "geqrf",
    "lstsq",
    "lu_solve",
    "lu_unpack",
    "matrix_power",
    "orgqr",
    "qr",
]
METHODS = "cholesky_inverse cholesky_solve geqrf lstsq lu_solve matrix_power orgqr qr"

geqrf = unary(factors.Geqrf())


def _triangle(operation, argument, x, upper):
    """The triangle of square matrices that counts."""
    check_bool(operation, "upper", upper)
    check_tensors(operation, **{argument: x})
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        expected = f"the '{argument}' must be square matrices on the last two axes"
        raise value_error(operation, expected, f"shape {x.shape}")
    return triu(x) if upper else tril(x)


def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """Inverse of positive definite matrices from their triangular factors: ``out @ (L @ L.T) = 1``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input_x (Tensor): The factors L, or U of ``U.T @ U`` with ``upper``; floating, square on the last two axes.
        upper (bool): Default: False.

    Raises:
        TypeError: If the input is not a floating Tensor, or ``upper`` not a bool.
        ValueError: If the factors are not square, or singular.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.cholesky_inverse(ms.Tensor([[2.0, 0.0], [1.0, 1.0]])))
        [[ 0.5 -0.5]
         [-0.5  1. ]]
    """
    half = inverse(_triangle("cholesky_inverse", "input_x", input_x, upper))
    turned = swapaxes(half, -1, -2)
    return matmul(half, turned) if upper else matmul(turned, half)


def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """Solution of ``L @ L.T @ out = input`` by the triangular factors ``input2``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): The right sides, shape ``(..., n, columns)``.
        input2 (Tensor): The factors L, or U of ``U.T @ U`` with ``upper``, shape ``(..., n, n)``; the same dtype.
        upper (bool): Default: False.

    Raises:
        TypeError: If the inputs are not floating Tensors of one dtype, or ``upper`` is not a bool.
        ValueError: If the shapes do not fit, or a factor is singular.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.cholesky_solve(ms.Tensor([[4.0], [4.0]]), ms.Tensor([[2.0, 0.0], [1.0, 1.0]])))
        [[0.]
         [2.]]
    """
    factor = _triangle("cholesky_solve", "input2", input2, upper)
    check_tensors("cholesky_solve", input=input)
    return matrix_solve(factor, matrix_solve(factor, input, upper), not upper)


def qr(input, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Orthogonal and triangular factor of matrices, ``input = q @ r``: ``(q, r)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): Shape ``(..., rows, columns)``, floating.
        mode (str): "reduced", or "complete" for a square q. Default: "reduced".

    Raises:
        TypeError: If the input is not a floating Tensor.
        ValueError: If the mode is another, or the input has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> q, r = ms.ops.qr(ms.Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print(r)
        [[-5.  -2.2]
         [ 0.   0.4]]
    """
    check_choice("qr", "mode", mode, ("reduced", "complete"))
    return make(factors.Qr, mode == "complete")(input)


def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """First columns of the orthogonal matrix that reflections make: ``(1 - tau[0] v0 v0.T) @ (1 - tau[1] v1 v1.T) ..``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): Shape ``(..., rows, columns)``: below its diagonal the vectors v, as :func:`geqrf` gives them.
        input2 (Tensor): tau, shape ``(..., n)``, n at most the number of columns; the same dtype.

    Returns:
        Tensor, of the shape of ``input``.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> y, tau = ms.ops.geqrf(ms.Tensor([[3.0], [4.0]]))
        >>> print(ms.ops.orgqr(y, tau))
        [[-0.6]
         [-0.8]]
    """
    check_tensors("orgqr", input=input, input2=input2)
    if input.ndim < 2 or input.shape[-2] < input.shape[-1]:
        raise value_error("orgqr", "the 'input' must have at least as many rows as columns", f"shape {input.shape}")
    if input2.ndim != input.ndim - 1 or input2.shape[:-1] != input.shape[:-2] or input2.shape[-1] > input.shape[-1]:
        expected = f"the 'input2' must have the shape {(*input.shape[:-2], f'at most {input.shape[-1]}')}"
        raise value_error("orgqr", expected, input2.shape)
    rows, columns = input.shape[-2:]
    out = eye(rows, columns, input.dtype) + zeros_like(input)
    vectors = tril(input, -1) + eye(rows, columns, input.dtype)
    for i in range(input2.shape[-1])[::-1]:
        v = vectors[..., i : i + 1]
        out = out - input2[..., i : i + 1].expand_dims(-1) * matmul(v, matmul(swapaxes(v, -1, -2), out))
    return out


def eig(A: Tensor) -> tuple[Tensor, Tensor]:  # noqa: N803 - MindSpore's name
    """Eigenvalues and vectors of square matrices, ``A @ v = v * u``: ``Eig(True)(A)``, which is ``(u, v)``.

    Shapes: (..., N, N) gives (..., N) and (..., N, N). Dtypes: complex, kept; float16 and float32 give complex64;
    float64 gives complex128; TypeError for ints and bools.

    Raises:
        TypeError: If ``A`` is not a Tensor.
        ValueError: If ``A`` is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> values, vectors = ops.eig(ms.Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
    """
    return make(factors.Eig, True)(A)


def lu_unpack(
    LU_data: Tensor,  # noqa: N803 - MindSpore's name
    LU_pivots: Tensor,  # noqa: N803 - MindSpore's name
    unpack_data: bool = True,
    unpack_pivots: bool = True,
) -> tuple[Any, ...]:
    """Parts of packed triangular factors: ``(P, L, U)`` with ``P @ L @ U`` the matrix that was factored.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        LU_data (Tensor): U in the upper triangle, L below it; shape ``(..., rows, columns)``.
        LU_pivots (Tensor): The row, from 1, that each was exchanged with; ints, shape ``(..., n)``.
        unpack_data (bool): If False, L and U are None. Default: True.
        unpack_pivots (bool): If False, P is None. Default: True.

    Raises:
        TypeError: If an input is of a wrong kind.
        ValueError: If the shapes do not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> p, l, u = ms.ops.lu_unpack(ms.Tensor([[4.0, 2.0], [0.5, 1.0]]), ms.Tensor([2, 2]))
        >>> print(p @ l @ u)
        [[2. 2.]
         [4. 2.]]
    """
    check_bool("lu_unpack", "unpack_data", unpack_data)
    check_bool("lu_unpack", "unpack_pivots", unpack_pivots)
    check_tensors("lu_unpack", LU_data=LU_data, LU_pivots=LU_pivots)
    if LU_data.ndim < 2:
        raise value_error("lu_unpack", "the 'LU_data' must have at least 2 axes", f"shape {LU_data.shape}")
    rows, columns = LU_data.shape[-2:]
    inner = min(rows, columns)
    permutation = lower = upper = None
    if unpack_pivots:
        order = make(factors.RowOrder)(LU_pivots, rows, 1)
        on, off = Tensor(1.0, LU_data.dtype), Tensor(0.0, LU_data.dtype)
        permutation = swapaxes(make(OneHot)(order, rows, on, off), -1, -2)
    if unpack_data:
        lower = tril(LU_data[..., :inner], -1) + eye(rows, inner, LU_data.dtype)
        upper = triu(LU_data[..., :inner, :])
    return permutation, lower, upper


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:  # noqa: N803 - MindSpore's names
    """Solution of ``P @ L @ U @ out = b`` by packed triangular factors.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        b (Tensor): The right sides, shape ``(..., n, columns)``.
        LU_data (Tensor): U in the upper triangle, L below it; shape ``(..., n, n)``, the dtype of b.
        LU_pivots (Tensor): The row, from 1, that each was exchanged with; ints, shape ``(..., n)``.

    Raises:
        TypeError: If an input is of a wrong kind.
        ValueError: If the shapes do not fit, or U is singular.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> factors, pivots = ms.Tensor([[4.0, 2.0], [0.5, 1.0]]), ms.Tensor([2, 2])
        >>> print(ms.ops.lu_solve(ms.Tensor([[4.0], [6.0]]), factors, pivots))
        [[1.]
         [1.]]
    """
    check_tensors("lu_solve", b=b, LU_data=LU_data, LU_pivots=LU_pivots)
    if LU_data.ndim < 2 or LU_data.shape[-1] != LU_data.shape[-2]:
        raise value_error("lu_solve", "the 'LU_data' must be square matrices", f"shape {LU_data.shape}")
    if b.shape[:-1] != LU_data.shape[:-1]:
        raise value_error("lu_solve", f"the 'b' must have the shape (*{LU_data.shape[:-1]}, columns)", b.shape)
    permutation, lower, upper = lu_unpack(LU_data, LU_pivots)
    return matrix_solve(upper, matrix_solve(lower, matmul(swapaxes(permutation, -1, -2), b)))


def lstsq(input: Tensor, A: Tensor) -> Tensor:  # noqa: N803 - MindSpore's name
    """Solution of least squares: the shortest ``out`` of those for which ``|input @ out - A|`` is smallest.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): A matrix ``(m, n)``, floating.
        A (Tensor): The right sides, ``(m, k)`` or ``(m,)``, which is taken as one column; the same dtype.

    Returns:
        Tensor, shape ``(n, k)``.

    Raises:
        TypeError: If an input is not a floating Tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        >>> print(ms.ops.lstsq(x, ms.Tensor([[1.0], [3.0], [5.0]])).round())
        [[1.]
         [2.]]
    """
    check_tensors("lstsq", input=input, A=A)
    if input.ndim != 2:
        raise value_error("lstsq", "the 'input' must have 2 axes", f"shape {input.shape}")
    if A.ndim not in (1, 2) or A.shape[0] != input.shape[0]:
        raise value_error("lstsq", f"the 'A' must have 1 or 2 axes and {input.shape[0]} rows", f"shape {A.shape}")
    right = A if A.ndim == 2 else A.expand_dims(1)
    if input.dtype != float16:
        return matmul(pinv(input), right)
    return cast(matmul(pinv(cast(input, float32)), cast(right, float32)), np.dtype(np.float16))


def matrix_power(input: Tensor, n: int) -> Tensor:
    """Power of square matrices by repeated products; of their inverse for an ``n`` below 0.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        input (Tensor): Shape ``(..., m, m)``, floating.
        n (int): The exponent.

    Raises:
        TypeError: If the input is not a Tensor or ``n`` not an int.
        ValueError: If the matrices are not square, or singular where ``n`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.matrix_power(ms.Tensor([[1.0, 1.0], [0.0, 1.0]]), 5))
        [[1. 5.]
         [0. 1.]]
    """
    check_int("matrix_power", "n", n)
    check_tensors("matrix_power", input=input)
    if input.ndim < 2 or input.shape[-1] != input.shape[-2]:
        raise value_error("matrix_power", "the 'input' must be square matrices", f"shape {input.shape}")
    if n == 0:
        return zeros_like(input) + eye(input.shape[-1], input.shape[-1], input.dtype)
    square, power, out = inverse(input) if n < 0 else input, abs(n), None
    while power:
        if power & 1:
            out = square if out is None else matmul(out, square)
        power >>= 1
        square = matmul(square, square) if power else square
    return out
