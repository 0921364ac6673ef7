"""Elementwise sum, difference, product and negation, with broadcasting and promotion, and their gradients."""

from minispore.core.tape import needs_grad
from minispore.ops.elementwise import Function
from minispore.ops.elementwise_pairs import Arithmetic

__all__ = ["Add", "Mul", "Neg", "Sub"]


class Add(Arithmetic):
    """Elementwise sum, with broadcasting: ``out = x + y``.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.add(ms.Tensor([[1.0], [2.0]]), ms.Tensor([10.0, 20.0])))  # the same: x + y, ops.Add()(x, y)
        [[11. 21.]
         [12. 22.]]
    """

    complex_numbers = "analytic"
    ufunc = "add"

    def local_grads(self, x, y, out, dout):
        return dout, dout


class Sub(Arithmetic):
    """Elementwise difference, with broadcasting: ``out = x - y``.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sub(ms.Tensor([5.0, 6.0]), ms.Tensor([1.0, 2.0])))  # the same: x - y, ops.Sub()(x, y)
        [4. 4.]
    """

    complex_numbers = "analytic"
    ufunc = "subtract"

    def local_grads(self, x, y, out, dout):
        return (
            dout if needs_grad(x) else None,
            -dout if needs_grad(y) else None,
        )


class Mul(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.mul(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor(10.0)))  # the same: x * y, ops.Mul()(x, y)
        [10. 20. 30.]
    """

    complex_numbers = "analytic"
    ufunc = "multiply"

    def local_grads(self, x, y, out, dout):
        return (
            dout * y if needs_grad(x) else None,
            dout * x if needs_grad(y) else None,
        )


class Neg(Function):
    """Elementwise negation: ``out = -x``.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.neg(ms.Tensor([1.0, -2.0])))  # the same: -x, ops.Neg()(x)
        [-1.  2.]
    """

    complex_numbers = "analytic"

    def compute(self, xp, x):
        return xp.negative(x)

    def bprop(self, x, out, dout):
        return -dout
