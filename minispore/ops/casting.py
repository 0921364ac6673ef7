"""Cast: conversion to another dtype. A cell that is marked by ``to_float`` casts its operations' inputs by it."""

from __future__ import annotations

import numpy as np

from minispore.core import primitive_inputs
from minispore.core.dtype import FLOATS, NARROW_FLOATS, STORED, as_dtype
from minispore.core.errors import type_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.running import running
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.core.tensor_data import converted
from minispore.ops.kernels.float16.cast import cached_cast, halves_of, narrow, widen

__all__ = ["Cast"]

_BOOL_TO_HALF = np.dtype(np.bool_), np.dtype(np.float16)


class Cast(Primitive):
    """Conversion to another dtype, rounded once to nearest: ``out = round(x, dtype)``.

    A float becomes an integer by cutting its fraction off. A number out of the integer's range depends on the device:
    on a GPU it is the nearest integer of 32 or 64 bits, cut to the bits of the dtype.

    Shapes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor or a number, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cast(ms.Tensor([1.7, -1.7]), ms.int32))  # the fraction is cut off
        [ 1 -1]
        >>> print(ops.cast(ms.Tensor([1.0, 1e5, 1e-8]), ms.float16))  # too large, and too small
        [ 1. inf  0.]
    """

    autocast = False
    complex_numbers = "as written"

    def adapt(self, x, dtype):
        """Read the dtype argument, and a number as a Tensor."""
        if not isinstance(x, Tensor):
            if not isinstance(x, (bool, int, float)):
                raise type_error("Cast", "the 'input_x' must be a Tensor or a number", type(x).__name__)
            x = Tensor(x)
        return x, dtype if isinstance(dtype, np.dtype) else as_dtype(dtype, "Cast", "type").np

    def infer(self, x, dtype):
        return Spec(x.shape, dtype)

    def compute(self, xp, x, dtype):
        if x.dtype == dtype:
            return x
        if dtype not in FLOATS or x.dtype not in FLOATS:
            return halves_of(xp, x) if (x.dtype, dtype) == _BOOL_TO_HALF else converted(x, dtype)
        return cached_cast(xp, x, dtype) if dtype in NARROW_FLOATS else narrow(xp, widen(xp, x), dtype)

    def bprop(self, x, dtype, out, dout):
        if x.array.dtype in STORED or (running.narrow_grads is not None and id(x) in running.narrow_grads):
            return dout, None
        return (cast(dout, x.array.dtype) if needs_grad(x) else None), None


cast = primitive_inputs.cast = Cast()
