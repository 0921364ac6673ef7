"""Bases of the elementwise functions of one Tensor."""

from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.float16.elementwise import of_one
from minispore.ops.type_checks import check_float, check_number

__all__ = []


class Function(Primitive):
    """Base of functions of one Tensor of numbers that keep its dtype."""

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)


class FloatFunction(Primitive):
    """Base of functions of one floating Tensor; float16 is computed in float32 and rounded once.

    A subclass has ``ufunc``, the name of the array module's own function, or ``forward``, which is given float32 in
    float16's place.
    """

    ufunc = None

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        if self.ufunc is not None:
            return of_one(xp, getattr(xp, self.ufunc), x)
        return narrow(xp, self.forward(xp, widen(xp, x)), x.dtype)


class AnalyticFunction(FloatFunction):
    """Base of functions whose formula and slope hold for complex numbers too."""

    complex_numbers = "analytic"
