"""Softmax and its logarithm along an axis, and Softmax's gradient. float16 is computed in float32 and rounded once."""

from __future__ import annotations

from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.axes import as_axis
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.softmax import softmax, softmax_grad
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["LogSoftmax", "Softmax", "SoftmaxGrad"]


class _AlongAxis(Primitive):
    """Base of Softmax and LogSoftmax, along ``axis``."""

    def __init__(self, axis=-1) -> None:
        self.add_prim_attr("axis", axis[0] if isinstance(axis, (tuple, list)) and len(axis) == 1 else axis)

    def infer(self, x):
        check_float(self, "x", x)
        as_axis(self, self.axis, len(x.shape))
        return Spec(x.shape, x.dtype)


class Softmax(_AlongAxis):
    """Probabilities along an axis: ``out = e ** x / sum of e ** x``.

    Shapes: any of at least one axis, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Softmax()(ms.Tensor([1.0, 2.0, 3.0])))
        [0.09003057 0.24472846 0.66524094]
    """

    def compute(self, xp, x):
        return narrow(xp, softmax(xp, widen(xp, x), self.axis), x.dtype)

    def bprop(self, x, out, dout):
        if self.axis in (-1, out.ndim - 1):
            return _softmax_grad(dout, out)
        return (dout - (dout * out).sum(self.axis, keepdims=True)) * out


class SoftmaxGrad(Primitive):
    """The gradient of a softmax along the last axis: ``dx = y * (dy - sum(dy * y) / sum(y))``.

    The second sum is 1, except for the rounding of y. In float16 that rounding would spoil dx if dy has a large mean.

    Shapes: any, the same for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``dy`` or ``y`` is not a Tensor, or ``dy`` and ``y`` differ in dtype.
        ValueError: If ``dy`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SoftmaxGrad()(ms.Tensor([1.0, 0.0]), ms.Tensor([0.25, 0.75])))
        [ 0.1875 -0.1875]
    """

    def infer(self, dy, y):
        check_float(self, "y", y)
        check_same_type(self, y=y, dy=dy)
        check_shape(self, "dy", dy, y.shape)
        return y

    def compute(self, xp, dy, y):
        return narrow(xp, softmax_grad(xp, widen(xp, dy), widen(xp, y)), y.dtype)

    def bprop(self, dy, y, out, dout):
        return (
            _softmax_grad(dout, y) if needs_grad(dy) else None,
            _centred(dout, y) * _centred(dy, y) if needs_grad(y) else None,
        )


def _centred(x, weights):
    """``x`` minus its weighted mean along the last axis."""
    return x - (x * weights).sum(-1, keepdims=True) / weights.sum(-1, keepdims=True)


_softmax_grad = SoftmaxGrad()


class LogSoftmax(_AlongAxis):
    """Logarithms of probabilities along an axis: ``out = x - log(sum of e ** x)``.

    Shapes: any of at least one axis, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogSoftmax()(ms.Tensor([1.0, 2.0, 3.0])))
        [-2.4076061 -1.407606  -0.407606 ]
    """

    def compute(self, xp, x):
        wide = widen(xp, x)
        shifted = wide - wide.max(axis=self.axis, keepdims=True) if x.size else wide
        total = xp.exp(shifted).sum(axis=self.axis, keepdims=True)
        return narrow(xp, shifted - xp.log(total), x.dtype)

    def bprop(self, x, out, dout):
        return dout - out.exp() * dout.sum(self.axis, keepdims=True)
