"""Products of vectors and matrices, and convolutions of rows."""

from __future__ import annotations

import functools

import numpy as np

from minispore import ops
from minispore.core.checks import check_choice, check_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.array_ops.rearranging import broadcast_arrays, moveaxis
from minispore.dropin.numpy.utils import as_axes, as_axis, common, converted, floating, numbers_only, operand, operands

__all__ = [
    "convolve",
    "correlate",
    "cross",
    "dot",
    "inner",
    "kron",
    "matmul",
    "matrix_power",
    "multi_dot",
    "outer",
    "tensordot",
]


def _factors(name, a, b, first="a", second="b"):
    """Two operands of one number type."""
    a, b = operands(name, a, b, first, second)
    return numbers_only(name, a, first), b


def _contracted(name, a, b, of_a, of_b):
    """The sum of products over pairs of axes: the other axes of ``a``, then those of ``b``."""
    if [a.shape[i] for i in of_a] != [b.shape[i] for i in of_b]:
        raise value_error(name, "the axes to be summed over must be equally long", f"{a.shape} and {b.shape}")
    left = [i for i in range(a.ndim) if i not in of_a]
    right = [i for i in range(b.ndim) if i not in of_b]
    shape = [a.shape[i] for i in left] + [b.shape[i] for i in right]
    summed = int(np.prod([a.shape[i] for i in of_a], dtype=int))
    a = ops.transpose(a, (*left, *of_a)).reshape((-1 if summed else int(np.prod(shape[: len(left)])), summed))
    b = ops.transpose(b, (*of_b, *right)).reshape((summed, -1 if summed else int(np.prod(shape[len(left) :]))))
    return ops.cast(ops.matmul(a, b), a.dtype).reshape(tuple(shape))


def dot(a, b) -> Tensor:
    """The sum of products over the last axis of ``a`` and the last but one of ``b``; a number scales.

    Shapes: (..., N) and (..., N, M) give the other axes of both; () scales. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``a`` or ``b`` holds no numbers.
        ValueError: If the axes to be summed over are not equally long.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.dot(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
        11.0
    """
    a, b = _factors("dot", a, b)
    if 0 in (a.ndim, b.ndim):
        return a * b
    return _contracted("dot", a, b, (a.ndim - 1,), (max(b.ndim - 2, 0),))


def matrix_power(a, n) -> Tensor:
    """The product of ``n`` matrices ``a``, which the last two axes are; for 0, the identity matrix.

    Shapes: (..., N, N), kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``n`` is not an int.
        ValueError: If ``a`` does not have square matrices in its last two axes, or ``n`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.matrix_power(ms.Tensor([[1.0, 1.0], [0.0, 1.0]]), 3))
        [[1. 3.]
         [0. 1.]]
    """
    a = numbers_only("matrix_power", operand("matrix_power", a, "a"))
    n = check_int("matrix_power", "n", n, 0)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise value_error("matrix_power", "the 'a' must have square matrices in its last two axes", a.shape)
    if not n:
        return ops.broadcast_to(Tensor(np.eye(a.shape[-1], dtype=a.dtype.np)), a.shape)
    return functools.reduce(matmul, [a] * n)


def inner(a, b) -> Tensor:
    """The sum of products over the last axes; a number scales.

    Shapes: (..., N) and (..., N) give the other axes of both; () scales. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``a`` or ``b`` holds no numbers.
        ValueError: If the axes to be summed over are not equally long.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.inner(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
        11.0
    """
    a, b = _factors("inner", a, b)
    if 0 in (a.ndim, b.ndim):
        return a * b
    return _contracted("inner", a, b, (a.ndim - 1,), (b.ndim - 1,))


def matmul(x1, x2, dtype=None) -> Tensor:
    """The product of matrices, which the last two axes are; a row is one vector.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If ``x1`` or ``x2`` does not have an axis, or ``x1`` has more or fewer columns than ``x2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.matmul(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 10.0])))
        [21. 43.]
    """
    x1, x2 = _factors("matmul", x1, x2, "x1", "x2")
    for argument, x in (("x1", x1), ("x2", x2)):
        if not x.ndim:
            raise value_error("matmul", f"the '{argument}' must have an axis", "a 0-d Tensor")
    return converted("matmul", ops.matmul(x1, x2), dtype)


