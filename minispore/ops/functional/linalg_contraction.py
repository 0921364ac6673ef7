"""Functional wrappers of contractions: sums of products over axes that two Tensors share."""

import math

from minispore.errors import shown, type_error, value_error
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.linalg_matmul import matmul

__all__ = ["dot", "inner", "kron", "outer", "tensor_dot"]
METHODS = "dot inner"


def _pairs_of_axes(x1, x2, axes):
    """The contracted axes of each Tensor, counted from the front."""
    if isinstance(axes, int) and not isinstance(axes, bool):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise value_error("tensor_dot", "the 'axes' must be at least 0 and at most each Tensor's axes", axes)
        return tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise type_error("tensor_dot", "the 'axes' must be an int or a pair of axes", shown(axes))
    first, second = ((a,) if isinstance(a, int) else tuple(a) for a in axes)
    if len(first) != len(second):
        raise value_error("tensor_dot", "the 'axes' must name as many axes of 'x1' as of 'x2'", shown(axes))
    for x, named in ((x1, first), (x2, second)):
        if any(not -x.ndim <= a < x.ndim for a in named):
            raise value_error("tensor_dot", f"the 'axes' must be in [-{x.ndim}, {x.ndim})", shown(axes))
    return tuple(a % x1.ndim for a in first), tuple(a % x2.ndim for a in second)


def tensor_dot(x1, x2, axes):
    """Sum of products over pairs of axes: the last ``axes`` of x1 with the first of x2, or those that are named.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If there is no such axis, or the lengths of a pair differ.
    """
    check_tensors("tensor_dot", x1=x1, x2=x2)
    first, second = _pairs_of_axes(x1, x2, axes)
    if any(x1.shape[a] != x2.shape[b] for a, b in zip(first, second, strict=True)):
        expected = "the lengths of the contracted axes must be equal"
        raise value_error("tensor_dot", expected, f"shapes {x1.shape} and {x2.shape} with axes {axes}")
    rest1 = tuple(i for i in range(x1.ndim) if i not in first)
    rest2 = tuple(i for i in range(x2.ndim) if i not in second)
    common = math.prod(x1.shape[a] for a in first)
    rows = math.prod(x1.shape[i] for i in rest1)
    columns = math.prod(x2.shape[i] for i in rest2)
    left = moved(x1, rest1 + first).reshape(rows, common)
    right = moved(x2, second + rest2).reshape(common, columns)
    return matmul(left, right).reshape(tuple(x1.shape[i] for i in rest1) + tuple(x2.shape[i] for i in rest2))


def moved(x, order):
    return x.transpose(order) if order != tuple(range(x.ndim)) else x


def dot(input, other):
    """Sum of products over the last axis of the input and the last but one of the other, each of two axes or more."""
    check_tensors("dot", input=input, other=other)
    if input.ndim < 2 or other.ndim < 2:
        expected = "the 'input' and 'other' must have at least 2 axes"
        raise value_error("dot", expected, f"shapes {input.shape} and {other.shape}")
    return tensor_dot(input, other, (-1, -2))


def inner(input, other):
    """Sum of products over the last axes; the product if one of the two is a number."""
    check_tensors("inner", input=input, other=other)
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        expected = "the last axes of 'input' and 'other' must have the same length"
        raise value_error("inner", expected, f"shapes {input.shape} and {other.shape}")
    return tensor_dot(input, other, (-1, -1))


def outer(input, vec2):
    """Product of every pair of elements of two vectors: ``out[i, j] = input[i] * vec2[j]``."""
    check_tensors("outer", input=input, vec2=vec2)
    for name, x in (("input", input), ("vec2", vec2)):
        if x.ndim != 1:
            raise value_error("outer", f"the '{name}' must have one axis", f"shape {x.shape}")
    return input.expand_dims(1) * vec2


def kron(x, y):
    """Kronecker product: each element of x replaced by its product with the whole of y."""
    check_tensors("kron", x=x, y=y)
    rank = max(x.ndim, y.ndim)
    a, b = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    spread = x.reshape(tuple(n for length in a for n in (length, 1)))
    product = spread * y.reshape(tuple(n for length in b for n in (1, length)))
    return product.reshape(tuple(m * n for m, n in zip(a, b, strict=True)))
