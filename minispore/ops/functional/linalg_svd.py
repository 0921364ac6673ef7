"""Singular values and vectors, the pseudo-inverse, the logarithm of the determinant, and a matrix turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import float32, float64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_rearrange import swapaxes, tril
from minispore.ops.functional.linalg_matmul import matmul
from minispore.ops.functional.linalg_matrix import slogdet
from minispore.ops.functional.math_unary import log
from minispore.ops.functional.reduce_extremes import amax
from minispore.ops.number_checks import is_real
from minispore.ops.operations.linalg.svd import Svd
from minispore.ops.operations.math.select import Select

__all__ = ["logdet", "pinv", "svd", "t"]
METHODS = "svd"

_select = Select()


def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular values and vectors, ``input = u @ diag(s) @ v.T``: ``(s, u, v)``, or s alone without ``compute_uv``.

    Shapes: (..., M, N) gives (..., K), (..., M, K) and (..., N, K), K being the smaller. Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``full_matrices`` or ``compute_uv`` is not a bool.
        ValueError: If ``input`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> s, u, v = ops.svd(ms.Tensor([[3.0, 0.0], [0.0, 2.0]]))
        >>> print(s)
        [3. 2.]
    """
    out = make(Svd, full_matrices, compute_uv)(input)
    return out if compute_uv else out[0]


def pinv(
    x: Tensor, *, atol: float | Tensor | None = None, rtol: float | Tensor | None = None, hermitian: bool = False
) -> Tensor:
    """Pseudo-inverse: ``out = v @ diag(1 / s) @ u.T`` of ``x = u @ diag(s) @ v.T``, over the s above a tolerance.

    Dtypes: float32 and float64, kept; TypeError for float16, ints, bools and complex.

    Args:
        x (Tensor): Matrices on the last two axes, float32 or float64.
        atol (Union[float, Tensor]): The tolerance is at least this. Default: None, 0.
        rtol (Union[float, Tensor]): The tolerance is at least this times the largest s. Default: None, the longer side
            times the dtype's resolution, or 0 beside an ``atol`` above 0.
        hermitian (bool): If True, x is taken as symmetric: its lower triangle counts. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If x has fewer than 2 axes, or is not square with ``hermitian``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.pinv(ms.Tensor([[4.0, 0.0], [0.0, 5.0]])))
        [[0.25 0.  ]
         [0.   0.2 ]]
    """
    check_tensors("pinv", x=x)
    if x.dtype not in (float32, float64):
        raise type_error("pinv", "the 'x' must be a Tensor of float32 or float64", x.dtype)
    if x.ndim < 2:
        raise value_error("pinv", "the 'x' must have at least 2 axes", f"shape {x.shape}")
    if check_bool("pinv", "hermitian", hermitian):
        if x.shape[-1] != x.shape[-2]:
            raise value_error("pinv", "the 'x' must be square matrices where 'hermitian' is True", f"shape {x.shape}")
        x = tril(x) + swapaxes(tril(x, -1), -1, -2)
    if not x.size:
        return swapaxes(x, -1, -2)
    s, u, v = svd(x)
    keep = s > _tolerance(x, s, atol, rtol)
    inverse = _select(keep, 1 / _select(keep, s, 1), 0)
    return matmul(v * inverse.expand_dims(-2), swapaxes(u, -1, -2))


def _tolerance(x, s, atol, rtol):
    for name, value in (("atol", atol), ("rtol", rtol)):
        if value is not None and not is_real(value) and not isinstance(value, Tensor):
            raise type_error("pinv", f"the '{name}' must be a number, a Tensor or None", shown(value))
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(np.finfo(x.array.dtype).eps)
        rtol = rtol if atol is None else _select(Tensor(atol) > 0, 0.0, Tensor(rtol, x.dtype))
    atol = Tensor(0.0 if atol is None else atol, x.dtype)
    largest = amax(s, -1, True) * (rtol.expand_dims(-1) if isinstance(rtol, Tensor) and rtol.ndim else rtol)
    return largest.maximum(atol.expand_dims(-1) if atol.ndim else atol)


def logdet(input: Tensor) -> Tensor:
    """Natural logarithm of the determinants of square matrices: ``out = ln det input``, nan if it is below 0.

    Shapes: (..., N, N) gives (...). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` is not square in its last two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logdet(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
        2.0794415
    """
    sign, size = slogdet(input)
    return size + log(sign) if sign.size else size


def t(input: Tensor) -> Tensor:
    """A matrix with rows and columns exchanged; a vector or a number as it is.

    Shapes: (N, M) gives (M, N); () and (N,) are kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` does not have at most 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.t(ms.Tensor([[1, 2, 3], [4, 5, 6]])))
        [[1 4]
         [2 5]
         [3 6]]
    """
    check_tensors("t", input=input)
    if input.ndim > 2:
        raise value_error("t", "the 'input' must have at most 2 axes", f"shape {input.shape}")
    return input.transpose(tuple(range(input.ndim))[::-1])
