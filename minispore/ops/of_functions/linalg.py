"""Primitives of functions on matrices: factors, solutions, diagonals, distances, transforms."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_int
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.of_functions.base import OfFunction

__all__ = [
    "STFT",
    "CholeskyInverse",
    "CholeskySolve",
    "ConjugateTranspose",
    "Lstsq",
    "LuSolve",
    "LuUnpack",
    "MatrixDiagPartV3",
    "MatrixDiagV3",
    "MatrixPower",
    "MatrixSetDiagV3",
    "MatrixSolveLs",
    "MatrixTriangularSolve",
    "Orgqr",
    "Pdist",
    "TridiagonalMatMul",
]


class CholeskyInverse(OfFunction):
    """Inverse of positive definite matrices from their triangular factors: ``ops.cholesky_inverse``.

    Args:
        upper (bool): If True, the factors are upper triangles. Default: False.
    """

    function = staticmethod(F.cholesky_inverse)

    def __init__(self, upper: bool = False) -> None:
        self._keep(upper=check_bool(self.name, "upper", upper))


class CholeskySolve(OfFunction):
    """Solution of equations by the triangular factors of their matrix: ``ops.cholesky_solve``.

    Args:
        upper (bool): If True, the factors are upper triangles. Default: False.
    """

    function = staticmethod(F.cholesky_solve)

    def __init__(self, upper: bool = False) -> None:
        self._keep(upper=check_bool(self.name, "upper", upper))


class ConjugateTranspose(OfFunction):
    """A Tensor with its axes in the order ``perm``, and its numbers conjugated: ``ConjugateTranspose()(x, perm)``."""

    tensors = 1

    def run(self, x, perm) -> Tensor:
        """The transposed conjugate."""
        out = F.transpose(x, perm)
        return F.conj(out) if F.is_complex(out) else out


class Lstsq(OfFunction):
    """Shortest solution of least squares: ``ops.lstsq``.

    Args:
        fast (bool): Accepted; the solution is the same. Default: True.
        l2_regularizer (float): 0, as nothing is added to the squares. Default: 0.0.
    """

    def __init__(self, fast: bool = True, l2_regularizer: float = 0.0) -> None:
        self._keep(fast=check_bool(self.name, "fast", fast))
        self._keep(l2_regularizer=check_python_float(self.name, "l2_regularizer", l2_regularizer, 0, 0))

    def run(self, x, a) -> Tensor:
        """The solution."""
        return F.lstsq(x, a)


class LuSolve(OfFunction):
    """Solution of equations by packed triangular factors: ``ops.lu_solve``."""

    function = staticmethod(F.lu_solve)


class LuUnpack(OfFunction):
    """Parts of packed triangular factors: ``ops.lu_unpack``.

    Args:
        unpack_data (bool): If False, L and U are None. Default: True.
        unpack_pivots (bool): If False, P is None. Default: True.
    """

    function = staticmethod(F.lu_unpack)

    def __init__(self, unpack_data: bool = True, unpack_pivots: bool = True) -> None:
        self._keep(unpack_data=unpack_data, unpack_pivots=unpack_pivots)


class MatrixPower(OfFunction):
    """Power of square matrices: ``ops.matrix_power``.

    Args:
        n (int): The exponent.
    """

    function = staticmethod(F.matrix_power)

    def __init__(self, n: int) -> None:
        self._keep(n=check_int(self.name, "n", n))


class _Aligned(OfFunction):
    """Base of operations on diagonals, with the place of short ones in their rows."""

    def __init__(self, align: str = "RIGHT_LEFT") -> None:
        self._keep(align=align)


class MatrixDiagV3(_Aligned):
    """Matrices of diagonals: ``MatrixDiagV3(align)(x, k, num_rows, num_cols, padding_value)``, ``ops.matrix_diag``."""

    tensors = 1
    function = staticmethod(F.matrix_diag)


class MatrixDiagPartV3(_Aligned):
    """Diagonals of matrices: ``MatrixDiagPartV3(align)(x, k, padding_value)``, which is ``ops.matrix_diag_part``."""

    tensors = 1
    function = staticmethod(F.matrix_diag_part)


class MatrixSetDiagV3(_Aligned):
    """Matrices with other diagonals: ``MatrixSetDiagV3(align)(x, diagonal, k)``, which is ``ops.matrix_set_diag``."""

    tensors = 2
    function = staticmethod(F.matrix_set_diag)


class MatrixTriangularSolve(OfFunction):
    """Solution of ``matrix @ out = rhs`` with a triangle of the matrix, or with its transpose.

    Args:
        lower (bool): If True, the lower triangle counts. Default: True.
        adjoint (bool): If True, the triangle is transposed. Default: False.
    """

    def __init__(self, lower: bool = True, adjoint: bool = False) -> None:
        self._keep(lower=check_bool(self.name, "lower", lower), adjoint=check_bool(self.name, "adjoint", adjoint))

    def run(self, matrix, rhs) -> Tensor:
        """The solution."""
        return F.matrix_solve(F.tril(matrix) if self.lower else F.triu(matrix), rhs, self.adjoint)


class MatrixSolveLs(OfFunction):
    """Solution of least squares: the ``out`` for which ``|matrix @ out - rhs| ** 2 + l2 * |out| ** 2`` is smallest.

    Args:
        fast (bool): If False, l2 does not count. Default: True.

    Inputs: ``matrix`` ``(..., m, n)``, ``rhs`` ``(..., m, k)`` and l2, a number or a 0-d Tensor.
    """

    tensors = 2

    def __init__(self, fast: bool = True) -> None:
        self._keep(fast=check_bool(self.name, "fast", fast))

    def run(self, matrix, rhs, l2_regularizer) -> Tensor:
        """The solution."""
        if not self.fast or not l2_regularizer:
            return F.matmul(F.pinv(matrix), rhs)
        weight = l2_regularizer.astype(matrix.dtype) if isinstance(l2_regularizer, Tensor) else l2_regularizer
        turned = F.swapaxes(matrix, -1, -2)
        square = F.matmul(turned, matrix) + F.eye(matrix.shape[-1], matrix.shape[-1], matrix.dtype) * weight
        return F.matrix_solve(square, F.matmul(turned, rhs))


class Orgqr(OfFunction):
    """First columns of the orthogonal matrix that reflections make: ``ops.orgqr``."""

    function = staticmethod(F.orgqr)


class Pdist(OfFunction):
    """Distances of the rows of a matrix from one another: ``ops.pdist``.

    Args:
        p (float): The norm. Default: 2.0.
    """

    function = staticmethod(F.pdist)

    def __init__(self, p: float = 2.0) -> None:
        self._keep(p=float(p))


class STFT(OfFunction):
    """Fourier transforms of the pieces of a signal: ``STFT(...)(x, window)``, which is ``ops.stft``, not centred.

    Args:
        n_fft (int): The length of a piece.
        hop_length (int): The distance of pieces.
        win_length (int): The length of the window.
        normalized (bool): If True, it is divided by the root of ``n_fft``.
        onesided (bool): If True, only the first half of the frequencies.
        return_complex (bool): If False, real and imaginary parts along a new last axis.
    """

    def __init__(
        self, n_fft: int, hop_length: int, win_length: int, normalized: bool, onesided: bool, return_complex: bool
    ) -> None:
        self._keep(n_fft=n_fft, hop_length=hop_length, win_length=win_length, normalized=normalized)
        self._keep(onesided=onesided, return_complex=return_complex)

    def run(self, x, window) -> Tensor:
        """The transforms."""
        return F.stft(x, window=window, center=False, **self.attrs)


class TridiagonalMatMul(OfFunction):
    """Product of matrices of three diagonals: ``out[i] = above[i] x[i + 1] + main[i] x[i] + below[i] x[i - 1]``.

    Inputs: the diagonals above, on and below the main one, ``(..., 1, m)``, and x ``(..., m, n)``.
    """

    def run(self, superdiag, maindiag, subdiag, rhs) -> Tensor:
        """The product."""
        above, main, below = (F.swapaxes(d, -1, -2) for d in (superdiag, maindiag, subdiag))
        following = F.pad(rhs[..., 1:, :], (0, 0, 0, 1))
        before = F.pad(rhs[..., :-1, :], (0, 0, 1, 0))
        return above * following + main * rhs + below * before
