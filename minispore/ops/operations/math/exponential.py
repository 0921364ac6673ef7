"""Elementwise exponentials and logarithms, and their gradients."""

from __future__ import annotations

import math

from minispore.ops.elementwise import AnalyticFunction, FloatFunction

__all__ = ["Exp", "Exp2", "Expm1", "Log", "Log1p", "Log2", "Log10"]


class Exp(AnalyticFunction):
    """Elementwise exponential: ``out = e ** x``."""

    ufunc = "exp"

    def bprop(self, x, out, dout):
        return dout * out


class Exp2(FloatFunction):
    """Elementwise power of two: ``out = 2 ** x``."""

    ufunc = "exp2"

    def bprop(self, x, out, dout):
        return dout * out * math.log(2)


class Expm1(AnalyticFunction):
    """Elementwise exponential less one: ``out = e ** x - 1``, exact for small x too."""

    ufunc = "expm1"

    def bprop(self, x, out, dout):
        return dout * (out + 1)


class Log(AnalyticFunction):
    """Elementwise natural logarithm: ``out = ln x``; nan below 0, -inf at 0."""

    ufunc = "log"

    def bprop(self, x, out, dout):
        return dout / x


class Log1p(AnalyticFunction):
    """Elementwise natural logarithm of one more: ``out = ln(1 + x)``, exact for small x too."""

    ufunc = "log1p"

    def bprop(self, x, out, dout):
        return dout / (x + 1)


class Log2(FloatFunction):
    """Elementwise logarithm to base 2: ``2 ** out = x``."""

    ufunc = "log2"

    def bprop(self, x, out, dout):
        return dout / x / math.log(2)


class Log10(FloatFunction):
    """Elementwise logarithm to base 10: ``10 ** out = x``."""

    ufunc = "log10"

    def bprop(self, x, out, dout):
        return dout / x / math.log(10)
