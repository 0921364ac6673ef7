"""The three products of a layer on quantized operands: one primitive each, each the gradient of the others.

With ``x`` (M, K), ``w`` (N, K) and ``dy`` (M, N)::

    fprop   y  = x w.T      sums over K: x and w quantized along their axis 1
    dgrad   dx = dy w       sums over N: dy along its axis 1, w along its axis 0
    wgrad   dw = dy.T x     sums over M: dy and x along their axis 0

Each operand is quantized along the axis that its product sums over: that is the one rule. So ``w`` and ``x`` are
quantized twice, both times from their wide numbers. A convolution has the same axes: the channels for ``fprop`` and
``dgrad``, within a group; the samples for ``wgrad``.

The operands' values are exact. Their products are summed in float32, multiplied by the tensors' scales, and rounded
once: ``y`` and ``dx`` to the type of the activations, ``dw`` not at all. The gradient passes quantization as if it were
not there: ``dgrad`` and ``wgrad`` are the whole backward pass.

Source: section 2 of the recipes: Transformer Engine, torchao, microxcaling (convolutions); arXiv 2509.25149.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from minispore.amp.lowbit.hadamard import transformed
from minispore.amp.lowbit.quantized import quantize
from minispore.core.dtype import bfloat16, float16, float32
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.autocast import Autocast
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.matmul import product
from minispore.ops.operations.linalg.matmul import BiasAdd
from minispore.ops.operations.nn.conv import Conv2DBackpropFilter, Conv2DBackpropInput
from minispore.ops.type_checks import check_tensor, named

__all__ = ["BiasAddRoundedOnce", "DGrad", "FProp", "Linear", "Planes", "WGrad", "type_under"]

_FLOAT32 = float32.np
_TYPES = {float16.np, bfloat16.np, _FLOAT32}


class Linear(NamedTuple):
    """The products of a linear layer, of exact operands.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.products import Linear
        >>> print(Linear().forward(np, np.float32([[1, 2]]), np.float32([[3, 4], [5, 6]])))
        [[11. 17.]]
    """

    group: int = 1

    def shape(self, x, w):
        """The shape of the output."""
        if len(x) != 2 or len(w) != 2 or x[1] != w[1]:
            raise value_error("FProp", "'x' must be (M, K) and 'w' (N, K)", f"shapes {x} and {w}")
        return x[0], w[0]

    def forward(self, xp, x, w):
        """``x w.T``."""
        return product(xp, x, w.T)

    def to_input(self, xp, dy, w, shape):
        """``dy w``."""
        return product(xp, dy, w)

    def to_weight(self, xp, dy, x, shape):
        """``dy.T x``."""
        return product(xp, dy.T, x)


class Planes(NamedTuple):
    """The products of a convolution, of exact operands, by the layer's own ``Conv2D``."""

    conv: Any

    @property
    def group(self):
        """The groups of channels, which do not mix."""
        return self.conv.group

    def shape(self, x, w):
        """The shape of the output."""
        return self.conv.output_shape(x, w)

    def forward(self, xp, x, w):
        """The convolution."""
        return self.conv.compute(xp, x, w)

    def to_input(self, xp, dy, w, shape):
        """Its gradient for x."""
        return self.conv.like(Conv2DBackpropInput).compute(xp, dy, w, shape)

    def to_weight(self, xp, dy, x, shape):
        """Its gradient for w."""
        return self.conv.like(Conv2DBackpropFilter).compute(xp, dy, x, shape)


def type_under(mark):
    """The type in which a product sees its inputs under a cell's mark: at "auto" the narrow one, as on its white list.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.products import type_under
        >>> type_under(np.dtype("float16"))
        dtype('float16')
    """
    return mark.dtype.np if type(mark) is Autocast else mark


