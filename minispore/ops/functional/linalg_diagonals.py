"""Diagonals of matrices side by side: matrices made of them, taken apart into them, and with them replaced."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.math_binary import select
from minispore.ops.number_checks import check_no_complex
from minispore.ops.operations.array.gather import Gather

__all__ = ["matrix_diag", "matrix_diag_part", "matrix_set_diag"]

_gather = Gather()
_ALIGNMENTS = ("LEFT_LEFT", "LEFT_RIGHT", "RIGHT_LEFT", "RIGHT_RIGHT")


class _Diagonals:
    """Places of the diagonals ``lowest`` to ``highest`` of a matrix, and of their elements in rows of one length.

    The rows stand from the highest diagonal to the lowest. ``align`` says where a short one lies in its row: by its
    first word those above the main diagonal, by its second those below it.
    """

    def __init__(self, operation, rows, columns, k, align):
        self.lowest, self.highest = k
        if not -rows < self.lowest <= self.highest < columns:
            expected = f"the 'k' must be of diagonals, from {1 - rows} to {columns - 1}"
            raise value_error(operation, expected, k)
        self.rows, self.columns, self.align = rows, columns, align.split("_")
        self.count = self.highest - self.lowest + 1
        self.length = min(rows + min(self.highest, 0), columns - max(self.lowest, 0))

    def _start(self, diagonal):
        """The place in its row at which a diagonal starts."""
        own = min(self.rows + min(diagonal, 0), self.columns - max(diagonal, 0))
        return self.length - own if self.align[diagonal < 0] == "RIGHT" else 0

    def in_rows(self):
        """For each element of the matrix: whether a diagonal has it, and its place in the rows, flat."""
        i, j = np.indices((self.rows, self.columns))
        diagonal = np.clip(j - i, self.lowest, self.highest)
        starts = np.array([self._start(d) for d in range(self.lowest, self.highest + 1)])
        place = np.minimum(i, j) + starts[diagonal - self.lowest]
        has = diagonal == j - i
        return has, np.where(has, (self.highest - diagonal) * self.length + place, 0)

    def in_matrix(self):
        """For each place of the rows: whether it is a diagonal's, and the element of the matrix, flat."""
        has, place = self.in_rows()
        where = np.zeros(self.count * self.length, int)
        filled = np.zeros(where.shape, bool)
        where[place[has]], filled[place[has]] = np.flatnonzero(has), True
        shape = (self.length,) if self.count == 1 else (self.count, self.length)
        return filled.reshape(shape), where.reshape(shape)


def _bounds(operation, k):
    """The lowest and the highest of the diagonals that ``k`` names: an int, two of them, or a Tensor of these."""
    k = k.tolist() if isinstance(k, Tensor) else k
    several = k if isinstance(k, (tuple, list)) else (k,)
    if not 1 <= len(several) <= 2:
        raise value_error(operation, "the 'k' must be one or two ints", shown(k))
    return as_int(operation, "k", several[0]), as_int(operation, "k", several[-1])


def _taken(x, axes, has, places, other):
    """The elements of the last ``axes`` of x at flat places, and ``other`` where there is none."""
    flat = x.reshape((*x.shape[: x.ndim - axes], -1))
    return select(Tensor(has), _gather(flat, Tensor(places), flat.ndim - 1), other)


def matrix_diag(x: Tensor, k=0, num_rows=-1, num_cols=-1, padding_value=0, align: str = "RIGHT_LEFT") -> Tensor:
    """Matrices with the rows of ``x`` on their diagonals ``k``, and ``padding_value`` elsewhere.

    Any dtype is kept, but bools become int64.

    Args:
        x (Tensor): One diagonal, shape ``(..., length)``; or several, ``(..., count, length)``, the highest first.
        k (Union[int, tuple[int], Tensor]): The diagonal, or the lowest and the highest. Default: 0, the main one.
        num_rows (Union[int, Tensor]): Default: -1, as few as there must be.
        num_cols (Union[int, Tensor]): Default: -1, as few as there must be.
        padding_value (Union[int, float, Tensor]): Default: 0.
        align (str): Where a short diagonal lies in its row, those above and those below the main one: two words LEFT
            or RIGHT, with ``_`` between. Default: "RIGHT_LEFT".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the shapes do not fit, or the alignment is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.matrix_diag(ms.Tensor([1, 2]), k=1))
        [[0 1 0]
         [0 0 2]
         [0 0 0]]
    """
    check_choice("matrix_diag", "align", align, _ALIGNMENTS)
    check_tensors("matrix_diag", x=x)
    check_no_complex("matrix_diag", "padding_value", padding_value)
    low, high = _bounds("matrix_diag", k)
    axes = 1 if low == high else 2
    if x.ndim < axes or (axes == 2 and x.shape[-2] != high - low + 1):
        raise value_error("matrix_diag", f"the 'x' must have a row for each of {high - low + 1} diagonals", x.shape)
    rows, columns = _size(x.shape[-1], low, high, num_rows, num_cols)
    diagonals = _Diagonals("matrix_diag", rows, columns, (low, high), align)
    if diagonals.length != x.shape[-1]:
        expected = f"the 'x' must have rows of {diagonals.length}, the longest diagonal"
        raise value_error("matrix_diag", expected, f"shape {x.shape}")
    return _taken(x, axes, *diagonals.in_rows(), padding_value)


