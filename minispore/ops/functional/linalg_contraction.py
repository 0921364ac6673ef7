"""Functional wrappers of contractions: sums of products over axes that two Tensors share."""

from __future__ import annotations

import math

from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.linalg_matmul import matmul
from minispore.ops.operations.linalg.einsum import moved

__all__ = ["batch_dot", "dot", "inner", "kron", "outer", "tensor_dot"]
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


def tensor_dot(x1: Tensor, x2: Tensor, axes) -> Tensor:
    """Sum of products over pairs of axes: the last ``axes`` of x1 with the first of x2, or those that are named.

    Shapes: the axes that are left, of x1 and then of x2. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If there is no such axis, or the lengths of a pair differ.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[1.0, 0.0], [0.0, 2.0]])
        >>> print(ops.tensor_dot(x, y, 1))
        [[1. 4.]
         [3. 8.]]
        >>> print(ops.tensor_dot(x, y, 2))  # all products in one sum
        9.0
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


def batch_dot(x1: Tensor, x2: Tensor, axes=None) -> Tensor:
    """Sum of products over one axis of each Tensor, row by row of their first axes: ``out[n] = x1[n] . x2[n]``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        x1 (Tensor): Floating, of at least 2 axes; ``x2`` is of its dtype and has a first axis of its length.
        x2 (Tensor): See ``x1``.
        axes (Union[int, tuple(int), list(int)]): The axis of each that is summed over, not the first; one int for both.
            Default: None, the last of x1, and the last but one of x2, or its last if it has 2 axes.

    Returns:
        Tensor, of the other axes of x1 and then of x2; of the shape (N, 1) if there are none.

    Raises:
        TypeError: If an input is no floating Tensor, the dtypes differ, or ``axes`` is not of ints.
        ValueError: If a shape does not fit, or an axis is not there.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[1.0, 1.0], [10.0, 0.0]])
        >>> print(ops.batch_dot(x, y, 1))  # the product of each pair of rows
        [[ 3.]
         [30.]]
    """
    check_tensors("batch_dot", x1=x1, x2=x2)
    if x1.dtype != x2.dtype or not x1.is_floating_point():
        raise type_error("batch_dot", "the 'x1' and 'x2' must be of one floating dtype", f"{x1.dtype} and {x2.dtype}")
    if x1.ndim < 2 or x2.ndim < 2 or len(x1) != len(x2):
        expected = "the 'x1' and 'x2' must have at least 2 axes, and first ones of one length"
        raise value_error("batch_dot", expected, f"shapes {x1.shape} and {x2.shape}")
    first, second = _batch_axes(x1, x2, axes)
    if x1.shape[first] != x2.shape[second]:
        expected = "the axes that are summed over must have one length"
        raise value_error("batch_dot", expected, f"{x1.shape[first]} and {x2.shape[second]}")
    rest1, rest2 = ([i for i in range(1, x.ndim) if i != a] for x, a in ((x1, first), (x2, second)))
    left = moved(x1, (0, *rest1, first)).reshape((len(x1), -1, x1.shape[first]))
    right = moved(x2, (0, second, *rest2)).reshape((len(x2), x2.shape[second], -1))
    shape = (*(x1.shape[i] for i in rest1), *(x2.shape[i] for i in rest2))
    return matmul(left, right).reshape((len(x1), *(shape or (1,))))


def _batch_axes(x1, x2, axes):
    """The two axes that are summed over, counted from the front."""
    if axes is None:
        return x1.ndim - 1, max(x2.ndim - 2, 1)
    axes = axes if isinstance(axes, (tuple, list)) else (axes, axes)
    if len(axes) != 2:
        raise value_error("batch_dot", "the 'axes' must be an int or a pair of ints", shown(axes))
    found = [as_axis("batch_dot", a, x.ndim, "axes") for a, x in zip(axes, (x1, x2), strict=True)]
    if 0 in found:
        raise value_error("batch_dot", "the 'axes' must not name the first axis", shown(axes))
    return found


def dot(input: Tensor, other: Tensor) -> Tensor:
    """Sum of products over the last axis of the input and the last but one of the other, each of two axes or more.

    Shapes: (..., N) and (..., N, M) give the other axes of both. Dtypes: floats, ints and complex, kept; TypeError for
    bools.

    Raises:
        TypeError: If an argument is not a Tensor, or ``other`` and ``input`` differ in dtype.
        ValueError: If ``input`` and ``other`` do not have at least 2 axes, or the lengths of the contracted axes are
            not equal.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dot(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]])))
        [[11.]]
    """
    check_tensors("dot", input=input, other=other)
    if input.ndim < 2 or other.ndim < 2:
        expected = "the 'input' and 'other' must have at least 2 axes"
        raise value_error("dot", expected, f"shapes {input.shape} and {other.shape}")
    return tensor_dot(input, other, (-1, -2))


def inner(input: Tensor, other: Tensor) -> Tensor:
    """Sum of products over the last axes; the product if one of the two is a number.

    Shapes: (..., N) and (..., N) give the other axes of both; () scales. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If an argument is not a Tensor, or ``other`` and ``input`` differ in dtype.
        ValueError: If the last axes of ``input`` and ``other`` do not have the same length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inner(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([4.0, 5.0, 6.0])))
        32.0
    """
    check_tensors("inner", input=input, other=other)
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        expected = "the last axes of 'input' and 'other' must have the same length"
        raise value_error("inner", expected, f"shapes {input.shape} and {other.shape}")
    return tensor_dot(input, other, (-1, -1))


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every pair of elements of two vectors: ``out[i, j] = input[i] * vec2[j]``.

    Shapes: (N,) and (M,) give (N, M). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``input`` or ``vec2`` is not a Tensor.
        ValueError: If ``input`` or ``vec2`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.outer(ms.Tensor([1, 2, 3]), ms.Tensor([10, 20])))
        [[10 20]
         [20 40]
         [30 60]]
    """
    check_tensors("outer", input=input, vec2=vec2)
    for name, x in (("input", input), ("vec2", vec2)):
        if x.ndim != 1:
            raise value_error("outer", f"the '{name}' must have one axis", f"shape {x.shape}")
    return input.expand_dims(1) * vec2


def kron(x: Tensor, y: Tensor) -> Tensor:
    """Kronecker product: each element of x replaced by its product with the whole of y.

    Shapes: the products of the lengths. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.kron(ms.Tensor([[1, 2]]), ms.Tensor([[1, 0], [0, 1]])))
        [[1 0 2 0]
         [0 1 0 2]]
    """
    check_tensors("kron", x=x, y=y)
    rank = max(x.ndim, y.ndim)
    a, b = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    spread = x.reshape(tuple(n for length in a for n in (length, 1)))
    product = spread * y.reshape(tuple(n for length in b for n in (1, length)))
    return product.reshape(tuple(m * n for m, n in zip(a, b, strict=True)))
