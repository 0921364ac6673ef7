"""Functional wrappers of matrix products, and of adding a bias."""

from __future__ import annotations

from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.number_checks import check_number
from minispore.ops.operations.linalg import matmul as linear
from minispore.ops.operations.linalg.outer_product import Ger

__all__ = [
    "addbmm",
    "addmm",
    "addmv",
    "addr",
    "baddbmm",
    "batch_matmul",
    "bias_add",
    "bmm",
    "dense",
    "ger",
    "matmul",
    "mm",
    "mv",
]
METHODS = "addbmm addmm baddbmm bmm matmul mm"

ger = Ger()
_bias_add = linear.BiasAdd()


def bias_add(input_x, bias) -> Tensor:
    """A bias for each channel, axis 1, added: ``BiasAdd()(input_x, bias)``."""
    return _bias_add(input_x, bias)


def matmul(input, other) -> Tensor:
    """Matrix product with NumPy's rules for axes: vectors count as a row or a column, leading axes broadcast.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If the lengths do not fit, or an input is 0-d.
    """
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor):
            raise type_error("matmul", f"the '{name}' must be a Tensor", type(x).__name__)
        if x.ndim == 0:
            raise value_error("matmul", f"the '{name}' must have at least one axis", "a 0-d Tensor")
    if input.ndim == 2 and other.ndim == 2:
        return _matmul(input, other)
    if input.ndim > 2 and other.ndim == 2 and input.size:  # of all rows at once: other's gradient is rounded once too
        rows = _matmul(input.reshape(-1, input.shape[-1]), other)
        return rows.reshape(*input.shape[:-1], other.shape[1])
    x = input.reshape(1, -1) if input.ndim == 1 else input
    y = other.reshape(-1, 1) if other.ndim == 1 else other
    out = _batch_matmul(x, y)
    if input.ndim == 1:
        out = out.reshape(out.shape[:-2] + out.shape[-1:])
    return out.reshape(out.shape[:-1]) if other.ndim == 1 else out


_matmul, _batch_matmul = linear.MatMul(), linear.BatchMatMul()


def batch_matmul(x, y) -> Tensor:
    """Matrix products over leading axes: ``BatchMatMul()(x, y)``."""
    return _batch_matmul(x, y)


def dense(input: Tensor, weight: Tensor, bias=None) -> Tensor:
    """Linear layer: ``out = input @ weight.T + bias``, on the last axis of the input."""
    check_tensors("dense", input=input, weight=weight)
    if not input.ndim or weight.ndim != 2:
        expected = "the 'input' must have at least one axis, and the 'weight' two"
        raise value_error("dense", expected, f"shapes {input.shape} and {weight.shape}")
    out = make(linear.MatMul, False, True)(input.reshape(-1, input.shape[-1]), weight)
    out = out if bias is None else bias_add(out, bias)
    return out.reshape((*input.shape[:-1], weight.shape[0]))


def _check_axes(name, **ranks):
    """Raise unless each is a Tensor of so many axes: ``_check_axes("mv", mat=(mat, 2))``."""
    for argument, (x, rank) in ranks.items():
        if not isinstance(x, Tensor):
            raise type_error(name, f"the '{argument}' must be a Tensor", type(x).__name__)
        if x.ndim != rank:
            raise value_error(name, f"the '{argument}' must have {rank} axes", f"shape {x.shape}")


def mm(input, mat2) -> Tensor:
    """Matrix product: ``out = input @ mat2``, each of two axes."""
    _check_axes("mm", input=(input, 2), mat2=(mat2, 2))
    return _matmul(input, mat2)


def bmm(input_x, mat2) -> Tensor:
    """Matrix products over leading axes: ``BatchMatMul()(input_x, mat2)``."""
    return _batch_matmul(input_x, mat2)


def mv(mat, vec) -> Tensor:
    """Product of a matrix and a vector: ``out = mat @ vec``."""
    _check_axes("mv", mat=(mat, 2), vec=(vec, 1))
    return _matmul(mat, vec.reshape(-1, 1)).reshape(-1)


def _mixed(name, x, product, beta, alpha):
    """``beta * x + alpha * product``."""
    for argument, factor in (("beta", beta), ("alpha", alpha)):
        check_number(name, argument, factor)
    return (x if beta == 1 else x * beta) + (product if alpha == 1 else product * alpha)


def addmm(input, mat1, mat2, *, beta=1, alpha=1) -> Tensor:
    """A matrix product added to a Tensor: ``out = beta * input + alpha * (mat1 @ mat2)``."""
    return _mixed("addmm", input, matmul(mat1, mat2), beta, alpha)


def addmv(x, mat, vec, *, beta=1, alpha=1) -> Tensor:
    """The product of a matrix and a vector added to a Tensor: ``out = beta * x + alpha * (mat @ vec)``."""
    return _mixed("addmv", x, mv(mat, vec), beta, alpha)


def addr(x, vec1, vec2, *, beta=1, alpha=1) -> Tensor:
    """The outer product of two vectors added to a Tensor: ``out[i, j] = beta * x + alpha * vec1[i] * vec2[j]``."""
    _check_axes("addr", vec1=(vec1, 1), vec2=(vec2, 1))
    return _mixed("addr", x, _matmul(vec1.reshape(-1, 1), vec2.reshape(1, -1)), beta, alpha)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1) -> Tensor:
    """The sum of several matrix products added: ``out = beta * input + alpha * sum of batch1[i] @ batch2[i]``."""
    _check_axes("addbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _mixed("addbmm", input, _batch_matmul(batch1, batch2).sum(0), beta, alpha)


def baddbmm(input, batch1, batch2, beta=1, alpha=1) -> Tensor:
    """Several matrix products added: ``out[i] = beta * input[i] + alpha * batch1[i] @ batch2[i]``."""
    _check_axes("baddbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _mixed("baddbmm", input, _batch_matmul(batch1, batch2), beta, alpha)
