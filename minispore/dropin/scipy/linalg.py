"""SciPy's names of linear algebra: block diagonals, inverses, determinants, eigenvalues, triangular factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import shown, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.dtype_promotion import promote
from minispore.ops.functional._wrappers import make
from minispore.ops.operations.linalg import factors

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "eigh",
    "inv",
    "lu",
    "lu_factor",
    "lu_solve",
    "solve_triangular",
]


def block_diag(*arrs):
    """The matrix with the given ones along its diagonal, in the dtype that they promote to: ``ops.block_diag``."""
    if all(isinstance(x, Tensor) for x in arrs) and len({x.dtype for x in arrs}) > 1:
        kind = arrs[0].array.dtype
        for x in arrs[1:]:
            kind = promote(kind, x.array.dtype)
        arrs = [F.cast(x, kind) for x in arrs]
    return F.block_diag(*arrs)


def inv(a, overwrite_a=False, check_finite=True):
    """The inverse of a square matrix: ``ops.inverse``; the two switches change nothing here.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a is not square.
    """
    _check_switches("inv", overwrite_a, check_finite)
    return F.inverse(a)


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """Cholesky's factor of a symmetric matrix: U of ``U.T @ U``, or L of ``L @ L.T`` with ``lower``.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a is not square, or not positive definite.
    """
    _check_switches("cholesky", overwrite_a, check_finite)
    return F.cholesky(a, upper=not check_bool("cholesky", "lower", lower))


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True) -> tuple[Tensor, bool]:
    """Cholesky's factor and whether it is the lower one: ``(c, lower)``, which :func:`cho_solve` takes.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a is not square.
        RuntimeError: If a is not positive definite.
    """
    return cholesky(a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True) -> Tensor:
    """Solution of ``a @ out = b`` by the factor of :func:`cho_factor`; b has 1 or 2 axes.

    Raises:
        TypeError: If an input is not a floating Tensor, or a switch not a bool.
        ValueError: If the shapes do not fit.
    """
    _check_switches("cho_solve", overwrite_b, check_finite)
    factor, lower = c_and_lower
    upper = not check_bool("cho_solve", "lower", lower)
    return _by_columns(b, lambda right: F.cholesky_solve(right, factor, upper))


def _by_columns(b, solve):
    """The solution for the columns of a matrix, and for a vector."""
    return solve(b.expand_dims(-1)).squeeze(-1) if isinstance(b, Tensor) and b.ndim == 1 else solve(b)


def det(a, overwrite_a=False, check_finite=True) -> Tensor:
    """The determinant of a square matrix: ``ops.det``.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a is not square.
    """
    _check_switches("det", overwrite_a, check_finite)
    return F.det(a)


def eigh(
    a,
    b=None,
    lower=True,
    eigvals_only=False,
    overwrite_a=False,
    overwrite_b=False,
    turbo=True,
    eigvals=None,
    type=1,
    check_finite=True,
) -> Any:
    """Eigenvalues, from the smallest on, and vectors of a symmetric matrix: ``(w, v)``, ``a @ v = v * w``.

    The sign of each vector is free. Gradients go to the triangle that counts.

    Args:
        a (Tensor): Square, floating.
        b (None): No other problem than this is solved. Default: None.
        lower (bool): Which triangle of a counts. Default: True.
        eigvals_only (bool): If True, w alone is given. Default: False.
        overwrite_a (bool): Accepted, without effect.
        overwrite_b (bool): Accepted, without effect.
        turbo (bool): Accepted, without effect.
        eigvals (None): All are computed. Default: None.
        type (int): 1. Default: 1.
        check_finite (bool): Accepted, without effect.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a is not square, or ``b``, ``eigvals`` or ``type`` is another than its default.
    """
    _check_switches("eigh", overwrite_a, check_finite)
    check_bool("eigh", "overwrite_b", overwrite_b), check_bool("eigh", "turbo", turbo)
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise value_error("eigh", f"the '{name}' must be None", shown(value))
    check_choice("eigh", "type", type, (1,))
    w, v = make(factors.Eigh, check_bool("eigh", "lower", lower))(a)
    return w if check_bool("eigh", "eigvals_only", eigvals_only) else (w, v)


def lu_factor(a, overwrite_a=False, check_finite=True) -> tuple[Tensor, Tensor]:
    """Packed triangular factors and pivots: ``(lu, piv)``, which :func:`lu_solve` takes.

    U is in the upper triangle, L below it with ones on its diagonal; ``piv[i]`` is the row, from 0, that the i-th was
    exchanged with. They have no gradient: one that is asked for is an error.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a has fewer than 2 axes.
    """
    _check_switches("lu_factor", overwrite_a, check_finite)
    return make(factors.LU)(a)


def lu(a, permute_l=False, overwrite_a=False, check_finite=True) -> tuple[Tensor, ...]:
    """Triangular factors: ``(p, l, u)``, ``a = p @ l @ u``, p of int32; or ``(p @ l, u)`` with ``permute_l``.

    Raises:
        TypeError: If a is not a floating Tensor, or a switch not a bool.
        ValueError: If a has fewer than 2 axes.
    """
    check_bool("lu", "permute_l", permute_l)
    packed, pivots = lu_factor(a, overwrite_a, check_finite)
    p, lower, upper = F.lu_unpack(packed, pivots + 1)
    return (F.matmul(p, lower), upper) if permute_l else (F.cast(p, np.dtype(np.int32)), lower, upper)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True) -> Tensor:
    """Solution of ``a @ out = b`` by the factors of :func:`lu_factor`, of ``a.T @ out = b`` for a ``trans`` of 1 or 2.

    Raises:
        TypeError: If an input is of a wrong kind, or a switch not a bool.
        ValueError: If the shapes do not fit, or ``trans`` is another.
    """
    _check_switches("lu_solve", overwrite_b, check_finite)
    packed, pivots = lu_and_piv
    if not check_choice("lu_solve", "trans", trans, (0, 1, 2)):
        return _by_columns(b, lambda right: F.lu_solve(right, packed, pivots + 1))
    p, lower, upper = F.lu_unpack(packed, pivots + 1)

    def solve(right):
        return F.matmul(p, F.matrix_solve(lower, F.matrix_solve(upper, right, True), True))

    return _by_columns(b, solve)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True) -> Tensor:
    """Solution of ``a @ out = b`` with a triangle of a, of ``a.T @ out = b`` for a ``trans`` of 1, 2, "T" or "C".

    Args:
        a (Tensor): Square, floating.
        b (Tensor): 1 or 2 axes, the dtype of a.
        trans (Union[int, str]): 0 or "N" for a itself. Default: 0.
        lower (bool): Which triangle counts. Default: False, the upper one.
        unit_diagonal (bool): If True, its diagonal is taken as ones. Default: False.
        overwrite_b (bool): Accepted, without effect.
        check_finite (bool): Accepted, without effect.

    Raises:
        TypeError: If an input is of a wrong kind, or a switch not a bool.
        ValueError: If the shapes do not fit, or ``trans`` is another.
    """
    _check_switches("solve_triangular", overwrite_b, check_finite)
    check_choice("solve_triangular", "trans", trans, (0, 1, 2, "N", "T", "C"))
    triangle = F.tril(a) if check_bool("solve_triangular", "lower", lower) else F.triu(a)
    if check_bool("solve_triangular", "unit_diagonal", unit_diagonal):
        one = F.eye(a.shape[-1], a.shape[-1], a.dtype)
        triangle = triangle - triangle * one + one
    return _by_columns(b, lambda right: F.matrix_solve(triangle, right, trans not in (0, "N")))


def _check_switches(function, overwrite_a, check_finite):
    check_bool(function, "overwrite_a", overwrite_a), check_bool(function, "check_finite", check_finite)
