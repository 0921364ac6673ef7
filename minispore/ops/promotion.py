"""Promotion: the dtype in which an operation sees one Tensor, or its two operands."""

import numpy as np

from minispore.core.dtype import FLOATS, STORED
from minispore.core.errors import type_error
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.dtype_promotion import promote
from minispore.ops.number_kinds import not_computed_in
from minispore.ops.operands import operand


def lowered_dtype(x):
    """The NumPy dtype in which operations see a Tensor: the mark's for a floating one, in a cell of ``to_float``."""
    mark = running.cast
    return mark if isinstance(mark, np.dtype) and x.array.dtype in FLOATS else x.array.dtype


def promoted(op, x, y):
    """Two operands as Tensors of the dtype that they promote to; a number follows the Tensor beside it."""
    try:
        if x.array.dtype is y.array.dtype:
            return x, y
    except AttributeError:  # one of them is not a Tensor
        if not isinstance(x, Tensor) and not isinstance(y, Tensor):
            got = f"{type(x).__name__} and {type(y).__name__}"
            raise type_error(op.name, "one of the inputs must be a Tensor", got) from None
        x = x if isinstance(x, Tensor) else operand(op, x, y)
        y = y if isinstance(y, Tensor) else operand(op, y, x)
    a, b = x.array.dtype, y.array.dtype
    if a == b:
        return x, y
    if a in STORED or b in STORED:
        raise not_computed_in(op, a, b)
    meet = promote(a, b)
    return (x if a == meet else cast(x, meet)), (y if b == meet else cast(y, meet))
