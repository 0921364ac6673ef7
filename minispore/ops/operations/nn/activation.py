"""Activation functions, and their gradients. float16 is computed in float32 and rounded once."""

from functools import partial

import numpy as np

from minispore.core.dtype import NARROW_FLOATS, float32
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.casting import cast
from minispore.ops.kernels.blocking.cache_blocks import in_blocks, in_one
from minispore.ops.kernels.float16.cast import narrow, narrow_into, widen
from minispore.ops.kernels.float16.elementwise import cut, is_positive, is_within, rectified
from minispore.ops.kernels.pool2d import keep
from minispore.ops.kernels.select import select
from minispore.ops.second_derivatives import of_gradient
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float, check_number, check_same_type

__all__ = ["GeLU", "GeLUGrad", "PReLU", "ReLU", "ReLU6", "ReluGrad", "Sigmoid", "Tanh"]


class ReLU(Primitive):
    """Rectified linear unit: ``out = max(x, 0)``; its gradient at 0 is 0.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import nn, ops
        >>> print(ops.relu(ms.Tensor([-1.0, 0.0, 2.0])))  # the same: nn.ReLU()(x), ops.ReLU()(x)
        [0. 0. 2.]
    """

    def infer(self, x):
        check_number(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return rectified(xp, x)

    def compute_into(self, xp, out, x):
        """Compute into the memory of ``out``, for float32 and float64."""
        return rectified(xp, x, out=out)

    def bprop(self, x, out, dout):
        return _relu_grad(dout, out)


class ReluGrad(Primitive):
    """The gradient of ReLU: ``dx = dy where y > 0 else 0``.

    Shapes: any, the same for both, and kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``dy`` or ``y`` is not a Tensor, or ``y`` and ``dy`` differ in dtype.
        ValueError: If ``y`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReluGrad()(ms.Tensor([5.0, 5.0]), ms.Tensor([0.0, 2.0])))
        [0. 5.]
    """

    def infer(self, dy, y):
        check_number(self, "dy", dy)
        check_same_type(self, dy=dy, y=y)
        check_shape(self, "y", y, dy.shape)
        return Spec(dy.shape, dy.dtype)

    def compute(self, xp, dy, y):
        return in_one(partial(_kept, xp), xp, dy, y)

    def compute_into(self, xp, out, dy, y):
        """Compute into the memory of ``out``, for float32 and float64."""
        return in_one(partial(_kept, xp), xp, dy, y, out=out)

    def bprop(self, dy, y, out, dout):
        return (_relu_grad(dout, y) if needs_grad(dy) else None), None


def _kept(xp, dy, y, out=None):
    return keep(xp, is_positive(xp, y), dy, out=out)


_relu_grad = ReluGrad()


class ReLU6(Primitive):
    """ReLU cut at 6: ``out = min(max(x, 0), 6)``; its gradient is 0 at 0, and 1 at 6.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.relu6(ms.Tensor([-1.0, 3.0, 9.0])))
        [0. 3. 6.]
    """

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return cut(xp, x, 6)

    def bprop(self, x, out, dout):
        return _relu6_grad(dout, x)


class _ReLU6Grad(Primitive):
    """The gradient of ReLU6: ``dx = dy where 0 < x <= 6 else 0``."""

    def infer(self, dy, x):
        return Spec(dy.shape, dy.dtype)

    def compute(self, xp, dy, x):
        return keep(xp, is_within(xp, x, 6), dy)

    def bprop(self, dy, x, out, dout):
        return (_relu6_grad(dout, x) if needs_grad(dy) else None), None


_relu6_grad = _ReLU6Grad()


class PReLU(Primitive):
    """Parametric ReLU: ``out = max(x, 0) + w * min(x, 0)``, one ``w`` for all channels (axis 1) or one for each.

    Shapes: (N, C, *), with a weight of shape (1,) or (C,). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` or ``weight`` is not a Tensor, or ``weight`` and ``x`` differ in dtype.
        ValueError: If ``weight`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.prelu(ms.Tensor([[-2.0, -2.0], [3.0, 3.0]]), ms.Tensor([0.1, 0.5])))
        [[-0.2 -1. ]
         [ 3.   3. ]]
    """

    def infer(self, x, weight):
        check_float(self, "x", x)
        check_same_type(self, x=x, weight=weight)
        channels = x.shape[1] if len(x.shape) > 1 else 1
        if weight.shape not in ((1,), (channels,)):
            raise value_error(self.name, f"the 'weight' must have the shape (1,) or ({channels},)", weight.shape)
        return Spec(x.shape, x.dtype)

    def _laid(self, rank):
        return (-1,) + (1,) * (rank - 2) if rank > 1 else (-1,)

    def compute(self, xp, x, weight):
        wide, w = widen(xp, x), widen(xp, weight).reshape(self._laid(x.ndim))
        return narrow(xp, select(xp, wide > 0, wide, wide * w), x.dtype)

    def bprop(self, x, weight, out, dout):
        negative = cast(x <= 0, dout.dtype)
        slope = weight.reshape(self._laid(x.ndim))
        channel_axis = 1 if x.ndim > 1 and weight.size > 1 else None
        axes = tuple(i for i in range(x.ndim) if i != channel_axis)
        return (
            dout * (1 - negative + negative * slope) if needs_grad(x) else None,
            (dout * x * negative).sum(axes).reshape(weight.shape) if needs_grad(weight) else None,
        )


class Smooth(Primitive):
    """Base of activations of one floating Tensor: ``forward`` computes in float32, or ``forward_into`` writes."""

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        return in_blocks(self._rounded, xp, (xp.empty(x.shape, x.dtype),), x)[0]

    def _rounded(self, xp, outs, x):
        _write_rounded(xp, self.forward_into, outs[0], x)

    def forward_into(self, xp, out, x):
        """Write the function of ``x`` into ``out``."""
        out[...] = self.forward(xp, x)


def _write_rounded(xp, rule, out, *arrays):
    """Have ``rule(xp, out, *arrays)`` write into ``out``; for narrow arrays in float32, rounded once."""
    if out.dtype not in NARROW_FLOATS:
        rule(xp, out, *arrays)
        return
    wide = xp.empty(out.shape, np.float32)
    rule(xp, wide, *(widen(xp, x) for x in arrays))
    narrow_into(xp, wide, out)


class Sigmoid(Smooth):
    """Logistic function: ``out = 1 / (1 + e ** -x)``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sigmoid(ms.Tensor([-100.0, 0.0, 2.0])))
        [0.       0.5      0.880797]
    """

    complex_numbers = "analytic"

    def forward_into(self, xp, out, x):
        xp.negative(x, out=out)
        xp.exp(out, out=out)
        out += 1
        xp.divide(1, out, out=out)  # to all digits in the tail too, which (1 + tanh(x / 2)) / 2 is not

    def bprop(self, x, out, dout):
        return dout * out * (1 - out)


class Tanh(Smooth):
    """Hyperbolic tangent: ``out = tanh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tanh(ms.Tensor([-100.0, 0.0, 0.5])))
        [-1.         0.         0.4621172]
    """

    complex_numbers = "analytic"

    def forward_into(self, xp, out, x):
        xp.tanh(x, out=out)

    def bprop(self, x, out, dout):
        return dout * ((1 - out) * (1 + out))  # 1 - out is exact where out is near 1


_GELU_SCALE, _GELU_CUBIC = 0.7978845608028654, 0.044715


class GeLU(Smooth):
    """Gaussian error linear unit, tanh form: ``out = x / 2 * (1 + tanh(0.79788 * (x + 0.044715 * x ** 3)))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GeLU()(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.158808  0.        0.841192]
    """

    def forward_into(self, xp, out, x):
        xp.multiply(x, x, out=out)
        _write_gelu_powers(xp, out, x)
        xp.divide(x, out, out=out)  # by 1 + e ** -t, since (1 + tanh(t / 2)) / 2 loses the tail

    def bprop(self, x, out, dout):
        return _gelu_grad(dout, x)


def _write_gelu_powers(xp, out, x):
    """``1 + e ** -t``, where ``t = 2 * 0.79788 * (x + 0.044715 * x ** 3)``, in the place of ``x * x``."""
    out *= -2 * _GELU_SCALE * _GELU_CUBIC
    out += -2 * _GELU_SCALE
    out *= x
    xp.exp(out, out=out)
    out += 1


class GeLUGrad(Primitive):
    """The gradient of GeLU: ``dx = dy * s * (1 + x * t' * (1 - s))`` with ``s = sigmoid(t)``, ``GeLU(x) = x * s``.

    Shapes: any, the same for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``dy`` or ``x`` is not a Tensor, or ``x`` and ``dy`` differ in dtype.
        ValueError: If ``x`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GeLUGrad()(ms.Tensor([1.0, 1.0]), ms.Tensor([0.0, 1.0])))
        [0.5       1.0829641]
    """

    def infer(self, dy, x):
        check_float(self, "dy", dy)
        check_same_type(self, dy=dy, x=x)
        check_shape(self, "x", x, dy.shape)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, dy, x):
        return in_blocks(self._rounded, xp, (xp.empty(x.shape, x.dtype),), dy, x)[0]

    def _rounded(self, xp, outs, dy, x):
        _write_rounded(xp, self.forward_into, outs[0], dy, x)

    def forward_into(self, xp, out, dy, x):
        """Write the gradient into ``out``, where first s is."""
        xp.multiply(x, x, out=out)
        factor = out * (6 * _GELU_SCALE * _GELU_CUBIC)
        factor += 2 * _GELU_SCALE
        factor *= x
        _write_gelu_powers(xp, out, x)
        xp.divide(1, out, out=out)
        factor *= 1 - out
        factor += 1
        factor *= out
        xp.multiply(factor, dy, out=out)

    def bprop(self, dy, x, out, dout):
        return of_gradient(_gelu_of_operations, (dy,), (x,), (dout,))


def _gelu_of_operations(x):
    """GeLU by other operations, in float32 at least: its second derivative is taken of them."""
    wide = cast(x, float32.np) if x.array.dtype in NARROW_FLOATS else x
    gate = _sigmoid((wide + wide * wide * wide * _GELU_CUBIC) * (2 * _GELU_SCALE))
    return cast(wide * gate, x.array.dtype)


_sigmoid, _gelu_grad = Sigmoid(), GeLUGrad()
