"""Faces of the linear operations: products of matrices, and a bias."""

from minispore.errors import type_error, value_error
from minispore.ops import linear
from minispore.ops.functional.faces import make
from minispore.tensor import Tensor

__all__ = ["batch_matmul", "bias_add", "dense", "ger", "matmul"]

ger = linear.Ger()
bias_add = linear.BiasAdd()


def matmul(input, other):
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
    x = input.reshape(1, -1) if input.ndim == 1 else input
    y = other.reshape(-1, 1) if other.ndim == 1 else other
    out = _batch_matmul(x, y)
    if input.ndim == 1:
        out = out.reshape(out.shape[:-2] + out.shape[-1:])
    return out.reshape(out.shape[:-1]) if other.ndim == 1 else out


_matmul, _batch_matmul = linear.MatMul(), linear.BatchMatMul()


def batch_matmul(x, y):
    """Matrix products over leading axes: ``BatchMatMul()(x, y)``."""
    return _batch_matmul(x, y)


def dense(x, weight, bias=None):
    """Linear layer: ``out = x @ weight.T + bias``, on the last axis of x."""
    out = make(linear.MatMul, False, True)(x.reshape(-1, x.shape[-1]), weight)
    out = out if bias is None else bias_add(out, bias)
    return out.reshape((*x.shape[:-1], weight.shape[0]))