class _Product(Primitive):
    """Base of the three.

    Args:
        recipe (Recipe): How the operands are quantized.
        form (Union[Linear, Planes]): The products of exact operands.
        wide (bool): If True, the output is float32: what follows rounds it. Default: False.
    """

    of = ()  # the operands' names in the recipe
    axes = ()  # of each, the axis that the product sums over
    grouped = ()  # of each, True if that axis holds all groups of channels

    def __init__(self, recipe, form, wide: bool = False) -> None:
        for name, value in (("recipe", recipe), ("form", form), ("wide", wide)):
            self.add_prim_attr(name, value)
        self.random = any(getattr(recipe, name).rounding == "stochastic" for name in self.of)

    def _like(self, kind):
        return self.cached_primitive(kind, self.recipe, self.form)

    def quantized(self, xp, pair, kind, ups):
        """Both operands of a call, each a ``Quantized``: of planes, a matrix of the rows along the axis of the sum."""
        ups = dict(zip(("x", "w", "dy"), ups, strict=False))
        found = []
        for name, x, axis, grouped in zip(self.of, pair, self.axes, self.grouped, strict=True):
            if x.ndim != 2:
                length = x.shape[axis] // (self.form.group if grouped else 1)
                x, axis = xp.moveaxis(x, axis, -1).reshape(-1, length), 1
            found.append(quantize(x, getattr(self.recipe, name), axis, ups.get(name), kind, xp))
        return found

    def _product(self, xp, multiply, pair, kind, ups):
        """The product of two arrays, quantized, as a float32 array."""
        found = [q.split() for q in self.quantized(xp, pair, kind, ups)]
        exact = [_as_before(xp, values, *given) for (values, _), *given in zip(found, pair, self.axes, strict=True)]
        return _scaled(xp, multiply(xp, *exact), [number for _, number in found if number is not None])


def _as_before(xp, values, x, axis):
    """The values of an operand in the shape that it had before it was quantized along an axis."""
    if x.ndim == 2:
        return values
    moved = values.reshape(*x.shape[:axis], *x.shape[axis + 1 :], x.shape[axis])
    return xp.ascontiguousarray(xp.moveaxis(moved, -1, axis))


def _scaled(xp, out, numbers):
    """A float32 sum times the operands' numbers, rounded to float32 once.

    The numbers' product may leave float32's range where the result does not. So the sum is multiplied by its mantissa,
    and then by its power of two, in two halves.
    """
    if not numbers:
        return out
    mantissa, exponent = xp.frexp(functools.reduce(xp.multiply, [n.astype(np.float64) for n in numbers]))
    half, one = exponent // 2, xp.ones_like(mantissa)
    for factor in (mantissa, xp.ldexp(one, half), xp.ldexp(one, exponent - half)):
        out = out * factor.astype(np.float32)
    return out


class FProp(_Product):
    """The forward product on quantized operands: ``y = x w.T``, or the convolution.

    Inputs are x, w, and with a delayed scale the factors of x, w and dy, float32 of shape (1,).

    Raises:
        TypeError: If x and w are not both float16, bfloat16 or float32.
        ValueError: If shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.products import FProp, Linear
        >>> y = FProp(ms.amp.MXFP8(), Linear())(ms.ops.ones((2, 3)), ms.ops.ones((4, 3)))
        >>> print(y[0])
        [3. 3. 3. 3.]
    """

    of, axes, grouped = ("x", "w"), (1, 1), (True, False)

    def _autocast(self, args, numpy_type):
        """X and w in the type of the cell's mark; scales stay float32."""
        return (*super()._autocast(args[:2], type_under(numpy_type)), *args[2:])

    def infer(self, x, w, *ups):
        for name, given in (("x", x), ("w", w)):
            check_tensor(self, name, given)
            if given.dtype not in _TYPES or given.dtype != x.dtype:
                expected = f"the '{name}' must be float16, bfloat16 or float32, and both of one type"
                raise type_error(self.name, expected, named(given.dtype))
        return Spec(self.form.shape(x.shape, w.shape), _FLOAT32 if self.wide else x.dtype)

    def compute(self, xp, x, w, *ups):
        if not x.size * w.size:
            return xp.zeros(*self.infer(Spec(x.shape, x.dtype), Spec(w.shape, w.dtype)))
        out = self._product(xp, self.form.forward, (x, w), x.dtype, ups)
        return out if self.wide else narrow(xp, out, x.dtype)

    def bprop(self, x, w, *rest):
        *ups, _, dout = rest
        kind = x.array.dtype
        return (
            self._like(DGrad)(dout, w, x.array.shape, kind, *ups) if needs_grad(x) else None,
            self._like(WGrad)(dout, x, w.array.shape, kind, *ups) if needs_grad(w) else None,
            *[None] * len(ups),
        )


