"""Trigonometric and hyperbolic functions and their inverses, elementwise, and their gradients."""

from minispore.core.tape import needs_grad
from minispore.ops.elementwise import AnalyticFunction
from minispore.ops.elementwise_pairs import FloatPair

__all__ = [
    "ACos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atan2",
    "Atanh",
    "Cos",
    "Cosh",
    "Sin",
    "Sinh",
    "Tan",
]


class Sin(AnalyticFunction):
    """Elementwise sine: ``out = sin x``."""

    ufunc = "sin"

    def bprop(self, x, out, dout):
        return dout * _cos(x)


class Cos(AnalyticFunction):
    """Elementwise cosine: ``out = cos x``."""

    ufunc = "cos"

    def bprop(self, x, out, dout):
        return -(dout * _sin(x))


class Tan(AnalyticFunction):
    """Elementwise tangent: ``out = tan x``."""

    ufunc = "tan"

    def bprop(self, x, out, dout):
        return dout * (out * out + 1)


class Asin(AnalyticFunction):
    """Elementwise inverse sine: ``out = arcsin x``; nan outside [-1, 1]."""

    ufunc = "arcsin"

    def bprop(self, x, out, dout):
        return dout * (1 - x * x).rsqrt()


class ACos(AnalyticFunction):
    """Elementwise inverse cosine: ``out = arccos x``; nan outside [-1, 1]."""

    ufunc = "arccos"

    def bprop(self, x, out, dout):
        return -(dout * (1 - x * x).rsqrt())


class Atan(AnalyticFunction):
    """Elementwise inverse tangent: ``out = arctan x``."""

    ufunc = "arctan"

    def bprop(self, x, out, dout):
        return dout / (x * x + 1)


class Sinh(AnalyticFunction):
    """Elementwise hyperbolic sine: ``out = sinh x``."""

    ufunc = "sinh"

    def bprop(self, x, out, dout):
        return dout * _cosh(x)


class Cosh(AnalyticFunction):
    """Elementwise hyperbolic cosine: ``out = cosh x``."""

    ufunc = "cosh"

    def bprop(self, x, out, dout):
        return dout * _sinh(x)


class Asinh(AnalyticFunction):
    """Elementwise inverse hyperbolic sine: ``out = arsinh x``."""

    ufunc = "arcsinh"

    def bprop(self, x, out, dout):
        return dout / _cosh(out)  # the square root of x * x + 1, where x * x might overflow


class Acosh(AnalyticFunction):
    """Elementwise inverse hyperbolic cosine: ``out = arcosh x``; nan below 1."""

    ufunc = "arccosh"

    def bprop(self, x, out, dout):
        return dout / _sinh(out)


class Atanh(AnalyticFunction):
    """Elementwise inverse hyperbolic tangent: ``out = artanh x``; nan outside [-1, 1]."""

    ufunc = "arctanh"

    def bprop(self, x, out, dout):
        return dout / (1 - x * x)


class Atan2(FloatPair):
    """Elementwise angle of the point (y, x), from -pi to pi: ``out = arctan(x / y)`` in the right quadrant."""

    def forward(self, xp, x, y):
        return xp.arctan2(x, y)

    def local_grads(self, x, y, out, dout):
        share = dout / (x * x + y * y)
        return (
            share * y if needs_grad(x) else None,
            -(share * x) if needs_grad(y) else None,
        )


_sin, _cos, _sinh, _cosh = Sin(), Cos(), Sinh(), Cosh()
