"""SciPy's names of linear algebra: block diagonals, inverses and Cholesky's factors."""

from minispore.core.checks import check_bool
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["block_diag", "cholesky", "inv"]


def block_diag(*arrs):
    """The matrix with the given ones along its diagonal: ``ops.block_diag``."""
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


def _check_switches(function, overwrite_a, check_finite):
    check_bool(function, "overwrite_a", overwrite_a), check_bool(function, "check_finite", check_finite)
