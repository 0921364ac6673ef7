"""Primitives of functions on matrices: factors, solutions, diagonals, distances, transforms."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_int, check_switch
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_real
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

    Shapes: (..., N, N), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        upper (bool): If True, the factors are upper triangles. Default: False.

    Raises:
        TypeError: If ``upper`` is not a bool, or the input is not a floating Tensor.
        ValueError: If the input is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CholeskyInverse()(ms.Tensor([[2.0, 0.0], [0.0, 1.0]])))  # of the matrix diag(4, 1)
        [[0.25 0.  ]
         [0.   1.  ]]
    """

    function = staticmethod(F.cholesky_inverse)

    def __init__(self, upper: bool = False) -> None:
        self._keep(upper=check_bool(self.name, "upper", upper))


class CholeskySolve(OfFunction):
    """Solution of equations by the triangular factors of their matrix: ``ops.cholesky_solve``.

    Shapes: (..., N, K) and factors (..., N, N) give (..., N, K). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Args:
        upper (bool): If True, the factors are upper triangles. Default: False.

    Raises:
        TypeError: If ``upper`` is not a bool, an input is not a Tensor, or the two differ in dtype.
        ValueError: If the right sides have a shape that does not fit, or the factors are not square in its last two
            axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CholeskySolve()(ms.Tensor([[4.0], [3.0]]), ms.Tensor([[2.0, 0.0], [0.0, 1.0]])))
        [[1.]
         [3.]]
    """

    function = staticmethod(F.cholesky_solve)

    def __init__(self, upper: bool = False) -> None:
        self._keep(upper=check_bool(self.name, "upper", upper))


class ConjugateTranspose(OfFunction):
    """A Tensor with its axes in the order ``perm``, and its numbers conjugated: ``ConjugateTranspose()(x, perm)``.

    Shapes: the same lengths in the order ``perm``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``perm`` does not hold ints.
        ValueError: If ``perm`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ConjugateTranspose()(ms.Tensor([[1 + 2j, 3]]), (1, 0)))
        [[1.-2.j]
         [3.-0.j]]
    """

    tensors = 1

    def run(self, x, perm) -> Tensor:
        """The transposed conjugate."""
        out = F.transpose(x, perm)
        return F.conj(out) if F.is_complex(out) else out


class Lstsq(OfFunction):
    """Shortest solution of least squares: ``ops.lstsq``.

    Shapes: (M, N) and (M, K) or (M,) give (N, K); (N, 1) for (M,). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Args:
        fast (bool): Accepted; the solution is the same. Default: True.
        l2_regularizer (float): 0, as nothing is added to the squares. Default: 0.0.

    Raises:
        TypeError: If ``fast`` is several values, ``l2_regularizer`` is not a number, or an input is not a Tensor. Also
            if the two inputs differ in dtype.
        ValueError: If the matrix does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Lstsq()(ms.Tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), ms.Tensor([[1.0], [2.0], [9.0]])))
        [[1.]
         [2.]]
    """

    def __init__(self, fast: bool = True, l2_regularizer: float = 0.0) -> None:
        self._keep(fast=check_switch(self.name, "fast", fast))
        self._keep(l2_regularizer=check_real(self.name, "l2_regularizer", l2_regularizer, 0, 0))

    def run(self, x, a) -> Tensor:
        """The solution."""
        return F.lstsq(x, a)


class LuSolve(OfFunction):
    """Solution of equations by packed triangular factors: ``ops.lu_solve``.

    Shapes: (..., N, K), kept; factors (..., N, N) and pivots (..., N). Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If an argument is not a Tensor, or the right sides and the factors differ in dtype.
        ValueError: If the right sides have a shape that does not fit, or the factors are not square matrices.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> factors, rows = ms.Tensor([[2.0, 0.0], [0.0, 4.0]]), ms.Tensor([1, 2], ms.int32)
        >>> print(ops.LuSolve()(ms.Tensor([[2.0], [2.0]]), factors, rows))
        [[1. ]
         [0.5]]
    """

    function = staticmethod(F.lu_solve)


class LuUnpack(OfFunction):
    r"""Parts of packed triangular factors: ``ops.lu_unpack``.

    Shapes: (..., M, N) and pivots (..., min(M, N)) give (..., M, M), (..., M, K) and (..., K, N), where K is min(M, N).
    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        unpack_data (bool): If False, L and U are None. Default: True.
        unpack_pivots (bool): If False, P is None. Default: True.

    Raises:
        TypeError: If ``unpack_data`` or ``unpack_pivots`` is not a bool, or an argument is not a Tensor.
        ValueError: If the factors have fewer than 2 axes.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.LuUnpack()(ms.Tensor([[2.0, 1.0], [0.5, 4.0]]), ms.Tensor([1, 2], ms.int32)), sep="\n")
        [[1. 0.]
         [0. 1.]]
        [[1.  0. ]
         [0.5 1. ]]
        [[2. 1.]
         [0. 4.]]
    """

    function = staticmethod(F.lu_unpack)

    def __init__(self, unpack_data: bool = True, unpack_pivots: bool = True) -> None:
        self._keep(unpack_data=unpack_data, unpack_pivots=unpack_pivots)


