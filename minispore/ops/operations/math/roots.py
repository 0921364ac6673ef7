"""Elementwise squares, roots and reciprocals, and their gradients."""

from __future__ import annotations

from minispore.core.dtype import INEXACT
from minispore.ops.elementwise import AnalyticFunction, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select

__all__ = ["Inv", "Reciprocal", "Rsqrt", "Sqrt", "Square"]


class Sqrt(AnalyticFunction):
    """Elementwise square root: ``out = x ** 0.5``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sqrt(ms.Tensor([0.0, 4.0, 9.0])))
        [0. 2. 3.]
    """

    ufunc = "sqrt"

    def bprop(self, x, out, dout):
        return dout / (out * 2)


class Rsqrt(AnalyticFunction):
    """Elementwise reciprocal square root: ``out = x ** -0.5``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.rsqrt(ms.Tensor([4.0, 0.25, 0.0])))
        [0.5 2.  inf]
    """

    def forward(self, xp, x):
        return 1 / xp.sqrt(x)

    def bprop(self, x, out, dout):
        return dout * out / x * -0.5


class Reciprocal(AnalyticFunction):
    """Elementwise reciprocal: ``out = 1 / x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Reciprocal()(ms.Tensor([2.0, 4.0])))
        [0.5  0.25]
    """

    def forward(self, xp, x):
        return 1 / x

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Inv(Function):
    """Elementwise reciprocal: ``out = 1 / x``; of integers truncated toward zero, and 0 for 0.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inv(ms.Tensor([2.0, 4.0])))
        [0.5  0.25]
    """

    complex_numbers = "analytic"

    def compute(self, xp, x):
        if x.dtype in INEXACT:
            return narrow(xp, 1 / widen(xp, x), x.dtype)
        return select(xp, xp.abs(x) == 1, x, xp.zeros_like(x))

    def bprop(self, x, out, dout):
        return -(dout * out * out)


class Square(Function):
    """Elementwise square: ``out = x * x``.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.square(ms.Tensor([1.0, -2.0, 3.0])))
        [1. 4. 9.]
        >>> print(ops.square(ms.Tensor([300.0], ms.float16)))  # above 65504
        [inf]
        >>> print(ops.square(ms.Tensor([3.0])))
        [9.]
    """

    complex_numbers = "analytic"

    def compute(self, xp, x):
        return xp.multiply(x, x)

    def bprop(self, x, out, dout):
        return dout * x * 2
