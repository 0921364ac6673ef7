"""Bases of the elementwise operations on two Tensors, with broadcasting and promotion."""

from functools import partial

from minispore.core.dtype import NARROW_FLOATS
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast, sum_to
from minispore.ops.kernels.blocking.cache_blocks import LONG, in_one
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.float16.elementwise import by_float32
from minispore.ops.promotion import promoted
from minispore.ops.type_checks import check_float, check_number

__all__ = []


class Arithmetic(Primitive):
    """Base of elementwise operations on two Tensors of numbers, which are broadcast and promoted.

    A subclass has ``local_grads(self, x, y, out, dout)``, the gradients in the shape of ``out``, and either ``compute``
    or ``ufunc``. The latter names the array module's own function; float16 is computed in float32 and rounded once.
    """

    adapt = promoted
    ufunc = None

    def infer(self, x, y):
        check_number(self, "x", x)
        check_number(self, "y", y)
        return broadcast(self, x, y)

    def compute(self, xp, x, y):
        function = getattr(xp, self.ufunc) if x.size < LONG else partial(in_one, getattr(xp, self.ufunc), xp)
        return function(x, y) if x.dtype not in NARROW_FLOATS else by_float32(xp, function, x, y)

    def array_function(self, xp, x, y):
        """The function ``(x, y) -> array`` that computes for inputs of these shapes and dtypes."""
        plain = self.ufunc is not None and x.dtype not in NARROW_FLOATS and x.size < LONG
        return getattr(xp, self.ufunc) if plain else partial(self.compute, xp)

    def compute_into(self, xp, out, x, y):
        """Compute into the memory of ``out``: for float32 and float64, where there is a ``ufunc``."""
        return in_one(getattr(xp, self.ufunc), xp, x, y, out=out)

    def bprop(self, x, y, out, dout):
        dx, dy = self.local_grads(x, y, out, dout)
        return (
            sum_to(dx, x.array.shape) if dx is not None and needs_grad(x) else None,
            sum_to(dy, y.array.shape) if dy is not None and needs_grad(y) else None,
        )


class FloatPair(Arithmetic):
    """Base of functions of two floating Tensors; float16 is computed in float32 and rounded once."""

    def infer(self, x, y):
        check_float(self, "x", x)
        check_float(self, "y", y)
        return broadcast(self, x, y)

    def compute(self, xp, x, y):
        return narrow(xp, self.forward(xp, widen(xp, x), widen(xp, y)), x.dtype)
