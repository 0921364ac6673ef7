"""Checks of the parts of sparse Tensors: indices, values and shapes."""

import math

from minispore.core.checks import is_int
from minispore.core.dtype import int16, int32, int64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor

__all__ = []

_INDEX_TYPES = (int16, int32, int64)


def check_tensor(kind, argument, value):
    """``value``, which must be a Tensor."""
    if not isinstance(value, Tensor):
        raise type_error(kind, f"the '{argument}' must be a Tensor", type(value).__name__)
    return value


def check_shape(kind, shape):
    """``shape``, which must be a tuple of ints above 0."""
    if not isinstance(shape, tuple) or not all(map(is_int, shape)):
        raise type_error(kind, "the 'shape' must be a tuple of ints", shown(shape))
    if not all(n > 0 for n in shape):
        raise value_error(kind, "the 'shape' must hold ints above 0", shown(shape))
    return tuple(map(int, shape))


def check_indices(kind, argument, indices, axes):
    """``indices``, a Tensor of int16, int32 or int64 with so many axes."""
    if check_tensor(kind, argument, indices).dtype not in _INDEX_TYPES:
        raise type_error(kind, f"the '{argument}' must hold int16, int32 or int64", indices.dtype)
    if indices.ndim != axes:
        raise value_error(kind, f"the '{argument}' must have {axes} axes", f"shape {indices.shape}")
    return indices


def check_coo(kind, indices, values, shape):
    """The shape of a matrix of ``values[i]`` at ``indices[i]``, once all three fit together."""
    check_tensor(kind, "indices", indices), check_tensor(kind, "values", values)
    shape = check_shape(kind, shape)
    check_indices(kind, "indices", indices, 2)
    if len(shape) != 2 or indices.shape[1] != 2:
        raise value_error(kind, "the 'shape' and each row of 'indices' must have length 2", (shape, indices.shape))
    if values.shape != indices.shape[:1]:
        got = f"shape {values.shape} for {len(indices)} indices"
        raise value_error(kind, "the 'values' must have one axis, and one value for each row of 'indices'", got)
    if math.prod(shape) < len(values):
        raise value_error(kind, f"the 'shape' must have room for {len(values)} values", shape)
    return shape


def check_csr(kind, indptr, indices, values, shape):
    """The shape of the matrix whose row ``i`` has the values from ``indptr[i]`` to ``indptr[i + 1]``."""
    for name, x in (("indptr", indptr), ("indices", indices), ("values", values)):
        check_tensor(kind, name, x)
    shape = check_shape(kind, shape)
    check_indices(kind, "indptr", indptr, 1), check_indices(kind, "indices", indices, 1)
    if len(shape) < 2 or values.ndim != len(shape) - 1 or values.shape[1:] != shape[2:]:
        expected = "the 'shape' must have at least 2 axes, and those from the third on must be the last of the 'values'"
        raise value_error(kind, expected, f"{shape} and values of shape {values.shape}")
    if len(indptr) != shape[0] + 1:
        raise value_error(kind, f"the 'indptr' must have {shape[0] + 1} elements, one more than rows", len(indptr))
    if len(indices) != len(values):
        raise value_error(kind, f"the 'indices' must be {len(values)}, one for each value", len(indices))
    return shape
