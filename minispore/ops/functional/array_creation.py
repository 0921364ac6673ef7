"""Functional wrappers that make Tensors from numbers, or read a Tensor's shape, rank, size and dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.dtype import float32, int64
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.functional._wrappers import make, unary
from minispore.ops.functional.array_filling import full
from minispore.ops.number_checks import check_no_complex
from minispore.ops.operations.array import tensor_info, triangular

__all__ = [
    "dtype",
    "dyn_shape",
    "fill",
    "full_like",
    "linspace",
    "meshgrid",
    "range",
    "rank",
    "scalar_to_array",
    "scalar_to_tensor",
    "shape",
    "size",
    "tril_indices",
    "triu_indices",
    "tuple_to_array",
]

dtype = tensor_info.DType()
shape, rank, size = (unary(kind(), "input_x") for kind in (tensor_info.Shape, tensor_info.Rank, tensor_info.Size))
tuple_to_array = unary(tensor_info.TupleToArray(), "input_x")


def dyn_shape(input_x: Tensor) -> Tensor:
    """The lengths of the axes, as a Tensor of int64.

    Shapes: any of D axes gives (D,). Dtypes: any; the answer is int64.

    Raises:
        TypeError: If ``input_x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dyn_shape(ms.Tensor([[1.0, 2.0, 3.0]])))
        [1 3]
    """
    return Tensor(np.array(shape(input_x), np.int64))


def scalar_to_tensor(input_x, dtype=float32) -> Any:
    """A number as a 0-d Tensor: ``ScalarToTensor()(input_x, dtype)``.

    Shapes: ().

    Raises:
        TypeError: If ``input_x`` is not a number or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(repr(ops.scalar_to_tensor(2, ms.float16)))
        Tensor(shape=[], dtype=Float16, value= 2)
    """
    return make(tensor_info.ScalarToTensor)(input_x, dtype)


def scalar_to_array(input_x) -> Tensor:
    """A number as a 0-d Tensor, int32 or float32: ``ScalarToArray()(input_x)``.

    Shapes: ().

    Raises:
        TypeError: If ``input_x`` is not an int or a float.

    Examples:
        >>> from minispore import ops
        >>> print(ops.scalar_to_array(2))
        2
    """
    return make(tensor_info.ScalarToArray)(input_x)


def fill(type, shape, value) -> Tensor:
    """A Tensor of one value: ``Fill()(type, shape, value)``.

    Shapes: ``shape``, a tuple or list, or a Tensor of one or more ints.

    Raises:
        TypeError: If ``type`` is not a dtype, ``shape`` is not a tuple or list of ints, or ``value`` is not a number.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fill(ms.float32, (2, 2), 7))
        [[7. 7.]
         [7. 7.]]
    """
    given = (shape.tolist() if shape.ndim else [shape]) if isinstance(shape, Tensor) else shape
    return full(given, value, dtype=type)


def full_like(input: Tensor, fill_value, *, dtype=None) -> Tensor:
    """A Tensor filled with one value, in the shape of ``input``, and in its dtype where none is given.

    Shapes: that of ``input``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``fill_value`` is not a number, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.full_like(ms.Tensor([1, 2]), 0.5, dtype=ms.float32))
        [0.5 0.5]
        >>> print(ops.full_like(ms.Tensor([[1, 2], [3, 4]]), 5))
        [[5 5]
         [5 5]]
    """
    return full(shape(input), fill_value, dtype=input.dtype if dtype is None else dtype)


def range(start, end, step) -> Tensor:
    """Numbers at equal distances, the end left out.

    ``start, start + step, ...`` before ``end``: ``Range()(start, end, step)``.

    Shapes: () three times gives (length,). Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``start``, ``end`` and ``step`` are not numbers or Tensors, or not of one type.
        ValueError: If ``step`` does not lead from ``start`` towards ``end``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.range(ms.Tensor(0), ms.Tensor(10), ms.Tensor(3)))  # the end is left out
        [0 3 6 9]
    """
    return make(triangular.Range)(start, end, step)


def linspace(start, end, steps) -> Tensor:
    """``steps`` numbers at equal distances from ``start`` to ``end``: ``LinSpace()(start, end, steps)``.

    Shapes: (steps,). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``start`` or ``end`` is neither a Tensor nor a real number, or the two differ in dtype.
        ValueError: If ``start`` and ``end`` do not have one shape, or ``steps`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.linspace(ms.Tensor(0.0), ms.Tensor(1.0), 5))  # both ends are in
        [0.   0.25 0.5  0.75 1.  ]
    """
    check_no_complex("linspace", "start", start)
    check_no_complex("linspace", "end", end)
    start, end = (x if isinstance(x, Tensor) else Tensor(x, float32) for x in (start, end))
    return make(triangular.LinSpace)(start, end, steps)


def meshgrid(*inputs, indexing="xy") -> tuple[Tensor, ...]:
    """The coordinates of a grid over rows: ``Meshgrid(indexing)(inputs)``.

    Shapes: with "xy" (len of second, len of first), with "ij" (len of first, len of second). Dtypes: floats, ints and
    bools, kept; TypeError for complex.

    Raises:
        TypeError: If an element of the input is not a Tensor, or the inputs differ in dtype.
        ValueError: If an input does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, y = ops.meshgrid(ms.Tensor([1, 2, 3]), ms.Tensor([10, 20]))
        >>> print(x)
        [[1 2 3]
         [1 2 3]]
        >>> print(y)
        [[10 10 10]
         [20 20 20]]
    """
    return make(triangular.Meshgrid, indexing)(inputs)


def _indices(name, where, row, col, offset, dtype):
    row, col, offset = (as_int(name, n, v) for n, v in (("row", row), ("col", col), ("offset", offset)))
    check_int(name, "row", row, 0), check_int(name, "col", col, 0)
    return Tensor(np.stack(where(np.ones((row, col), bool), offset).nonzero()), dtype)


def tril_indices(row, col, offset=0, *, dtype=int64) -> Tensor:
    """The rows and columns of the lower triangle, as two rows of ints.

    Shapes: (2, count).

    Raises:
        TypeError: If ``row``, ``col`` or ``offset`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``row`` or ``col`` is below 0.

    Examples:
        >>> from minispore import ops
        >>> print(ops.tril_indices(3, 3))
        [[0 1 1 2 2 2]
         [0 0 1 0 1 2]]
    """
    return _indices("tril_indices", np.tril, row, col, offset, dtype)


def triu_indices(row, col, offset=0, *, dtype=int64) -> Tensor:
    """The rows and columns of the upper triangle, as two rows of ints.

    Shapes: (2, count).

    Raises:
        TypeError: If ``row``, ``col`` or ``offset`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``row`` or ``col`` is below 0.

    Examples:
        >>> from minispore import ops
        >>> print(ops.triu_indices(3, 3, 1))  # above the diagonal
        [[0 0 1]
         [1 2 2]]
    """
    return _indices("triu_indices", np.triu, row, col, offset, dtype)
