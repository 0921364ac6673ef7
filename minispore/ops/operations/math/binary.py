"""Functions of two Tensors beyond arithmetic, and the replacement of what is not finite, with their gradients."""

import ml_dtypes

from minispore.autograd import needs_grad
from minispore.errors import shown, type_error, value_error
from minispore.ops.common import as_axis, as_int, broadcast, check_number, check_same_type, check_shape
from minispore.ops.elementwise import Arithmetic, FloatFunction, FloatPair
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.math.division import Xdivy
from minispore.ops.operations.math.unary import Select
from minispore.ops.primitive import Primitive, cast

__all__ = ["Cross", "Heaviside", "Hypot", "LogAddExp", "MulNoNan", "NanToNum", "Xlogy"]

_select, _xdivy = Select(), Xdivy()


class MulNoNan(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``, and 0 where y is 0, even of inf and nan."""

    piecewise = True

    def compute(self, xp, x, y):
        return xp.where(y == 0, xp.zeros_like(x), xp.multiply(x, y))

    def local_grads(self, x, y, out, dout):
        return (
            needs_grad(x) and self(dout, y),
            needs_grad(y) and self(dout, x),
        )


class Xlogy(FloatPair):
    """Elementwise ``out = x * ln y``, with broadcasting, and 0 where x is 0, whatever y is."""

    piecewise = True

    def forward(self, xp, x, y):
        return xp.where(x == 0, x.dtype.type(0), x * xp.log(y))

    def local_grads(self, x, y, out, dout):
        return (
            needs_grad(x) and self(cast(x != 0, x.array.dtype) * dout, y),
            needs_grad(y) and _xdivy(dout * x, y),
        )


class Hypot(FloatPair):
    """Elementwise length of the hypotenuse: ``out = sqrt(x ** 2 + y ** 2)``, without overflow on the way."""

    def forward(self, xp, x, y):
        return xp.hypot(x, y)

    def local_grads(self, x, y, out, dout):
        share = dout / out
        return needs_grad(x) and share * x, needs_grad(y) and share * y


class LogAddExp(FloatPair):
    """Elementwise ``out = ln(e ** x + e ** y)``, without overflow on the way."""

    def forward(self, xp, x, y):
        return xp.logaddexp(x, y)

    def local_grads(self, x, y, out, dout):
        return (
            needs_grad(x) and dout * (x - y).sigmoid(),
            needs_grad(y) and dout * (y - x).sigmoid(),
        )


class Heaviside(Primitive):
    """Elementwise step: 0 where x is below 0 or nan, 1 above, ``values`` at 0; its gradient is zero."""

    differentiable = False

    def infer(self, x, values):
        check_number(self, "x", x)
        check_same_type(self, x=x, values=values)
        return broadcast(self, x, values)

    def compute(self, xp, x, values):
        return xp.where(x == 0, values, (x > 0).astype(x.dtype))


class NanToNum(FloatFunction):
    """Elementwise replacement of nan and of infinities, by default by 0 and by the dtype's largest and least numbers.

    Args:
        nan (float): What stands for nan. Default: 0.0.
        posinf (float): What stands for inf. Default: None, the dtype's largest number.
        neginf (float): What stands for -inf. Default: None, the dtype's least number.
    """

    piecewise = True

    def __init__(self, nan=0.0, posinf=None, neginf=None):
        for name, value in (("nan", nan), ("posinf", posinf), ("neginf", neginf)):
            if value is not None and not isinstance(value, float):
                raise type_error("NanToNum", f"the '{name}' must be a float", shown(value))
            self.add_prim_attr(name, value)

    def compute(self, xp, x):
        largest = float(ml_dtypes.finfo(x.dtype).max)
        above = largest if self.posinf is None else self.posinf
        below = -largest if self.neginf is None else self.neginf
        wide = widen(xp, x)
        finite = xp.where(xp.isinf(wide), xp.where(wide > 0, wide.dtype.type(above), wide.dtype.type(below)), wide)
        return narrow(xp, xp.where(xp.isnan(wide), wide.dtype.type(self.nan or 0.0), finite), x.dtype)

    def bprop(self, x, out, dout):
        return _select(x.isfinite(), dout, 0)


_FIRST_OF_THREE = -65530  # MindSpore's sign for the first axis of length 3


class Cross(Primitive):
    """Vector product along an axis of length 3, by default the first such: ``out = x1 × x2``, both of one shape."""

    def __init__(self, dim=_FIRST_OF_THREE):
        self.add_prim_attr("dim", as_int(self, "dim", dim))

    def _axis(self, shape):
        if self.dim == _FIRST_OF_THREE:
            if 3 not in shape:
                raise value_error(self.name, "the 'x1' must have an axis of length 3", f"shape {shape}")
            return shape.index(3)
        axis = as_axis(self, self.dim, len(shape), "dim")
        if shape[axis] != 3:
            raise value_error(self.name, "the 'x1' must have the length 3 along 'dim'", f"shape {shape}")
        return axis

    def infer(self, x1, x2):
        check_number(self, "x1", x1)
        check_same_type(self, x1=x1, x2=x2)
        check_shape(self, "x2", x2, x1.shape)
        self._axis(x1.shape)
        return x1

    def compute(self, xp, x1, x2):
        axis = self._axis(x1.shape)
        a, b = widen(xp, x1), widen(xp, x2)
        first = xp.roll(a, -1, axis) * xp.roll(b, -2, axis)
        return narrow(xp, first - xp.roll(a, -2, axis) * xp.roll(b, -1, axis), x1.dtype)

    def bprop(self, x1, x2, out, dout):
        return needs_grad(x1) and self(x2, dout), needs_grad(x2) and self(dout, x1)
