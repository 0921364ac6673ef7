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
    """Elementwise sine: ``out = sin x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sin(ms.Tensor([0.0, 0.5, 1.0])))
        [0.         0.47942555 0.841471  ]
    """

    ufunc = "sin"

    def bprop(self, x, out, dout):
        return dout * _cos(x)


class Cos(AnalyticFunction):
    """Elementwise cosine: ``out = cos x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cos(ms.Tensor([0.0, 0.5, 1.0])))
        [1.         0.87758255 0.5403023 ]
    """

    ufunc = "cos"

    def bprop(self, x, out, dout):
        return -(dout * _sin(x))


class Tan(AnalyticFunction):
    """Elementwise tangent: ``out = tan x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tan(ms.Tensor([0.0, 0.5, 1.0])))
        [0.        0.5463025 1.5574077]
    """

    ufunc = "tan"

    def bprop(self, x, out, dout):
        return dout * (out * out + 1)


class Asin(AnalyticFunction):
    """Elementwise inverse sine: ``out = arcsin x``; nan outside [-1, 1].

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.asin(ms.Tensor([0.0, 1.0, 2.0])))
        [0.        1.5707964       nan]
    """

    ufunc = "arcsin"

    def bprop(self, x, out, dout):
        return dout * (1 - x * x).rsqrt()


class ACos(AnalyticFunction):
    """Elementwise inverse cosine: ``out = arccos x``; nan outside [-1, 1].

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.acos(ms.Tensor([1.0, 0.0, 2.0])))
        [0.        1.5707964       nan]
    """

    ufunc = "arccos"

    def bprop(self, x, out, dout):
        return -(dout * (1 - x * x).rsqrt())


class Atan(AnalyticFunction):
    """Elementwise inverse tangent: ``out = arctan x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atan(ms.Tensor([0.0, 1.0, np.inf])))
        [0.        0.7853982 1.5707964]
    """

    ufunc = "arctan"

    def bprop(self, x, out, dout):
        return dout / (x * x + 1)


class Sinh(AnalyticFunction):
    """Elementwise hyperbolic sine: ``out = sinh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sinh(ms.Tensor([0.0, 1.0])))
        [0.        1.1752012]
    """

    ufunc = "sinh"

    def bprop(self, x, out, dout):
        return dout * _cosh(x)


class Cosh(AnalyticFunction):
    """Elementwise hyperbolic cosine: ``out = cosh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cosh(ms.Tensor([0.0, 1.0])))
        [1.        1.5430807]
    """

    ufunc = "cosh"

    def bprop(self, x, out, dout):
        return dout * _sinh(x)


class Asinh(AnalyticFunction):
    """Elementwise inverse hyperbolic sine: ``out = arsinh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.asinh(ms.Tensor([0.0, 1.0])))
        [0.        0.8813736]
    """

    ufunc = "arcsinh"

    def bprop(self, x, out, dout):
        return dout / _cosh(out)  # the square root of x * x + 1, where x * x might overflow


class Acosh(AnalyticFunction):
    """Elementwise inverse hyperbolic cosine: ``out = arcosh x``; nan below 1.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.acosh(ms.Tensor([1.0, 2.0, 0.5])))
        [0.       1.316958      nan]
    """

    ufunc = "arccosh"

    def bprop(self, x, out, dout):
        return dout / _sinh(out)


class Atanh(AnalyticFunction):
    """Elementwise inverse hyperbolic tangent: ``out = artanh x``; nan outside [-1, 1].

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atanh(ms.Tensor([0.0, 0.5, 1.0, 2.0])))
        [0.         0.54930615        inf        nan]
    """

    ufunc = "arctanh"

    def bprop(self, x, out, dout):
        return dout / (1 - x * x)


class Atan2(FloatPair):
    """Elementwise angle of the point (y, x), from -pi to pi: ``out = arctan(x / y)`` in the right quadrant.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atan2(ms.Tensor([0.0, 1.0, 0.0]), ms.Tensor([1.0, 0.0, -1.0])))
        [0.        1.5707964 3.1415927]
    """

    def forward(self, xp, x, y):
        return xp.arctan2(x, y)

    def local_grads(self, x, y, out, dout):
        share = dout / (x * x + y * y)
        return (
            share * y if needs_grad(x) else None,
            -(share * x) if needs_grad(y) else None,
        )


_sin, _cos, _sinh, _cosh = Sin(), Cos(), Sinh(), Cosh()