class _Backward(_Product):
    """Base of the backward products: inputs are two operands, the output's shape, and the activations' type."""

    autocast = False

    def infer(self, a, b, shape, kind, *ups):
        return Spec(tuple(shape), self._dtype(kind))


class DGrad(_Backward):
    """The product for the input's gradient: ``dx = dy w``, in the type of the activations.

    Examples:
        >>> import minispore as ms, numpy as np
        >>> from minispore.amp.lowbit.products import DGrad, Linear
        >>> dgrad = DGrad(ms.amp.MXFP8(), Linear())
        >>> print(dgrad(ms.ops.ones((2, 4)), ms.ops.ones((4, 3)), (2, 3), np.dtype("float32"))[0])
        [4. 4. 4.]
    """

    of, axes, grouped = ("dy", "w"), (1, 0), (True, True)

    def _dtype(self, kind):
        return kind

    def compute(self, xp, dy, w, shape, kind, *ups):
        if not dy.size * w.size:
            return xp.zeros(shape, kind)
        multiply = lambda xp, a, b: self.form.to_input(xp, a, b, shape)  # noqa: E731 - the two operands alone
        return narrow(xp, self._product(xp, multiply, (dy, w), kind, ups), kind)

    def bprop(self, dy, w, shape, kind, *rest):
        *ups, _, dout = rest
        return (
            self._like(FProp)(dout, w, *ups) if needs_grad(dy) else None,
            self._like(WGrad)(dy, dout, w.array.shape, kind, *ups) if needs_grad(w) else None,
            *[None] * (2 + len(ups)),
        )


class WGrad(_Backward):
    """The product for the weight's gradient: ``dw = dy.T x``, in float32.

    With a recipe's ``hadamard`` both operands are transformed before they are quantized.

    Examples:
        >>> import minispore as ms, numpy as np
        >>> from minispore.amp.lowbit.products import Linear, WGrad
        >>> wgrad = WGrad(ms.amp.MXFP8(), Linear())
        >>> print(wgrad(ms.ops.ones((2, 4)), ms.ops.ones((2, 3)), (4, 3), np.dtype("float32"))[0])
        [2. 2. 2.]
    """

    of, axes, grouped = ("dy", "x"), (0, 0), (False, False)

    def _dtype(self, kind):
        return _FLOAT32

    def compute(self, xp, dy, x, shape, kind, *ups):
        if not dy.size * x.size:
            return xp.zeros(shape, _FLOAT32)
        multiply = lambda xp, a, b: self.form.to_weight(xp, a, b, shape)  # noqa: E731 - the two operands alone
        return self._product(xp, multiply, (dy, x), kind, ups)

    def quantized(self, xp, pair, kind, ups):
        """Both operands, transformed before if the recipe says so."""
        if self.recipe.hadamard:
            pair = [transformed(widen(xp, a), kind, xp) for a in pair]
        return super().quantized(xp, pair, kind, ups)

    def bprop(self, dy, x, shape, kind, *rest):
        *ups, _, dout = rest
        return (
            self._like(FProp)(x, cast(dout, kind), *ups) if needs_grad(dy) else None,
            self._like(DGrad)(dy, dout, x.array.shape, kind, *ups) if needs_grad(x) else None,
            *[None] * (2 + len(ups)),
        )


class BiasAddRoundedOnce(BiasAdd):
    """``out = x + b`` for a float32 product x: summed in float32, rounded once to the type of b.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.products import BiasAddRoundedOnce
        >>> print(BiasAddRoundedOnce()(ms.ops.ones((1, 2)), ms.Tensor([1.0, 2.0], ms.float16)).dtype)
        Float16
    """

    def _autocast(self, args, numpy_type):
        """B in the type of the cell's mark; at "auto" the product's own, float32, is the widest."""
        x, b = args
        return args if type(numpy_type) is Autocast else (x, *super()._autocast((b,), numpy_type))

    def infer(self, x, b):
        super().infer(x, b._replace(dtype=x.dtype))
        return Spec(x.shape, b.dtype)

    def compute(self, xp, x, b):
        return narrow(xp, self.compute_into(xp, None, x, widen(xp, b)), b.dtype)