class MatrixPower(OfFunction):
    """Power of square matrices: ``ops.matrix_power``.

    Shapes: (..., N, N), kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        n (int): The exponent.

    Raises:
        TypeError: If ``n`` is not an int, or the input is not a Tensor of numbers.
        ValueError: If the input does not hold square matrices.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixPower(3)(ms.Tensor([[1.0, 1.0], [0.0, 1.0]])))
        [[1. 3.]
         [0. 1.]]
    """

    function = staticmethod(F.matrix_power)

    def __init__(self, n: int) -> None:
        self._keep(n=check_int(self.name, "n", n))


class _Aligned(OfFunction):
    """Base of operations on diagonals, with the place of short ones in their rows."""

    def __init__(self, align: str = "RIGHT_LEFT") -> None:
        self._keep(align=align)


class MatrixDiagV3(_Aligned):
    """Matrices of diagonals: ``MatrixDiagV3(align)(x, k, num_rows, num_cols, padding_value)``, ``ops.matrix_diag``.

    Shapes: (..., length), or for several diagonals (..., number, length), gives (..., M, N). Dtypes: floats, ints and
    bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``align`` is not a str, or ``k``, ``num_rows`` or ``num_cols`` is not an int. Also if an input is
            neither a Tensor nor a number, or ``padding_value`` is not a real number.
        ValueError: If ``x`` does not have a row for each of the diagonals.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> zero, unset = ms.Tensor(0, ms.int32), ms.Tensor(-1, ms.int32)
        >>> print(ops.MatrixDiagV3()(ms.Tensor([1.0, 2.0]), zero, unset, unset, ms.Tensor(0.0)))
        [[1. 0.]
         [0. 2.]]
    """

    tensors = 1
    function = staticmethod(F.matrix_diag)


class MatrixDiagPartV3(_Aligned):
    """Diagonals of matrices: ``MatrixDiagPartV3(align)(x, k, padding_value)``, which is ``ops.matrix_diag_part``.

    ``k`` is a diagonal, 0 the main one, above it positive, or the lowest and the highest of several. ``align`` says at
    which side shorter diagonals above and below begin: ``padding_value`` fills the other.

    Shapes: (..., M, N) gives (..., length), or for several diagonals (..., number, greatest length). Dtypes: floats,
    ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``align`` is not a str, ``k`` is not an int, or an input is neither a Tensor nor a number. Also if
            ``padding_value`` is not a real number.
        ValueError: If ``x`` has fewer than 2 axes, or ``k`` is no diagonal of it. When called, if ``align`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixDiagPartV3()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor(0, ms.int32), ms.Tensor(0.0)))
        [1. 4.]
    """

    tensors = 1
    function = staticmethod(F.matrix_diag_part)


class MatrixSetDiagV3(_Aligned):
    """Matrices with other diagonals: ``MatrixSetDiagV3(align)(x, diagonal, k)``, which is ``ops.matrix_set_diag``.

    Shapes: (..., M, N), kept; the diagonals are (..., length), or several (..., number, greatest length). Dtypes: any,
    kept.

    Raises:
        TypeError: If ``align`` is not a str, ``x`` or ``diagonal`` is not a Tensor, or ``diagonal`` does not have the
            dtype of ``x``. Also if ``k`` is not an int.
        ValueError: If ``diagonal`` has a shape that does not fit, or ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.MatrixSetDiagV3()(x, ms.Tensor([8.0, 9.0]), ms.Tensor(0, ms.int32)))
        [[8. 2.]
         [3. 9.]]
    """

    tensors = 2
    function = staticmethod(F.matrix_set_diag)


class MatrixTriangularSolve(OfFunction):
    """Solution of ``matrix @ out = rhs`` with a triangle of the matrix, or with its transpose.

    Shapes: (..., N, N) and (..., N, K) give (..., N, K). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        lower (bool): If True, the lower triangle counts. Default: True.
        adjoint (bool): If True, the triangle is transposed. Default: False.

    Raises:
        TypeError: If ``lower`` or ``adjoint`` is not a bool, ``matrix`` or ``rhs`` is not a Tensor, or ``rhs`` and
            ``matrix`` differ in dtype.
        ValueError: If ``rhs`` has a shape that does not fit, or ``matrix`` has fewer than 2 axes. Also if it is not
            square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixTriangularSolve()(ms.Tensor([[2.0, 0.0], [1.0, 4.0]]), ms.Tensor([[2.0], [9.0]])))
        [[1.]
         [2.]]
    """

    def __init__(self, lower: bool = True, adjoint: bool = False) -> None:
        self._keep(lower=check_bool(self.name, "lower", lower), adjoint=check_bool(self.name, "adjoint", adjoint))

    def run(self, matrix, rhs) -> Tensor:
        """The solution."""
        return F.matrix_solve(F.tril(matrix) if self.lower else F.triu(matrix), rhs, self.adjoint)


