"""Singular values and vectors of matrices. float16 is computed in float32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable

from minispore.core.checks import check_bool
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.linalg.matmul import BatchMatMul
from minispore.ops.operations.math.select import Select
from minispore.ops.type_checks import check_float

__all__ = ["Svd"]

_matmul, _matmul_nt, _matmul_tn = BatchMatMul(), BatchMatMul(False, True), BatchMatMul(True, False)
_select = Select()


class Svd(Primitive):
    """Singular values and vectors, ``x = u @ diag(s) @ v.T``: ``(s, u, v)``, s from the largest on.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        full_matrices (bool): If True, u and v are square. Default: False.
        compute_uv (bool): If False, u and v are not computed: each is a zero of shape (1,). Default: True.

    Raises:
        ValueError: If x has fewer than 2 axes, or a gradient is asked for through square u and v of a matrix that is
            not square.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> s, u, v = ops.Svd()(ms.Tensor([[3.0, 0.0], [0.0, 2.0]]))
        >>> print(s)
        [3. 2.]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, full_matrices: bool = False, compute_uv: bool = True) -> None:
        for name, value in (("full_matrices", full_matrices), ("compute_uv", compute_uv)):
            self.add_prim_attr(name, check_bool(self.name, name, value))

    def infer(self, x):
        check_float(self, "input", x)
        if len(x.shape) < 2:
            raise value_error(self.name, "the 'input' must have at least 2 axes", f"shape {x.shape}")
        *lead, rows, columns = x.shape
        least = min(rows, columns)
        values = Spec((*lead, least), x.dtype)
        if not self.compute_uv:
            return values, Spec((1,), x.dtype), Spec((1,), x.dtype)
        wide = self.full_matrices
        u, v = ((*lead, n, n if wide else least) for n in (rows, columns))
        return values, Spec(u, x.dtype), Spec(v, x.dtype)

    def compute(self, xp, x):
        if not self.compute_uv:
            s, none = xp.linalg.svd(widen(xp, x), compute_uv=False), xp.zeros(1, x.dtype)
            return narrow(xp, s, x.dtype), none, none.copy()
        u, s, turned = xp.linalg.svd(widen(xp, x), full_matrices=self.full_matrices)
        return tuple(xp.ascontiguousarray(narrow(xp, y, x.dtype)) for y in (s, u, turned.swapaxes(-1, -2)))

    def bprop(self, x, out, dout):
        rows, columns = x.shape[-2:]
        if self.full_matrices and self.compute_uv and rows != columns:
            expected = "the 'full_matrices' must be False for a gradient of matrices that are not square"
            raise value_error(self.name, expected, f"shape {x.shape}")
        s, u, v = out if self.compute_uv else _thin(x)
        inner = diagonal_matrices(dout[0])
        if not self.compute_uv:
            return _matmul_nt(_matmul(u, inner), v)
        _, du, dv = dout
        spread = gaps(s * s)
        inner = inner + _turn(spread, u, du) * s.expand_dims(-2) + s.expand_dims(-1) * _turn(spread, v, dv)
        slope = _matmul_nt(_matmul(u, inner), v)
        if rows > s.shape[-1]:
            slope = slope + _matmul_nt(_outside(u, du / s.expand_dims(-2)), v)
        if columns > s.shape[-1]:
            slope = slope + _matmul_nt(u, _outside(v, dv / s.expand_dims(-2)))
        return slope


_thin = Svd()


def diagonal_matrices(s):
    """Matrices with ``s`` on their diagonals, and zeros elsewhere."""
    n = s.shape[-1]
    return s.expand_dims(-1) * _identity(s, n)


def _identity(like, n):
    return like.new_ones((n,)).diag()


def gaps(x):
    """``1 / (x[j] - x[i])``, and 0 where the two are equal."""
    gap = x.expand_dims(-2) - x.expand_dims(-1)
    same = gap == 0
    return _select(same, gap, 1 / _select(same, 1, gap))


def _turn(spread, basis, slope):
    """The turn within their span that the gradient for singular vectors makes."""
    inner = _matmul_tn(basis, slope)
    return spread * (inner - inner.swapaxes(-1, -2))


def _outside(basis, x):
    """The part of ``x`` outside of the span of ``basis``."""
    return x - _matmul(basis, _matmul_tn(basis, x))
