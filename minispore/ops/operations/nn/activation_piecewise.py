"""Further piecewise activations, beside ``activation.py``: ELU and its kin, hard and shrinking ones, RReLU."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core import process
from minispore.core.checks import plain
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.random_streams import next_stream
from minispore.ops.kernels.select import select
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.nn.activation import Smooth
from minispore.ops.type_checks import check_float, check_number

__all__ = ["CeLU", "Elu", "HShrink", "HSigmoid", "HSwish", "RReLU", "SeLU", "SoftShrink"]

_select = Select()


def _as_float(operation, argument, value):
    if not isinstance(value, float) and not isinstance(value := plain(value), float):
        raise type_error(operation, f"the '{argument}' must be a float", shown(value))
    return value


class _OfNumbers(Smooth):
    """Base of functions that take whole numbers as well, and truncate their results for them toward zero."""

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        if x.dtype.kind in "iu":
            return self.forward(xp, x.astype(np.float64)).astype(x.dtype)
        return super().compute(xp, x)


class Elu(Smooth):
    """Exponential linear unit: ``out = x where x > 0, else e ** x - 1``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        alpha (float): 1.0, the only value that MindSpore takes.

    Raises:
        TypeError: If ``alpha`` is not a float, or x is not floating.
        ValueError: If ``alpha`` is not 1.0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Elu()(ms.Tensor([-1.0, 0.0, 2.0])))
        [-0.63212055  0.          2.        ]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        if _as_float(self.name, "alpha", alpha) != 1.0:
            raise value_error(self.name, "the 'alpha' must be 1.0", alpha)
        self.add_prim_attr("alpha", alpha)

    def forward(self, xp, x):
        return select(xp, x > 0, x, xp.expm1(xp.minimum(x, 0)))

    def bprop(self, x, out, dout):
        return _select(x > 0, dout, dout * (out + 1))


class CeLU(Smooth):
    """Continuous exponential linear unit: ``out = max(x, 0) + min(alpha * (e ** (x / alpha) - 1), 0)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``alpha`` is not a float, or x is not floating.
        ValueError: If ``alpha`` is 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CeLU(2.0)(ms.Tensor([-2.0, 0.0, 2.0])))
        [-1.2642411  0.         2.       ]
    """

    def __init__(self, alpha=1.0) -> None:
        if _as_float(self.name, "alpha", alpha) == 0.0:
            raise value_error(self.name, "the 'alpha' must not be 0", alpha)
        self.add_prim_attr("alpha", alpha)

    def forward(self, xp, x):
        return select(xp, x > 0, x, self.alpha * xp.expm1(xp.minimum(x, 0) / self.alpha))

    def bprop(self, x, out, dout):
        return _select(x > 0, dout, dout * (out * (1 / self.alpha) + 1))


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


class SeLU(_OfNumbers):
    """Scaled ELU: ``out = 1.0507 * (x where x > 0, else 1.67326 * (e ** x - 1))``. Source: Klambauer et al., 2017.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.selu(ms.Tensor([-1.0, 0.0, 2.0])))
        [-1.1113307  0.         2.101402 ]
    """

    def forward(self, xp, x):
        return _SELU_SCALE * select(xp, x > 0, x, _SELU_ALPHA * xp.expm1(xp.minimum(x, 0)))

    def bprop(self, x, out, dout):
        return _select(x > 0, dout * _SELU_SCALE, dout * (out + _SELU_SCALE * _SELU_ALPHA))


class HSigmoid(_OfNumbers):
    """Hard logistic function: ``out = min(max((x + 3) / 6, 0), 1)``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hardsigmoid(ms.Tensor([-5.0, 0.0, 1.5, 5.0])))
        [0.   0.5  0.75 1.  ]
    """

    def forward(self, xp, x):
        return xp.minimum(xp.maximum(x + 3, 0), 6) / 6

    def bprop(self, x, out, dout):
        return dout * cast((x > -3).logical_and(x < 3), dout.dtype) * (1 / 6)


class HSwish(_OfNumbers):
    """Hard swish: ``out = x * min(max(x + 3, 0), 6) / 6``; 0 at minus infinity.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hardswish(ms.Tensor([-5.0, 0.0, 1.5, 5.0])))
        [0.    0.    1.125 5.   ]
    """

    def forward(self, xp, x):
        inner = x * xp.minimum(x + 3, 6) / 6
        return select(xp, x <= -3, x.dtype.type(0), select(xp, x >= 3, x, inner))

    def bprop(self, x, out, dout):
        inner = dout * (x * (1 / 3) + 0.5)
        return _select(x <= -3, dout * 0, _select(x >= 3, dout, inner))


class HShrink(Smooth):
    """Hard shrinking: ``out = 0 where -lambd <= x <= lambd, else x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``lambd`` is not a float, or x is not floating.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.HShrink()(ms.Tensor([-1.0, 0.3, 0.5, 2.0])))
        [-1.  0.  0.  2.]
    """

    def __init__(self, lambd=0.5) -> None:
        self.add_prim_attr("lambd", _as_float(self.name, "lambd", lambd))

    def forward(self, xp, x):
        return select(xp, xp.logical_and(x >= -self.lambd, x <= self.lambd), x.dtype.type(0), x)

    def bprop(self, x, out, dout):
        return dout * cast((x > self.lambd).logical_or(x < -self.lambd), dout.dtype)


class SoftShrink(Smooth):
    """Soft shrinking: ``out = x - min(max(x, -lambd), lambd)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``lambd`` is not a float, or x is not floating.
        ValueError: If ``lambd`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SoftShrink()(ms.Tensor([-1.0, 0.3, 0.5, 2.0])))
        [-0.5  0.   0.   1.5]
    """

    def __init__(self, lambd=0.5) -> None:
        if _as_float(self.name, "lambd", lambd) < 0:
            raise value_error(self.name, "the 'lambd' must be at least 0", lambd)
        self.add_prim_attr("lambd", lambd)

    def forward(self, xp, x):
        return x - xp.minimum(xp.maximum(x, -self.lambd), self.lambd)

    def bprop(self, x, out, dout):
        return dout * cast((x > self.lambd).logical_or(x < -self.lambd), dout.dtype)


class RReLU(Primitive):
    """Randomized leaky ReLU: ``out = x * slope``, slope 1 where x >= 0, else from ``U(lower, upper)``: (out, slope).

    Shapes: any, kept, twice. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If a bound is not a number, or x is not floating.
        ValueError: If ``upper`` is below ``lower``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.RReLU(0.25, 0.25)(ms.Tensor([-4.0, 0.0, 2.0])))
        [-1.  0.  2.] [0.25 1.   1.  ]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    random = True

    def __init__(self, lower=1 / 8, upper=1 / 3) -> None:
        for name, value in (("lower", lower), ("upper", upper)):
            self.add_prim_attr(name, value)
        if upper < lower:
            raise value_error(self.name, f"the 'upper' must be at least the 'lower', {lower}", upper)

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype), Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        drawn = next_stream(xp).uniform(x.shape, x.size * process.parts_before())  # as dropout in several processes
        wide = widen(xp, x)
        slope = select(xp, wide < 0, self.lower + (self.upper - self.lower) * drawn, 1.0).astype(wide.dtype)
        return narrow(xp, wide * slope, x.dtype), narrow(xp, slope, x.dtype)

    def bprop(self, x, out, dout):
        return dout[0] * out[1] if needs_grad(x) else None