def outer(a, b) -> Tensor:
    """The product of each element of ``a`` with each of ``b``, both in a row.

    Shapes: any of N and of M elements give (N, M). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.outer(ms.Tensor([1, 2]), ms.Tensor([10, 20])))
        [[10 20]
         [20 40]]
    """
    a, b = _factors("outer", a, b)
    return a.reshape((-1, 1)) * b.reshape((1, -1))


def kron(a, b) -> Tensor:
    """Each element of ``a`` times all of ``b``, in its place.

    Shapes: each length is the product of both; missing axes count as 1. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.kron(ms.Tensor([1, 2]), ms.Tensor([1, 10])))
        [ 1 10  2 20]
    """
    a, b = _factors("kron", a, b)
    rank = max(a.ndim, b.ndim)
    a, b = (x.reshape((1,) * (rank - x.ndim) + x.shape) for x in (a, b))
    shape = tuple(n * m for n, m in zip(a.shape, b.shape, strict=True))
    wide = a.reshape(tuple(k for n in a.shape for k in (n, 1)))
    return (wide * b.reshape(tuple(k for n in b.shape for k in (1, n)))).reshape(shape)


def tensordot(a, b, axes=2) -> Tensor:
    """The sum of products over the last ``axes`` axes of ``a`` and the first of ``b``, or over pairs of axes.

    Shapes: the axes of ``a``, then of ``b``, that are not summed over. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``a`` or ``b`` holds no numbers, or ``axes`` is not an int, or the axes of ``a`` and those of
            ``b``.
        ValueError: If ``axes`` is no axis of the input, or the axes to be summed over are not equally long.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.tensordot(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[1.0, 0.0], [0.0, 1.0]]), 1))
        [[1. 2.]
         [3. 4.]]
    """
    a, b = _factors("tensordot", a, b)
    if is_int(axes):
        count = check_int("tensordot", "axes", axes, 0, min(a.ndim, b.ndim) + 1)
        return _contracted("tensordot", a, b, tuple(range(a.ndim - count, a.ndim)), tuple(range(count)))
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise type_error("tensordot", "the 'axes' must be an int, or the axes of 'a' and those of 'b'", shown(axes))
    of_a, of_b = (as_axes("tensordot", n, x.ndim, "axes") for n, x in zip(axes, (a, b), strict=True))
    if len(of_a) != len(of_b):
        raise value_error("tensordot", "the 'axes' must be equally many of both", shown(axes))
    return _contracted("tensordot", a, b, of_a, of_b)


