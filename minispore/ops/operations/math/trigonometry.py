"""Trigonometric and hyperbolic functions and their inverses, elementwise, and their gradients."""

from minispore.autograd import needs_grad
from minispore.ops.elementwise import AnalyticFunction, FloatPair

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

    def forward(self, xp, x):
        return xp.sin(x)

    def bprop(self, x, out, dout):
        return dout * _cos(x)


class Cos(AnalyticFunction):
    """Elementwise cosine: ``out = cos x``."""

    def forward(self, xp, x):
        return xp.cos(x)

    def bprop(self, x, out, dout):
        return -(dout * _sin(x))


class Tan(AnalyticFunction):
    """Elementwise tangent: ``out = tan x``."""

    def forward(self, xp, x):
        return xp.tan(x)

    def bprop(self, x, out, dout):
        return dout * (out * out + 1)


class Asin(AnalyticFunction):
    """Elementwise inverse sine: ``out = arcsin x``; nan outside [-1, 1]."""

    def forward(self, xp, x):
        return xp.arcsin(x)

    def bprop(self, x, out, dout):
        return dout * (1 - x * x).rsqrt()


class ACos(AnalyticFunction):
    """Elementwise inverse cosine: ``out = arccos x``; nan outside [-1, 1]."""

    def forward(self, xp, x):
        return xp.arccos(x)

    def bprop(self, x, out, dout):
        return -(dout * (1 - x * x).rsqrt())


class Atan(AnalyticFunction):
    """Elementwise inverse tangent: ``out = arctan x``."""

    def forward(self, xp, x):
        return xp.arctan(x)

    def bprop(self, x, out, dout):
        return dout / (x * x + 1)


class Sinh(AnalyticFunction):
    """Elementwise hyperbolic sine: ``out = sinh x``."""

    def forward(self, xp, x):
        return xp.sinh(x)

    def bprop(self, x, out, dout):
        return dout * _cosh(x)


class Cosh(AnalyticFunction):
    """Elementwise hyperbolic cosine: ``out = cosh x``."""

    def forward(self, xp, x):
        return xp.cosh(x)

    def bprop(self, x, out, dout):
        return dout * _sinh(x)


class Asinh(AnalyticFunction):
    """Elementwise inverse hyperbolic sine: ``out = arsinh x``."""

    def forward(self, xp, x):
        return xp.arcsinh(x)

    def bprop(self, x, out, dout):
        return dout / _cosh(out)  # the square root of x * x + 1, where x * x might overflow


class Acosh(AnalyticFunction):
    """Elementwise inverse hyperbolic cosine: ``out = arcosh x``; nan below 1."""

    def forward(self, xp, x):
        return xp.arccosh(x)

    def bprop(self, x, out, dout):
        return dout / _sinh(out)


class Atanh(AnalyticFunction):
    """Elementwise inverse hyperbolic tangent: ``out = artanh x``; nan outside [-1, 1]."""

    def forward(self, xp, x):
        return xp.arctanh(x)

    def bprop(self, x, out, dout):
        return dout / (1 - x * x)


class Atan2(FloatPair):
    """Elementwise angle of the point (y, x), from -pi to pi: ``out = arctan(x / y)`` in the right quadrant."""

    piecewise = True

    def forward(self, xp, x, y):
        return xp.arctan2(x, y)

    def local_grads(self, x, y, out, dout):
        share = dout / (x * x + y * y)
        return needs_grad(x) and share * y, needs_grad(y) and -(share * x)


_sin, _cos, _sinh, _cosh = Sin(), Cos(), Sinh(), Cosh()
