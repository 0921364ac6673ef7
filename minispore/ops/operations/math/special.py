"""Special functions, elementwise: the error function and its kin, the gamma function's logarithm and derivatives."""

import math

import numpy as np

from minispore.core.errors import shown, value_error
from minispore.ops.axes import as_int
from minispore.ops.elementwise import FloatFunction
from minispore.ops.kernels import special
from minispore.ops.kernels.float16.cast import narrow

__all__ = ["Digamma", "Erf", "Erfc", "Erfinv", "Lgamma", "Polygamma"]


class SpecialFunction(FloatFunction):
    """Base of special functions of one floating Tensor, computed in float64 and rounded once."""

    def compute(self, xp, x):
        return narrow(xp, self.forward(xp, x.astype(np.float64)), x.dtype)


class Erf(SpecialFunction):
    """Elementwise error function: ``out = 2 / sqrt(pi) * integral of exp(-t ** 2) from 0 to x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.erf(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.8427008  0.         0.8427008]
    """

    def forward(self, xp, x):
        return special.erf(xp, x)

    def bprop(self, x, out, dout):
        return dout * (-(x * x)).exp() * (2 / math.sqrt(math.pi))


class Erfc(SpecialFunction):
    """Elementwise complementary error function: ``out = 1 - erf x``, exact in the tail too.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.erfc(ms.Tensor([0.0, 1.0, 5.0])))
        [1.0000000e+00 1.5729921e-01 1.5374598e-12]
    """

    def forward(self, xp, x):
        return special.erfc(xp, x)

    def bprop(self, x, out, dout):
        return dout * (-(x * x)).exp() * (-2 / math.sqrt(math.pi))


class Erfinv(SpecialFunction):
    """Elementwise inverse of the error function: ``erf out = x``; infinite at -1 and 1, nan outside.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.erfinv(ms.Tensor([0.0, 0.5, 1.0])))
        [0.         0.47693628        inf]
    """

    def forward(self, xp, x):
        return special.erfinv(xp, x)

    def bprop(self, x, out, dout):
        return dout * (out * out).exp() * (math.sqrt(math.pi) / 2)


class Lgamma(SpecialFunction):
    """Elementwise logarithm of the gamma function's size: ``out = ln |gamma(x)|``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lgamma(ms.Tensor([1.0, 5.0])))  # 0, and ln 24
        [0.        3.1780539]
    """

    def forward(self, xp, x):
        return special.lgamma(xp, x)

    def bprop(self, x, out, dout):
        return dout * _digamma(x)


class Digamma(SpecialFunction):
    """Elementwise derivative of the gamma function's logarithm: ``out = gamma'(x) / gamma(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.digamma(ms.Tensor([1.0, 2.0])))
        [-0.5772157   0.42278433]
    """

    def forward(self, xp, x):
        return special.polygamma(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * _polygamma(1, x)


_LARGEST_ORDER = 170  # the factorial of 171 fits into no float64


class Polygamma(SpecialFunction):
    """Elementwise derivative of order ``a`` of Digamma, ``a`` an int or an integer Tensor of one element.

    Shapes: that of x. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``a`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``a`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Polygamma()(1, ms.Tensor([1.0, 2.0])))
        [1.644934   0.64493406]
    """

    def adapt(self, a, x):
        """Read the order."""
        return as_int(self, "a", a), x

    def infer(self, a, x):
        if a < 0:
            raise value_error(self.name, "the 'a' must be at least 0", a)
        if a > _LARGEST_ORDER:
            raise value_error(self.name, f"the 'a' must be at most {_LARGEST_ORDER}, where factorials end", shown(a))
        return super().infer(x)

    def compute(self, xp, a, x):
        return narrow(xp, special.polygamma(xp, a, x.astype(np.float64)), x.dtype)

    def bprop(self, a, x, out, dout):
        return None, dout * _polygamma(a + 1, x)


_digamma, _polygamma = Digamma(), Polygamma()
