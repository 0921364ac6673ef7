"""Elementwise arithmetic on Tensors and its gradients; on two Tensors with broadcasting and promotion."""

from minispore.core.dtype import COMPLEX, INEXACT
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.ops.common import check_number, check_same_type, check_shape
from minispore.ops.elementwise import Arithmetic, Function
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.select import Select

__all__ = ["AccumulateNV2", "Add", "AddN", "Maximum", "Minimum", "Mul", "Neg", "Pow", "SquaredDifference", "Sub"]


_select = Select()


class Add(Arithmetic):
    """Elementwise sum, with broadcasting: ``out = x + y``."""

    complex_numbers = "analytic"
    ufunc = "add"

    def local_grads(self, x, y, out, dout):
        return dout, dout


class Sub(Arithmetic):
    """Elementwise difference, with broadcasting: ``out = x - y``."""

    complex_numbers = "analytic"
    ufunc = "subtract"

    def local_grads(self, x, y, out, dout):
        return (
            dout if needs_grad(x) else None,
            -dout if needs_grad(y) else None,
        )


class Mul(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``."""

    complex_numbers = "analytic"
    ufunc = "multiply"

    def local_grads(self, x, y, out, dout):
        return (
            dout * y if needs_grad(x) else None,
            dout * x if needs_grad(y) else None,
        )


class SquaredDifference(Arithmetic):
    """Elementwise square of the difference, with broadcasting: ``out = (x - y) ** 2``; ``|x - y| ** 2`` if complex."""

    complex_numbers = "as written"

    def compute(self, xp, x, y):
        difference = xp.subtract(widen(xp, x), widen(xp, y))
        return narrow(xp, difference * xp.conj(difference), x.dtype)

    def local_grads(self, x, y, out, dout):
        slope = (dout.real() if x.array.dtype in COMPLEX else dout) * (x - y) * 2
        return (
            slope if needs_grad(x) else None,
            -slope if needs_grad(y) else None,
        )


class Pow(Arithmetic):
    """Elementwise power, with broadcasting: ``out = x ** y``; truncated toward zero for integers."""

    complex_numbers = "analytic"

    def compute(self, xp, x, y):
        if x.dtype in INEXACT:
            return xp.power(x, y)
        whole = xp.power(x, xp.maximum(xp.abs(y), 0))  # at least 0: the least integer has no positive counterpart
        return select(xp, (y < 0) & (xp.abs(x) != 1), xp.zeros_like(whole), whole)

    def local_grads(self, x, y, out, dout):
        return (
            dout * y * x ** (y - 1) if needs_grad(x) else None,
            dout * out * _log_or_zero(x) if needs_grad(y) else None,
        )


def _log_or_zero(x):
    """``log(x)`` where x is above zero, or complex and not zero, else 0: the power's slope for its exponent over it."""
    if x.array.dtype in COMPLEX:
        return _select(x == 0, 1, x).log()
    return _select(x > 0, x, 1).log()


class _Choice(Arithmetic):
    """Base of Maximum and Minimum: the gradient goes to the chosen operand, half to each where they are equal."""

    def local_grads(self, x, y, out, dout):
        tie = (x == y).astype(dout.dtype) * 0.5
        return (
            dout * (self._first(x, y).astype(dout.dtype) + tie) if needs_grad(x) else None,
            dout * (self._first(y, x).astype(dout.dtype) + tie) if needs_grad(y) else None,
        )


class Maximum(_Choice):
    """Elementwise larger of two Tensors: ``out = max(x, y)``; nan where either is nan."""

    _first = staticmethod(lambda x, y: x > y)

    ufunc = "maximum"


class Minimum(_Choice):
    """Elementwise smaller of two Tensors: ``out = min(x, y)``; nan where either is nan."""

    _first = staticmethod(lambda x, y: x < y)

    ufunc = "minimum"


class Neg(Function):
    """Elementwise negation: ``out = -x``."""

    complex_numbers = "analytic"

    def compute(self, xp, x):
        return xp.negative(x)

    def bprop(self, x, out, dout):
        return -dout


class AddN(Primitive):
    """Sum of several Tensors of one shape and dtype: ``out = x[0] + x[1] + …``; float16 is added up in float32."""

    complex_numbers = "analytic"
    variadic = True

    def infer(self, *xs):
        if not xs:
            raise value_error(self.name, "the 'x' must hold at least one Tensor", "none")
        for i, x in enumerate(xs):
            check_number(self, f"x[{i}]", x)
            check_same_type(self, **{"x[0]": xs[0], f"x[{i}]": x})
            check_shape(self, f"x[{i}]", x, xs[0].shape)
        return xs[0]

    def compute(self, xp, *xs):
        total = widen(xp, xs[0])
        for x in xs[1:]:
            total = xp.add(total, widen(xp, x))
        return narrow(xp, total, xs[0].dtype)

    def bprop(self, *xs_out_dout):
        return (xs_out_dout[-1],) * (len(xs_out_dout) - 2)


class AccumulateNV2(AddN):
    """Sum of several Tensors (MindSpore's other name of AddN)."""
