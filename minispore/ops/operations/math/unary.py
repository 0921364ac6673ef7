"""Elementwise magnitude and sign, and the replacement of what is not finite."""

from __future__ import annotations

import ml_dtypes

from minispore.core.dtype import COMPLEX
from minispore.core.errors import shown, type_error
from minispore.ops.elementwise import FloatFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.select import Select

__all__ = ["Abs", "NanToNum", "Sign"]

_select = Select()


class Abs(Function):
    """Elementwise absolute value: ``out = |x|``, in the dtype of x, a complex one too; its gradient at 0 is 0.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.abs(ms.Tensor([-1.5, 0.0, 2.0])))
        [1.5 0.  2. ]
    """

    complex_numbers = "as written"

    def compute(self, xp, x):
        return xp.abs(x).astype(x.dtype, copy=False)

    def bprop(self, x, out, dout):
        return (dout.real() if x.array.dtype in COMPLEX else dout) * _sign(x)


class Sign(Function):
    """Elementwise sign: -1, 0 or 1; nan for nan; ``x / |x|`` of complex numbers. Its gradient is zero.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sign(ms.Tensor([-1.5, 0.0, 2.0, np.nan])))
        [-1.  0.  1. nan]
    """

    complex_numbers = "as written"
    differentiable = False

    def compute(self, xp, x):
        if x.dtype not in COMPLEX:
            return xp.sign(x)
        size = xp.abs(x)  # NumPy 1 takes the sign of the real part
        return x / select(xp, size == 0, size.dtype.type(1), size)


_sign = Sign()


class NanToNum(FloatFunction):
    """Elementwise replacement of nan and of infinities, by default by 0 and by the dtype's largest and least numbers.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        nan (float): The number in the place of nan. Default: 0.0.
        posinf (float): The number in the place of inf. Default: None, the dtype's largest number.
        neginf (float): The number in the place of -inf. Default: None, the dtype's least number.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.NanToNum(0.0, 9.0, -9.0)(ms.Tensor([np.nan, np.inf, -np.inf, 1.0])))
        [ 0.  9. -9.  1.]
    """

    def __init__(self, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> None:
        for name, value in (("nan", nan), ("posinf", posinf), ("neginf", neginf)):
            if value is not None and not isinstance(value, float):
                raise type_error("NanToNum", f"the '{name}' must be a float", shown(value))
            self.add_prim_attr(name, value)

    def compute(self, xp, x):
        largest = float(ml_dtypes.finfo(x.dtype).max)
        above = largest if self.posinf is None else self.posinf
        below = -largest if self.neginf is None else self.neginf
        wide = widen(xp, x)
        finite = select(xp, xp.isinf(wide), select(xp, wide > 0, wide.dtype.type(above), wide.dtype.type(below)), wide)
        return narrow(xp, select(xp, xp.isnan(wide), wide.dtype.type(self.nan or 0.0), finite), x.dtype)

    def bprop(self, x, out, dout):
        return _select(x.isfinite(), dout, 0)