def multi_dot(arrays) -> Tensor:
    """The product of two or more matrices; the first and the last may be rows.

    Shapes: (N, M), (M, K), ..., (P, Q) give (N, Q); a row loses its axis. Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``arrays`` is not a tuple or list of Tensors.
        ValueError: If ``arrays`` does not hold at least two Tensors.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> x = ms.Tensor([[1.0, 1.0], [0.0, 1.0]])
        >>> print(mnp.multi_dot([x, x, x]))
        [[1. 3.]
         [0. 1.]]
    """
    tensors = list(arrays) if isinstance(arrays, (tuple, list, Tensor)) else None
    if tensors is None:
        raise type_error("multi_dot", "the 'arrays' must be a tuple or list of Tensors", shown(arrays))
    if len(tensors) < 2:
        raise value_error("multi_dot", "the 'arrays' must hold at least two Tensors", len(tensors))
    factors = common("multi_dot", [operand("multi_dot", x, "arrays") for x in tensors])
    return functools.reduce(dot, factors)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None) -> Tensor:
    """The vector at right angles to both, along the last axis; two numbers stand for three with a third of 0.

    Of vectors of two numbers it is the third number alone.

    Shapes: (..., 3) with (..., 3) or (..., 2), which broadcast, give (..., 3); (..., 2) twice give (...). Dtypes:
    floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a`` or ``b`` holds no numbers, or ``axisa``, ``axisb`` or ``axisc`` is not an int.
        ValueError: If ``axisa``, ``axisb`` or ``axisc`` is no axis of the input, or the vectors do not have 2 or 3
            numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cross(ms.Tensor([1.0, 0.0, 0.0]), ms.Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """
    a, b = _factors("cross", a, b)
    axisa, axisb, axisc = (axis,) * 3 if axis is not None else (axisa, axisb, axisc)
    a = moveaxis(a, as_axis("cross", axisa, a.ndim, "axisa"), -1)
    b = moveaxis(b, as_axis("cross", axisb, b.ndim, "axisb"), -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise value_error("cross", "the vectors must have 2 or 3 numbers", f"{a.shape[-1]} and {b.shape[-1]}")
    if a.shape[-1] == b.shape[-1] == 2:
        if a.ndim == b.ndim == 1:  # as MindSpore
            raise value_error("cross", "one of the vectors must have 3 numbers, or more axes", "2 and 2")
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = broadcast_arrays(*(_of_three(x) for x in (a, b)))
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    out = ops.stack(parts, -1)
    return moveaxis(out, -1, as_axis("cross", axisc, out.ndim, "axisc"))


def _of_three(x):
    return x if x.shape[-1] == 3 else ops.concat([x, ops.zeros((*x.shape[:-1], 1), x.dtype)], -1)


# Rows


_MODES = ("full", "same", "valid")


def _rows(name, a, v):
    a, v = _factors(name, a, v, "a", "v")
    for argument, x in (("a", a), ("v", v)):
        if x.ndim != 1 or not x.size:
            raise value_error(name, f"the '{argument}' must be a row of at least one number", f"shape {x.shape}")
    return a, v


def _slid(a, v, mode):
    """The sums of products of ``a`` and the row ``v`` turned around, as it slides over it."""
    longer, shorter = (a, v) if a.size >= v.size else (v, a)
    n, m = longer.size, shorter.size
    place = np.arange(n + m - 1)[:, None] - np.arange(m)[None, :]
    inside = Tensor((place >= 0) & (place < n))
    spread = longer[Tensor(np.clip(place, 0, n - 1))]
    products = ops.select(inside, spread, ops.zeros_like(spread)) * shorter
    full = ops.cast(ops.reduce_sum(products, 1), a.dtype)
    first, count = {"full": (0, n + m - 1), "same": ((m - 1) // 2, n), "valid": (m - 1, n - m + 1)}[mode]
    return full[first : first + count]


def convolve(a, v, mode="full") -> Tensor:
    """The convolution of two rows: where they meet ("full"), as long as the longer ("same"), or where they overlap.

    A number counts as a row of one.

    Shapes: (N,) and (M,) give (N + M - 1,), for "same" (max(N, M),), for "valid" (max(N, M) - min(N, M) + 1,). Dtypes:
    floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a`` or ``v`` holds no numbers.
        ValueError: If ``a`` or ``v`` is not a row of at least one number, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.convolve(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 10.0])))
        [ 1. 12. 23. 30.]
    """
    check_choice("convolve", "mode", mode, _MODES)
    a, v = (x.reshape(1) if x.ndim == 0 else x for x in _factors("convolve", a, v, "a", "v"))
    return _slid(*_rows("convolve", a, v), mode)


def correlate(a, v, mode="valid") -> Tensor:
    """The sums of products of a row and another that slides over it, as floats.

    Shapes: (N,) and (M,) give (max(N, M) - min(N, M) + 1,), for "same" (max(N, M),), for "full" (N + M - 1,). Dtypes:
    floats, kept; int8 and uint8 give float16; int16, int32, int64, uint16, uint32 and uint64 give float32; TypeError
    for bools and complex.

    Raises:
        TypeError: If ``a`` or ``v`` holds no numbers or complex ones.
        ValueError: If ``a`` or ``v`` is not a row of at least one number, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.correlate(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 10.0])))
        [21. 32.]
    """
    check_choice("correlate", "mode", mode, _MODES)
    a, v = (floating(x, "correlate") for x in _rows("correlate", a, v))
    return _slid(a, ops.reverse(v, (0,)), mode)
