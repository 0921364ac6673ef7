"""Running sums, products and extremes along an axis. float16 is accumulated in float32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from minispore.core.dtype import FLOATS
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis, as_int
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.scan import scanned
from minispore.ops.kernels.select import select
from minispore.ops.operations.array.sorting import put_along
from minispore.ops.operations.math.exponential import Exp, Log
from minispore.ops.operations.math.select import Select
from minispore.ops.type_checks import check_float, check_number

__all__ = ["CumProd", "CumSum", "Cummax", "Cummin", "CumulativeLogsumexp"]

_select, _exp, _log = Select(), Exp(), Log()


class _Running(Primitive):
    """Base of running sums and products.

    Args:
        exclusive (bool): If True, an element is left out of its own. Default: False.
        reverse (bool): If True, it runs from the end. Default: False.
    """

    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None:
        for name, value in (("exclusive", exclusive), ("reverse", reverse)):
            self.add_prim_attr(name, value)

    def adapt(self, x, axis):
        """Read the axis as an int."""
        return x, as_int(self, "axis", axis)

    def infer(self, x, axis):
        check_number(self, "x", x)
        as_axis(self, axis, len(x.shape))
        return x

    def empty_of(self, dtype):
        """The result of no element."""
        return self.empty

    def compute(self, xp, x, axis):
        way = (slice(None),) * (axis % x.ndim) + (slice(None, None, -1 if self.reverse else 1),)
        wide = widen(xp, x)[way]
        out = self.forward(xp, wide, axis)
        if self.exclusive and x.shape[axis]:
            before = (slice(None),) * (axis % x.ndim)
            first = xp.full_like(out[(*before, slice(0, 1))], self.empty_of(x.dtype))
            out = xp.concatenate((first, out[(*before, slice(None, -1))]), axis=axis)
        return narrow(xp, out[way], x.dtype)


class CumSum(_Running):
    """Running sum along an axis: ``out[i] = x[0] + ... + x[i]``.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``exclusive`` or ``reverse`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CumSum()(ms.Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
        >>> print(ops.CumSum(exclusive=True, reverse=True)(ms.Tensor([1.0, 2.0, 3.0]), 0))
        [5. 3. 0.]
    """

    complex_numbers = "analytic"
    empty = 0

    def forward(self, xp, x, axis):
        return xp.cumsum(x, axis=axis, dtype=x.dtype)

    def bprop(self, x, axis, out, dout):
        return self.cached_primitive(CumSum, self.exclusive, not self.reverse)(dout, axis), None


class CumProd(_Running):
    """Running product along an axis: ``out[i] = x[0] * ... * x[i]``.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``exclusive`` or ``reverse`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CumProd()(ms.Tensor([1.0, 2.0, 3.0, 4.0]), 0))
        [ 1.  2.  6. 24.]
    """

    complex_numbers = "analytic"
    empty = 1

    def forward(self, xp, x, axis):
        return xp.cumprod(x, axis=axis, dtype=x.dtype)

    def bprop(self, x, axis, out, dout):
        """``sum of dout[i] * out[i] / x[j]`` over the i with x[j] in them, and its limit if an x[j] is 0.

        From the first zero on all products are 0: only their derivative for that zero is not.
        """
        back = self.cached_primitive(CumSum, self.exclusive, not self.reverse)
        zero = x == 0
        met = self.cached_primitive(CumSum, False, self.reverse)(cast(zero, np.dtype(np.int32)), axis)
        first = (met == 1).logical_and(zero)
        of_first = back(dout * self(_select(first, 1, x), axis), axis)
        of_others = _select(met == 0, back(dout * out, axis) / _select(zero, 1, x), 0)
        return _select(first, of_first, of_others), None


_FILLED = {"float64": -1e300, "float16": -6e4}  # the logarithm of what counts as nothing; others: -1e38


class CumulativeLogsumexp(_Running):
    """Running logarithm of a sum of powers along an axis: ``out[i] = ln(e ** x[0] + ... + e ** x[i])``, floating.

    With ``exclusive`` the first is the dtype's lowest number, the logarithm of nothing.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``exclusive`` or ``reverse`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.CumulativeLogsumexp()(ms.Tensor([1000.0, 1000.0]), 0))
        [1000.     1000.6932]
    """

    def infer(self, x, axis):
        check_float(self, "x", x)
        return super().infer(x, axis)

    def empty_of(self, dtype):
        """The result of no element: the lowest number."""
        return float(ml_dtypes.finfo(dtype).min)

    def forward(self, xp, x, axis):
        return xp.moveaxis(scanned(xp, xp.moveaxis(x, axis, 0), xp.logaddexp), 0, axis)

    def bprop(self, x, axis, out, dout):
        """``exp(x[j]) * sum of dout[i] / exp(out[i])`` over the i that have j, apart for dout above and below 0."""
        back = self.cached_primitive(CumulativeLogsumexp, self.exclusive, not self.reverse)
        nothing = _FILLED.get(x.array.dtype.name, -1e38)

        def share(d):
            above = d > 0
            return _exp(x + back(_select(above, _log(_select(above, d, 1)) - out, nothing), axis))

        return share(dout) - share(-dout), None


class _RunningChoice(Primitive):
    """Base of running extremes: ``(values, positions)``, of several equal elements the position of the last."""

    positions = np.dtype(np.int64)

    def __init__(self, axis) -> None:
        self.add_prim_attr("axis", axis)

    def infer(self, x):
        check_number(self, "input", x)
        as_axis(self, self.axis, len(x.shape))
        return x, Spec(x.shape, self.positions)

    def compute(self, xp, x):
        rows = xp.moveaxis(x, self.axis, 0)
        values = scanned(xp, rows, self.choice(xp))
        numbers = xp.arange(len(rows)).reshape((-1,) + (1,) * (x.ndim - 1))
        chosen = (rows == values) | (rows != rows) if x.dtype in FLOATS else rows == values
        at = scanned(xp, select(xp, chosen, numbers, 0), xp.maximum)
        return xp.moveaxis(values, 0, self.axis), xp.moveaxis(at, 0, self.axis).astype(self.positions)

    def bprop(self, x, out, dout):
        return put_along(self, x, self.axis, out[1], dout[0])


class Cummax(_RunningChoice):
    """Running maximum along an axis, and its positions as int64.

    Shapes: any, kept, twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Cummax(0)(ms.Tensor([1.0, 4.0, 2.0, 5.0])))
        [1. 4. 4. 5.] [0 1 1 3]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def choice(self, xp):
        """The larger of two."""
        return xp.maximum


class Cummin(_RunningChoice):
    """Running minimum along an axis, and its positions as int32.

    Shapes: any, kept, twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Cummin(0)(ms.Tensor([5.0, 2.0, 4.0, 1.0])))
        [5. 2. 2. 1.] [0 1 1 3]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    positions = np.dtype(np.int32)

    def choice(self, xp):
        """The smaller of two."""
        return xp.minimum
