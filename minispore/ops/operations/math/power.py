"""Elementwise powers of two Tensors, and the square of their difference."""

from minispore.core.dtype import COMPLEX, INEXACT
from minispore.core.tape import needs_grad
from minispore.ops.elementwise_pairs import Arithmetic
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.select import Select

__all__ = ["Pow", "SquaredDifference"]

_select = Select()


class SquaredDifference(Arithmetic):
    """Elementwise square of the difference, with broadcasting: ``out = (x - y) ** 2``; ``|x - y| ** 2`` if complex.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SquaredDifference()(ms.Tensor([1.0, 5.0]), ms.Tensor([3.0, 2.0])))
        [4. 9.]
    """

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
    """Elementwise power, with broadcasting: ``out = x ** y``; truncated toward zero for integers.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.pow(ms.Tensor([2.0, 3.0]), ms.Tensor([3.0, 0.5])))  # the same: x ** y, ops.Pow()(x, y)
        [8.        1.7320509]
    """

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
