"""Diagonals, triangles and what is made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_bool, check_int
from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axis, as_kind, converted, numbers_only, operand

__all__ = [
    "diag",
    "diag_indices",
    "diagflat",
    "diagonal",
    "eye",
    "identity",
    "trace",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "vander",
]


def _sides(name, n, m, low):
    rows = check_int(name, "N", n, low, 2**31)
    return rows, rows if m is None else check_int(name, "M", m, low, 2**31)


def eye(N, M=None, k=0, dtype=float32) -> Tensor:  # noqa: N803 - MindSpore's names
    """N rows and M columns of zeros with ones on the diagonal ``k``, above the main one for ``k`` above 0.

    Raises:
        TypeError: If ``N``, ``M`` or ``k`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``N`` or ``M`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.eye(2, 3, k=1))
        [[0. 1. 0.]
         [0. 0. 1.]]
    """
    rows, columns = _sides("eye", N, M, 0)
    return Tensor(np.eye(rows, columns, check_int("eye", "k", k)), as_kind("eye", dtype))


def identity(n, dtype=float32) -> Tensor:
    """Ones on the diagonal of ``n`` rows and columns.

    Raises:
        TypeError: If ``n`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``n`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.identity(2))
        [[1. 0.]
         [0. 1.]]
    """
    return Tensor(np.eye(check_int("identity", "n", n, 0, 2**31)), as_kind("identity", dtype))


def tri(N, M=None, k=0, dtype=float32) -> Tensor:  # noqa: N803 - MindSpore's names
    """N rows and M columns with ones on and below the diagonal ``k``, and zeros above it.

    Raises:
        TypeError: If ``N``, ``M`` or ``k`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``N`` or ``M`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.tri(3))
        [[1. 0. 0.]
         [1. 1. 0.]
         [1. 1. 1.]]
    """
    rows, columns = _sides("tri", N, M, 1)
    return Tensor(np.tri(rows, columns, check_int("tri", "k", k)), as_kind("tri", dtype))


def _triangle(name, m, k, kept):
    """``m`` where the mask ``kept(ones, k)`` of its last two axes is true, else 0; a row becomes a square."""
    x, k = operand(name, m, "m"), check_int(name, "k", k)
    if x.ndim < 1:
        raise value_error(name, "the 'm' must have an axis", f"shape {x.shape}")
    x = ops.broadcast_to(x, (x.shape[0], x.shape[0])) if x.ndim == 1 else x
    mask = np.broadcast_to(kept(np.ones(x.shape[-2:], bool), k), x.shape)
    return ops.select(Tensor(mask), x, ops.zeros_like(x))


def tril(m, k=0) -> Tensor:
    """``m`` with zeros above the diagonal ``k`` of its last two axes.

    Shapes: (..., N, M), kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``m`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``m`` does not have an axis.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.tril(ms.Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return _triangle("tril", m, k, np.tril)


def triu(m, k=0) -> Tensor:
    """``m`` with zeros below the diagonal ``k`` of its last two axes.

    Shapes: (..., N, M), kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``m`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``m`` does not have an axis.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.triu(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return _triangle("triu", m, k, np.triu)


# Indices


def _places(mask):
    """The indices of what is true in a mask, one Tensor of int32 for each axis."""
    return tuple(Tensor(places.astype(np.int32)) for places in mask.nonzero())


def _whole(number):
    """A float that is whole as an int; another value as it is."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _triangle_indices(name, n, k, m, kept):
    shape = _sides(name, _whole(n), _whole(m), 0)
    return _places(kept(np.ones(shape, bool), check_int(name, "k", _whole(k))))


def tril_indices(n, k=0, m=None) -> Any:
    """The rows and columns of the lower triangle of ``n`` rows and ``m`` columns, as two Tensors of int32.

    Raises:
        TypeError: If ``n``, ``k`` or ``m`` is not an int.
        ValueError: If ``n`` or ``m`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(*mnp.tril_indices(2))
        [0 1 1] [0 0 1]
    """
    return _triangle_indices("tril_indices", n, k, m, np.tril)


def triu_indices(n, k=0, m=None) -> Any:
    """The rows and columns of the upper triangle of ``n`` rows and ``m`` columns, as two Tensors of int32.

    Raises:
        TypeError: If ``n``, ``k`` or ``m`` is not an int.
        ValueError: If ``n`` or ``m`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(*mnp.triu_indices(2))
        [0 0 1] [0 1 1]
    """
    return _triangle_indices("triu_indices", n, k, m, np.triu)


def _matrix(name, arr):
    x = operand(name, arr, "arr")
    if x.ndim != 2:
        raise value_error(name, "the 'arr' must have 2 axes", f"shape {x.shape}")
    return x.shape


def tril_indices_from(arr, k=0) -> Any:
    """The rows and the columns of the places on and below a diagonal of a matrix, ``k`` above the main one.

    Shapes: (N, M) gives two rows of one length. Any dtype is taken; the answer is int32.

    Raises:
        TypeError: If ``arr`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``arr`` does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.tril_indices_from(ms.Tensor([[1, 2], [3, 4]])))
        [0 1 1] [0 0 1]
        >>> print(*mnp.tril_indices_from(ms.Tensor([[1, 2], [3, 4]]), k=-1))
        [1] [0]
    """
    rows, columns = _matrix("tril_indices_from", arr)
    return _triangle_indices("tril_indices_from", rows, k, columns, np.tril)


def triu_indices_from(arr, k=0) -> Any:
    """The rows and the columns of the places on and above a diagonal of a matrix, ``k`` above the main one.

    Shapes: (N, M) gives two rows of one length. Any dtype is taken; the answer is int32.

    Raises:
        TypeError: If ``arr`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``arr`` does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.triu_indices_from(ms.Tensor([[1, 2], [3, 4]])))
        [0 0 1] [0 1 1]
    """
    rows, columns = _matrix("triu_indices_from", arr)
    return _triangle_indices("triu_indices_from", rows, k, columns, np.triu)


def diag_indices(n, ndim=2) -> Any:
    """The indices of the main diagonal of ``ndim`` axes of length ``n``, a Tensor of int32 for each axis.

    Raises:
        TypeError: If ``n`` or ``ndim`` is not an int.
        ValueError: If ``n`` is out of range, or ``ndim`` is no axis of the input.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(*mnp.diag_indices(2))
        [0 1] [0 1]
    """
    n, ndim = check_int("diag_indices", "n", n, 1, 2**31), check_int("diag_indices", "ndim", ndim, 1, 33)
    return (Tensor(np.arange(n, dtype=np.int32)),) * ndim


# Diagonals


def diagonal(a, offset=0, axis1=0, axis2=1) -> Tensor:
    """The diagonal of two axes, as the last axis; above the main one for an ``offset`` above 0.

    Shapes: without the two axes, and with the diagonal's length at the end. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``offset``, ``axis1`` or ``axis2`` is not an int.
        ValueError: If ``a`` has fewer than 2 axes, or ``axis1`` or ``axis2`` is no axis of the input. Also if ``axis1``
            and ``axis2`` are not two axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.diagonal(ms.Tensor([[1, 2, 3], [4, 5, 6]]), offset=1))
        [2 6]
    """
    return _diagonal("diagonal", a, offset, axis1, axis2)


def _diagonal(name, a, offset, axis1, axis2):
    x = operand(name, a, "a")
    if x.ndim < 2:
        raise value_error(name, "the 'a' must have at least 2 axes", f"shape {x.shape}")
    rows, columns = as_axis(name, axis1, x.ndim, "axis1"), as_axis(name, axis2, x.ndim, "axis2")
    if rows == columns:
        raise value_error(name, "the 'axis1' and 'axis2' must be two axes", f"{axis1} and {axis2}")
    return ops.diagonal(x, check_int(name, "offset", offset), rows, columns)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None) -> Tensor:
    """The sum of :func:`diagonal`.

    Shapes: at least two axes; without the two. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``offset``, ``axis1`` or ``axis2`` is not an int, or ``dtype`` is not a
            dtype.
        ValueError: If ``a`` has fewer than 2 axes, or ``axis1`` or ``axis2`` is no axis of the input. Also if ``axis1``
            and ``axis2`` are not two axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.trace(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
    """
    x = _diagonal("trace", a, offset, axis1, axis2)
    return converted("trace", ops.cast(ops.reduce_sum(numbers_only("trace", x, "a"), -1), x.dtype), dtype)


def diag(v, k=0) -> Tensor:
    """A matrix with the row ``v`` on its diagonal ``k``, or the diagonal ``k`` of the matrix ``v``.

    Shapes: (N,) gives (N + abs(k), N + abs(k)); (N, M) gives (length of the diagonal,). Dtypes: any, kept.

    Raises:
        TypeError: If ``v`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``v`` does not have 1 or 2 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.diag(ms.Tensor([[1, 2], [3, 4]])))
        [1 4]
        >>> print(mnp.diag(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x, k = operand("diag", v, "v"), check_int("diag", "k", k, -(2**31), 2**31)
    if x.ndim not in (1, 2):
        raise value_error("diag", "the 'v' must have 1 or 2 axes", f"shape {x.shape}")
    return _on_diagonal(x, k) if x.ndim == 1 else _diagonal("diag", x, k, 0, 1)


def diagflat(v, k=0) -> Tensor:
    """A matrix with the elements of ``v``, in a row, on its diagonal ``k``.

    Shapes: any of N elements gives (N + abs(k), N + abs(k)). Dtypes: any, kept.

    Raises:
        TypeError: If ``v`` holds no numbers, or ``k`` is not an int.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.diagflat(ms.Tensor([[1], [2]])))
        [[1 0]
         [0 2]]
    """
    x = operand("diagflat", v, "v").reshape(-1)
    return _on_diagonal(x, check_int("diagflat", "k", k, -(2**31), 2**31))


def _on_diagonal(row, k):
    """The matrix of a row: each of its rows is ``row`` where it crosses the diagonal."""
    length = row.size + abs(k)
    place = np.arange(length)[:, None] - max(-k, 0)  # of each row of the matrix in ``row``
    column = np.arange(length)[None, :] - max(k, 0)
    kept = (place == column) & (place >= 0) & (place < row.size)
    if not row.size:
        return ops.zeros((length, length), row.dtype)
    shape = (length, length)
    spread = row[Tensor(np.clip(column[0], 0, row.size - 1))].reshape((1, length)).broadcast_to(shape)
    return ops.select(Tensor(kept), spread, ops.zeros(shape, row.dtype))


def vander(x, N=None, increasing: bool = False) -> Tensor:  # noqa: N803 - MindSpore's name
    """The powers of each element as a row, N of them: the highest first, unless they are ``increasing``.

    Shapes: (M,) gives (M, N). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``N`` is not an int, or ``increasing`` is not a bool.
        ValueError: If ``x`` does not have one axis, or ``N`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.vander(ms.Tensor([2, 3]), 3))
        [[4 2 1]
         [9 3 1]]
    """
    row = operand("vander", x)
    check_bool("vander", "increasing", increasing)
    if row.ndim != 1:
        raise value_error("vander", "the 'x' must have 1 axis", f"shape {row.shape}")
    count = row.size if N is None else check_int("vander", "N", N, 0, 2**31)
    powers = np.arange(count) if increasing else np.arange(count)[::-1]
    powers = Tensor(powers.astype(row.array.dtype))
    return ops.pow(ops.broadcast_to(row.expand_dims(1), (row.size, count)), powers)