def _size(length, low, high, num_rows, num_cols):
    """The rows and columns of matrices whose longest diagonal is of a length; -1 for as few as there must be."""
    rows, columns = as_int("matrix_diag", "num_rows", num_rows), as_int("matrix_diag", "num_cols", num_cols)
    least = length - min(high, 0), length + max(low, 0)
    if rows == columns == -1:
        return max(least), max(least)
    return least[0] if rows == -1 else rows, least[1] if columns == -1 else columns


def matrix_diag_part(x: Tensor, k=0, padding_value=0, align: str = "RIGHT_LEFT") -> Tensor:
    """Diagonals ``k`` of matrices, as rows of the length of the longest, with ``padding_value`` beside a short one.

    Any dtype is kept, but bools become int64.

    Args:
        x (Tensor): Shape ``(..., rows, columns)``.
        k (Union[int, tuple[int], Tensor]): The diagonal, or the lowest and the highest. Default: 0, the main one.
        padding_value (Union[int, float, Tensor]): Default: 0.
        align (str): As for :func:`matrix_diag`. Default: "RIGHT_LEFT".

    Returns:
        Tensor, shape ``(..., length)``, or ``(..., count, length)`` for several, the highest first.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If x has fewer than 2 axes, there is no such diagonal, or the alignment is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.matrix_diag_part(ms.Tensor([[1, 2], [3, 4]]), (0, 1)))
        [[0 2]
         [1 4]]
    """
    check_choice("matrix_diag_part", "align", align, _ALIGNMENTS)
    check_no_complex("matrix_diag_part", "padding_value", padding_value)
    diagonals = _of_matrices("matrix_diag_part", x, k, align)
    return _taken(x, 2, *diagonals.in_matrix(), padding_value)


def matrix_set_diag(x: Tensor, diagonal: Tensor, k=0, align: str = "RIGHT_LEFT") -> Tensor:
    """Matrices ``x`` with their diagonals ``k`` replaced by the rows of ``diagonal``.

    Dtypes: any, kept.

    Args:
        x (Tensor): Shape ``(..., rows, columns)``.
        diagonal (Tensor): As :func:`matrix_diag_part` gives it for x and ``k``; the dtype of x.
        k (Union[int, tuple[int], Tensor]): The diagonal, or the lowest and the highest. Default: 0, the main one.
        align (str): As for :func:`matrix_diag`. Default: "RIGHT_LEFT".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the shapes do not fit, or the alignment is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.matrix_set_diag(ms.Tensor([[1, 2], [3, 4]]), ms.Tensor([8, 9])))
        [[8 2]
         [3 9]]
    """
    check_choice("matrix_set_diag", "align", align, _ALIGNMENTS)
    check_tensors("matrix_set_diag", diagonal=diagonal)
    diagonals = _of_matrices("matrix_set_diag", x, k, align)
    several = (diagonals.count,) if diagonals.count > 1 else ()
    wanted = (*x.shape[:-2], *several, diagonals.length)
    if diagonal.dtype != x.dtype:
        raise type_error("matrix_set_diag", f"the 'diagonal' must have the dtype of 'x', {x.dtype}", diagonal.dtype)
    if diagonal.shape != wanted:
        raise value_error("matrix_set_diag", f"the 'diagonal' must have the shape {wanted}", diagonal.shape)
    return _taken(diagonal, 1 + len(several), *diagonals.in_rows(), x)


def _of_matrices(operation, x, k, align):
    check_tensors(operation, x=x)
    if x.ndim < 2:
        raise value_error(operation, "the 'x' must have at least 2 axes", f"shape {x.shape}")
    return _Diagonals(operation, *x.shape[-2:], _bounds(operation, k), align)
