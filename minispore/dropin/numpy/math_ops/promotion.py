"""The promotion of data types."""

from __future__ import annotations

import functools
from contextlib import suppress

import numpy as np

from minispore.core.dtype import DType, from_numpy
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_kind, operand
from minispore.ops.dtype_promotion import promote

__all__ = ["promote_types", "result_type"]


def promote_types(type1, type2) -> DType:
    """The type of an operation on Tensors of two types.

    Raises:
        TypeError: If ``type1`` or ``type2`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> mnp.promote_types(ms.int32, ms.float16)
        minispore.float16
    """
    first, second = as_kind("promote_types", type1, "type1"), as_kind("promote_types", type2, "type2")
    return from_numpy(promote(first.np, second.np))


def _type_of(value):
    if isinstance(value, (Tensor, bool, int, float, list, tuple)):
        return operand("result_type", value, "arrays_and_dtypes").dtype
    if isinstance(value, DType):
        return value
    with suppress(TypeError):  # names of NumPy too, such as "i2"
        value = from_numpy(np.dtype(value)) if isinstance(value, str) and value not in ("float", "int") else value
    return as_kind("result_type", value, "arrays_and_dtypes")


def result_type(*arrays_and_dtypes) -> DType:
    """The type of an operation on all of the Tensors, numbers and types.

    Shapes: any; the answer is a dtype.

    Raises:
        TypeError: If an argument is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> mnp.result_type(ms.Tensor([1]), 2.5)
        minispore.float32
        >>> mnp.result_type("i2", ms.int8)
        minispore.int16
    """
    if not arrays_and_dtypes:
        raise type_error("result_type", "there must be at least one argument")
    return functools.reduce(promote_types, map(_type_of, arrays_and_dtypes))
