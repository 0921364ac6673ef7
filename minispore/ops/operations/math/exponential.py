"""Elementwise exponentials and logarithms, and their gradients."""

from __future__ import annotations

import math

from minispore.ops.elementwise import AnalyticFunction, FloatFunction

__all__ = ["Exp", "Exp2", "Expm1", "Log", "Log1p", "Log2", "Log10"]


class Exp(AnalyticFunction):
    """Elementwise exponential: ``out = e ** x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.exp(ms.Tensor([0.0, 1.0, -np.inf])))  # the same: x.exp(), ops.Exp()(x)
        [1.       2.718282 0.      ]
        >>> print(ops.exp(ms.Tensor([11.0, 12.0], ms.float16)))  # above 65504 float16 overflows
        [5.987e+04       inf]
        >>> print(ops.exp(ms.Tensor([1.0])))
        [2.718282]
    """

    ufunc = "exp"

    def bprop(self, x, out, dout):
        return dout * out


class Exp2(FloatFunction):
    """Elementwise power of two: ``out = 2 ** x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Exp2()(ms.Tensor([0.0, 3.0, -1.0])))
        [1.  8.  0.5]
    """

    ufunc = "exp2"

    def bprop(self, x, out, dout):
        return dout * out * math.log(2)


class Expm1(AnalyticFunction):
    """Elementwise exponential less one: ``out = e ** x - 1``, exact for small x too.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.expm1(ms.Tensor([0.0, 1e-10, 1.0])))  # e ** 1e-10 - 1 alone would be 0
        [0.0000000e+00 1.0000000e-10 1.7182819e+00]
    """

    ufunc = "expm1"

    def bprop(self, x, out, dout):
        return dout * (out + 1)


class Log(AnalyticFunction):
    """Elementwise natural logarithm: ``out = ln x``; nan below 0, -inf at 0.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.log(ms.Tensor([1.0, 2.7182817, 0.0, -1.0])))
        [  0.   1. -inf  nan]
    """

    ufunc = "log"

    def bprop(self, x, out, dout):
        return dout / x


class Log1p(AnalyticFunction):
    """Elementwise natural logarithm of one more: ``out = ln(1 + x)``, exact for small x too.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.log1p(ms.Tensor([0.0, 1e-10, 1.0])))  # ln(1 + 1e-10) alone would be 0
        [0.000000e+00 1.000000e-10 6.931472e-01]
    """

    ufunc = "log1p"

    def bprop(self, x, out, dout):
        return dout / (x + 1)


class Log2(FloatFunction):
    """Elementwise logarithm to base 2: ``2 ** out = x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.log2(ms.Tensor([1.0, 8.0, 0.5])))
        [ 0.  3. -1.]
    """

    ufunc = "log2"

    def bprop(self, x, out, dout):
        return dout / x / math.log(2)


class Log10(FloatFunction):
    """Elementwise logarithm to base 10: ``10 ** out = x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.log10(ms.Tensor([1.0, 1000.0, 0.1])))
        [ 0.         3.0000002 -1.       ]
    """

    ufunc = "log10"

    def bprop(self, x, out, dout):
        return dout / x / math.log(10)
