"""Quotients and remainders of two Tensors, elementwise, with broadcasting and promotion, and their gradients."""

from functools import partial

from minispore.core.dtype import FLOATS, INEXACT
from minispore.core.tape import needs_grad
from minispore.ops.casting import cast
from minispore.ops.elementwise_pairs import Arithmetic, FloatPair
from minispore.ops.kernels.division import floor_quotient, floor_remainder, truncated
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select

__all__ = [
    "Div",
    "DivNoNan",
    "FloorDiv",
    "FloorMod",
    "Mod",
    "RealDiv",
    "TruncateDiv",
    "TruncateMod",
    "Xdivy",
]


class Div(Arithmetic):
    """Elementwise quotient, with broadcasting: ``out = x / y``; integers truncate toward zero, and keep their dtype.

    An integer divided by zero gives 0; a float gives inf or nan.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.true_divide(ms.Tensor([7.0, -7.0, 1.0]), ms.Tensor([2.0, 2.0, 0.0])))
        [ 3.5 -3.5  inf]
    """

    complex_numbers = "analytic"
    ufunc = "divide"

    def compute(self, xp, x, y):
        return super().compute(xp, x, y) if x.dtype in INEXACT else truncated(xp, x, y)

    def array_function(self, xp, x, y):
        return super().array_function(xp, x, y) if x.dtype in INEXACT else partial(truncated, xp)

    def local_grads(self, x, y, out, dout):
        return (
            dout / y if needs_grad(x) else None,
            -(dout * out) / y if needs_grad(y) else None,
        )


class RealDiv(Div):
    """Elementwise quotient, with broadcasting: ``out = x / y`` (MindSpore's other name of Div).

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.RealDiv()(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0)))
        [ 3.5 -3.5]
    """


class FloorDiv(Arithmetic):
    """Elementwise quotient rounded down: ``out = floor(x / y)``; its gradient is zero.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.floor_div(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0)))
        [ 3. -4.]
    """

    differentiable = False

    def compute(self, xp, x, y):
        return floor_quotient(xp, x, y)


class FloorMod(Arithmetic):
    """Elementwise remainder of the quotient rounded down: ``out = x - floor(x / y) * y``, with the sign of ``y``.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.floor_mod(ms.Tensor([7.0, -7.0]), ms.Tensor(3.0)))
        [1. 2.]
    """

    def compute(self, xp, x, y):
        return floor_remainder(xp, x, y)

    def local_grads(self, x, y, out, dout):
        return (
            dout if needs_grad(x) else None,
            -(dout * (x // y)) if needs_grad(y) else None,
        )


class Mod(Arithmetic):
    """Elementwise remainder of the truncated quotient: ``out = x - trunc(x / y) * y``, with the sign of ``x``.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Mod()(ms.Tensor([7.0, -7.0]), ms.Tensor(3.0)))
        [ 1. -1.]
    """

    def compute(self, xp, x, y):
        return xp.fmod(x, y)

    def local_grads(self, x, y, out, dout):
        return (
            dout if needs_grad(x) else None,
            dout * (out - x) / y if needs_grad(y) else None,
        )


class TruncateMod(Mod):
    """Elementwise remainder of the truncated quotient (MindSpore's other name of Mod).

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fmod(ms.Tensor([7.0, -7.0]), ms.Tensor(3.0)))
        [ 1. -1.]
    """


class TruncateDiv(Arithmetic):
    """Elementwise quotient rounded toward zero: ``out = trunc(x / y)``; its gradient is zero.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.truncate_div(ms.Tensor([7.0, -7.0]), ms.Tensor(2.0)))
        [ 3. -3.]
    """

    differentiable = False

    def compute(self, xp, x, y):
        if x.dtype in FLOATS:
            return narrow(xp, xp.trunc(xp.divide(widen(xp, x), widen(xp, y))), x.dtype)
        return truncated(xp, x, y)


class DivNoNan(FloatPair):
    """Elementwise quotient, with broadcasting: ``out = x / y``, and 0 where y is 0.

    Shapes: any that broadcast. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DivNoNan()(ms.Tensor([1.0, 0.0, 6.0]), ms.Tensor([0.0, 0.0, 3.0])))
        [0. 0. 2.]
    """

    complex_numbers = "analytic"

    def forward(self, xp, x, y):
        return select(xp, y == 0, x.dtype.type(0), x / y)

    def local_grads(self, x, y, out, dout):
        return (
            self(dout, y) if needs_grad(x) else None,
            -self(dout * out, y) if needs_grad(y) else None,
        )


class Xdivy(FloatPair):
    """Elementwise quotient, with broadcasting: ``out = x / y``; 0 if x is 0, for any y.

    Shapes: any that broadcast. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.xdivy(ms.Tensor([0.0, 6.0]), ms.Tensor([0.0, 3.0])))  # 0 / 0 alone would be nan
        [0. 2.]
    """

    complex_numbers = "analytic"

    def forward(self, xp, x, y):
        return select(xp, x == 0, x.dtype.type(0), x / y)

    def local_grads(self, x, y, out, dout):
        return (
            self(cast(x != 0, x.array.dtype) * dout, y) if needs_grad(x) else None,
            -self(dout * out, y) if needs_grad(y) else None,
        )