class MatrixSolveLs(OfFunction):
    """Solution of least squares: the ``out`` for which ``|matrix @ out - rhs| ** 2 + l2 * |out| ** 2`` is smallest.

    Dtypes: float32 and float64, kept; TypeError for float16, ints, bools and complex.

    Args:
        fast (bool): If False, l2 does not count. Default: True.

    Inputs: ``matrix`` ``(..., m, n)``, ``rhs`` ``(..., m, k)`` and l2, a number or a 0-d Tensor.

    Raises:
        TypeError: If ``fast`` is not a bool, ``matrix`` and ``rhs`` differ in dtype, or an input is neither a Tensor
            nor a number.
        ValueError: If ``matrix`` has fewer than 2 axes, ``rhs`` has no axis, or the two have not as many rows. Also if
            ``matrix`` is not invertible.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MatrixSolveLs()(ms.Tensor([[1.0, 0.0], [0.0, 1.0]]), ms.Tensor([[1.0], [2.0]]), ms.Tensor(0.0)))
        [[1.]
         [2.]]
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
    """First columns of the orthogonal matrix that reflections make: ``ops.orgqr``.

    Shapes: (..., M, N) and (..., K) give (..., M, N). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is not a Tensor, or the two differ in dtype.
        ValueError: If the factors have a shape that does not fit, or the matrix does not have at least as many rows as
            columns.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> y, tau = ops.geqrf(ms.Tensor([[0.0, 1.0], [2.0, 3.0]]))
        >>> print(ops.Orgqr()(y, tau).round())
        [[ 0. -1.]
         [-1.  0.]]
    """

    function = staticmethod(F.orgqr)


class Pdist(OfFunction):
    """Distances of the rows of a matrix from one another: ``ops.pdist``.

    Shapes: (N, M) gives (N * (N - 1) / 2,); leading axes are kept. Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Args:
        p (float): The norm. Default: 2.0.

    Raises:
        TypeError: If ``p`` is not a number, or the input is not a floating Tensor.
        ValueError: If the input has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Pdist()(ms.Tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])))
        [5.        1.        4.2426405]
    """

    function = staticmethod(F.pdist)

    def __init__(self, p: float = 2.0) -> None:
        self._keep(p=float(p))


class STFT(OfFunction):
    """Fourier transforms of the pieces of a signal: ``STFT(...)(x, window)``, which is ``ops.stft``, not centred.

    Dtypes: float16 and float32 give complex64; float64 gives complex128; TypeError for ints and bools.

    Args:
        n_fft (int): The length of a piece.
        hop_length (int): The distance of pieces.
        win_length (int): The length of the window.
        normalized (bool): If True, it is divided by the root of ``n_fft``.
        onesided (bool): If True, only the first half of the frequencies.
        return_complex (bool): If False, real and imaginary parts along a new last axis.

    Raises:
        TypeError: If ``n_fft``, ``hop_length`` or ``win_length`` is not an int, or ``normalized``, ``onesided`` or
            ``return_complex`` is not a bool. Also if ``x`` or ``window`` is not a Tensor.
        ValueError: If ``onesided`` is not False for a complex signal, or ``window`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.STFT(2, 2, 2, False, True, True)(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([1.0, 1.0])))
        [[ 3.+0.j  7.+0.j]
         [-1.+0.j -1.+0.j]]
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

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Inputs: the diagonals above, on and below the main one, ``(..., 1, m)``, and x ``(..., m, n)``.

    Raises:
        TypeError: If an argument is not a Tensor.
        ValueError: If an input has too few axes, or the shapes do not broadcast.
        IndexError: If an input has fewer than two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> above, main, below = ms.Tensor([[1.0, 0.0]]), ms.Tensor([[2.0, 2.0]]), ms.Tensor([[0.0, 3.0]])
        >>> print(ops.TridiagonalMatMul()(above, main, below, ms.Tensor([[1.0], [10.0]])))
        [[12.]
         [23.]]
    """

    def run(self, superdiag, maindiag, subdiag, rhs) -> Tensor:
        """The product."""
        above, main, below = (F.swapaxes(d, -1, -2) for d in (superdiag, maindiag, subdiag))
        following = F.pad(rhs[..., 1:, :], (0, 0, 0, 1))
        before = F.pad(rhs[..., :-1, :], (0, 0, 1, 0))
        return above * following + main * rhs + below * before
