"""Elementwise functions of two Tensors beyond arithmetic, and their gradients."""

from minispore.core.errors import type_error
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast
from minispore.ops.casting import cast
from minispore.ops.elementwise_pairs import Arithmetic, FloatPair
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.division import Xdivy
from minispore.ops.type_checks import check_number, check_same_type, check_tensor, named

__all__ = ["Fmax", "Fmin", "Heaviside", "Hypot", "LogAddExp", "MulNoNan", "NextAfter", "Xlogy"]

_xdivy = Xdivy()


class MulNoNan(Arithmetic):
    """Elementwise product, with broadcasting: ``out = x * y``, and 0 where y is 0, even of inf and nan.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MulNoNan()(ms.Tensor([2.0, np.inf, np.nan]), ms.Tensor([3.0, 0.0, 0.0])))
        [6. 0. 0.]
    """

    complex_numbers = "analytic"

    def compute(self, xp, x, y):
        return select(xp, y == 0, xp.zeros_like(x), xp.multiply(x, y))

    def local_grads(self, x, y, out, dout):
        return (
            self(dout, y) if needs_grad(x) else None,
            self(dout, x) if needs_grad(y) else None,
        )


class Xlogy(FloatPair):
    """Elementwise ``out = x * ln y``, with broadcasting; 0 if x is 0, for any y.

    Shapes: any that broadcast. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.xlogy(ms.Tensor([0.0, 2.0]), ms.Tensor([0.0, 1.0])))  # 0 * ln 0 alone would be nan
        [0. 0.]
    """

    complex_numbers = "analytic"

    def forward(self, xp, x, y):
        return select(xp, x == 0, x.dtype.type(0), x * xp.log(y))

    def local_grads(self, x, y, out, dout):
        return (
            self(cast(x != 0, x.array.dtype) * dout, y) if needs_grad(x) else None,
            _xdivy(dout * x, y) if needs_grad(y) else None,
        )


class Hypot(FloatPair):
    """Elementwise length of the hypotenuse: ``out = sqrt(x ** 2 + y ** 2)``, without overflow on the way.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hypot(ms.Tensor([3.0, 5.0]), ms.Tensor([4.0, 12.0])))
        [ 5. 13.]
    """

    def forward(self, xp, x, y):
        return xp.hypot(x, y)

    def local_grads(self, x, y, out, dout):
        share = dout / out
        return (
            share * x if needs_grad(x) else None,
            share * y if needs_grad(y) else None,
        )


class _NumberChoice(Arithmetic):
    """Base of Fmax and Fmin: the gradient goes to the chosen operand, to the first where both are equal or nan."""

    def local_grads(self, x, y, out, dout):
        second = self._beyond(y, x).logical_or((x != x).logical_and(y == y))
        return (
            cast(second.logical_not(), dout.array.dtype) * dout if needs_grad(x) else None,
            cast(second, dout.array.dtype) * dout if needs_grad(y) else None,
        )


class Fmax(_NumberChoice):
    """Elementwise larger of two Tensors: ``out = max(x, y)``, and the other one where one is nan.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fmax(ms.Tensor([1.0, np.nan]), ms.Tensor([2.0, 3.0])))
        [2. 3.]
    """

    ufunc = "fmax"
    _beyond = staticmethod(lambda y, x: y > x)


class Fmin(_NumberChoice):
    """Elementwise smaller of two Tensors: ``out = min(x, y)``, and the other one where one is nan.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fmin(ms.Tensor([1.0, np.nan]), ms.Tensor([2.0, 3.0])))
        [1. 3.]
    """

    ufunc = "fmin"
    _beyond = staticmethod(lambda y, x: y < x)


class LogAddExp(FloatPair):
    """Elementwise ``out = ln(e ** input + e ** other)``, without overflow on the way.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logaddexp(ms.Tensor([0.0, 1000.0]), ms.Tensor([0.0, 1000.0])))  # ln 2, and 1000 + ln 2
        [6.9314718e-01 1.0006932e+03]
    """

    def forward(self, xp, x, y):
        return xp.logaddexp(x, y)

    def local_grads(self, x, y, out, dout):
        return (
            dout * (x - y).sigmoid() if needs_grad(x) else None,
            dout * (y - x).sigmoid() if needs_grad(y) else None,
        )


class Heaviside(Primitive):
    """Elementwise step: 0 where x is below 0 or nan, 1 above, ``values`` at 0; its gradient is zero.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Heaviside()(ms.Tensor([-2.0, 0.0, 3.0]), ms.Tensor(0.5)))
        [0.  0.5 1. ]
    """

    differentiable = False

    def infer(self, x, values):
        check_number(self, "x", x)
        check_same_type(self, x=x, values=values)
        return broadcast(self, x, values)

    def compute(self, xp, x, values):
        return select(xp, x == 0, values, (x > 0).astype(x.dtype))


class NextAfter(Arithmetic):
    """Elementwise number of float32 or float64 that is next to x1 in the direction of x2; it has no gradient.

    Shapes: any that broadcast. Dtypes: float32 and float64, kept; TypeError for float16, ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> out = ops.nextafter(ms.Tensor([1.0]), ms.Tensor([2.0]))
        >>> print((out - 1.0) * 2.0**23)  # one unit of float32's last place
        [1.]
        >>> print(out)
        [1.0000001]
    """

    differentiable = False
    ufunc = "nextafter"

    def infer(self, x1, x2):
        for name, x in (("x1", x1), ("x2", x2)):
            check_tensor(self, name, x)
            if x.dtype.name not in ("float32", "float64"):
                raise type_error(self.name, f"the '{name}' must be a Tensor of float32 or float64", named(x.dtype))
        return broadcast(self, x1, x2)
