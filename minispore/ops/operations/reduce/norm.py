"""Lengths of vectors and matrices: norms, the distances they give, normalization by them, and standard deviations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axes, as_axis, as_int
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.math.division import DivNoNan
from minispore.ops.operations.reduce.reduction import kept_shape
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["Cdist", "L2Loss", "L2Normalize", "LpNorm", "ReduceStd", "Renorm", "SquareSumAll"]

_div_no_nan = DivNoNan()


def _length(xp, x, p, axes):
    """The p-norm of an array over axes, which are kept; for ``p = 0`` the number of nonzero elements."""
    size = xp.abs(x)
    if p == 0:
        return (x != 0).astype(x.dtype).sum(axis=axes, keepdims=True)
    if p == math.inf:
        return size.max(axis=axes, keepdims=True)
    if p == 1:
        return size.sum(axis=axes, keepdims=True)
    if p == 2:
        return xp.sqrt((x * x).sum(axis=axes, keepdims=True))
    return xp.power(xp.power(size, p).sum(axis=axes, keepdims=True), 1 / p)


def _slope(x, length, p):
    """The derivative of ``length``, the p-norm of x, for x; 0 where the length is 0."""
    if p == 0:
        return x.sign() * 0
    if p == 1:
        return x.sign()
    if p == 2:
        return _div_no_nan(x, length)
    if p == math.inf:
        return x.sign() * cast(x.abs() == length, x.array.dtype)
    return x.sign() * _div_no_nan(x.abs(), length) ** (p - 1)


class LpNorm(Primitive):
    """Norm over axes: ``out = max((sum of |x| ** p) ** (1 / p), epsilon)``; for ``p = 0`` the count of non-zeros.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Args:
        axis (Union[int, list, tuple]): The axes.
        p (int): The order, at least 0. Default: 2.
        keep_dims (bool): If True, the axes are kept, with the length 1. Default: False.
        epsilon (float): The least length. Default: 1e-12.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``p`` or ``epsilon`` is not a number. Also
            if ``p`` is not an int, or ``keep_dims`` is not a bool.
        ValueError: If ``p`` is below 0, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LpNorm(axis=1, p=2)(ms.Tensor([[3.0, 4.0], [0.0, 0.0]])))
        [5.e+00 1.e-12]
    """

    def __init__(
        self, axis: int | list[Any] | tuple[Any, ...], p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
    ) -> None:
        if as_int(self, "p", p) < 0:
            raise value_error("LpNorm", "the 'p' must be at least 0", p)
        self.add_prim_attr("axis", tuple(axis) if isinstance(axis, list) else axis)
        self.add_prim_attr("p", p)
        self.add_prim_attr("keep_dims", keep_dims)
        self.add_prim_attr("epsilon", epsilon)

    def infer(self, x):
        check_float(self, "x", x)
        axes = as_axes(self, self.axis, len(x.shape))
        kept = kept_shape(x.shape, axes)
        return Spec(kept if self.keep_dims else tuple(n for i, n in enumerate(kept) if i not in axes), x.dtype)

    def compute(self, xp, x):
        axes = as_axes(self, self.axis, x.ndim)
        out = xp.maximum(_length(xp, widen(xp, x), self.p, axes), np.float32(self.epsilon))
        return narrow(xp, out if self.keep_dims else out.squeeze(axes), x.dtype)

    def bprop(self, x, out, dout):
        kept = kept_shape(x.array.shape, as_axes(self, self.axis, x.ndim))
        return dout.reshape(kept) * _slope(x, out.reshape(kept), self.p)


class Cdist(Primitive):
    """Distances of every pair of rows: ``out[.., i, j] = (sum over k of |x[.., i, k] - y[.., j, k]| ** p) ** (1 / p)``.

    Shapes: (..., P, M) and (..., R, M) give (..., P, R). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        p (float): The order of the norm, at least 0, or inf. Default: 2.0.

    Raises:
        TypeError: If ``p`` is not a number, ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If ``p`` is below 0, or ``x`` and ``y`` have fewer than two axes or other leading lengths. Also if
            the rows of ``x`` and ``y`` do not have the same length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Cdist(1.0)(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0], [0.0, 1.0]])))
        [[7. 1.]]
    """

    def __init__(self, p: float = 2.0) -> None:
        if not p >= 0:
            raise value_error("Cdist", "the 'p' must be at least 0", p)
        self.add_prim_attr("p", p)

    def infer(self, x, y):
        check_float(self, "input_x", x)
        check_same_type(self, input_x=x, input_y=y)
        if len(x.shape) < 2 or len(y.shape) != len(x.shape) or x.shape[:-2] != y.shape[:-2]:
            expected = "the 'input_x' and 'input_y' must have two axes or more and the same leading lengths"
            raise value_error(self.name, expected, f"shapes {x.shape} and {y.shape}")
        if x.shape[-1] != y.shape[-1]:
            expected = "the rows of 'input_x' and 'input_y' must have the same length"
            raise value_error(self.name, expected, f"{x.shape[-1]} and {y.shape[-1]}")
        return Spec((*x.shape[:-1], y.shape[-2]), x.dtype)

    def compute(self, xp, x, y):
        difference = xp.expand_dims(widen(xp, x), -2) - xp.expand_dims(widen(xp, y), -3)
        return narrow(xp, _length(xp, difference, self.p, (-1,)).squeeze(-1), x.dtype)

    def bprop(self, x, y, out, dout):
        difference = x.expand_dims(-2) - y.expand_dims(-3)
        share = dout.expand_dims(-1) * _slope(difference, out.expand_dims(-1), self.p)
        return (
            share.sum(-2) if needs_grad(x) else None,
            -share.sum(-3) if needs_grad(y) else None,
        )


class L2Normalize(Primitive):
    """Division by the length along an axis: ``out = x / sqrt(max(sum of x ** 2, epsilon))``.

    Shapes: any but (), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        axis (Union[int, list, tuple]): The axis. Default: 0.
        epsilon (float): The least square of a length. Default: 1e-4.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``epsilon`` is not a number. Also if ``x``
            is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.L2Normalize()(ms.Tensor([3.0, 4.0])))
        [0.6 0.8]
    """

    def __init__(self, axis: int | list[Any] | tuple[Any, ...] = 0, epsilon: float = 1e-4) -> None:
        axis = list(axis) if isinstance(axis, (list, tuple)) else [axis]
        if len(axis) != 1:
            raise type_error("L2Normalize", "the 'axis' must be one axis", axis)
        self.add_prim_attr("axis", as_int(self, "axis", axis[0]))
        self.add_prim_attr("epsilon", epsilon)

    def infer(self, x):
        check_float(self, "x", x)
        as_axes(self, self.axis, len(x.shape))
        return x

    def compute(self, xp, x):
        wide = widen(xp, x)
        square = (wide * wide).sum(axis=self.axis, keepdims=True)
        return narrow(xp, wide / xp.sqrt(xp.maximum(square, wide.dtype.type(self.epsilon))), x.dtype)

    def bprop(self, x, out, dout):
        square = (x * x).sum(self.axis, keepdims=True)
        inverse = square.maximum(self.epsilon).rsqrt()
        moved = cast(square > self.epsilon, x.array.dtype) * (dout * out).sum(self.axis, keepdims=True)
        return inverse * (dout - moved * x * inverse)


class Renorm(Primitive):
    """Slices scaled down to a greatest norm: ``out[i] = x[i] * min(1, maxnorm / norm of x[i])`` for each i along dim.

    Shapes: any but (), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        p (int): The order of the norm, at least 1.
        dim (int): The axis that the slices are counted along.
        maxnorm (float): The greatest norm, at least 0.

    Raises:
        TypeError: If ``p`` is not a number, ``p`` or ``dim`` is not an int, or ``maxnorm`` is not a float. Also if
            ``x`` is not a Tensor.
        ValueError: If ``p`` is not above 0, ``maxnorm`` is not finite and at least 0, or ``axis`` is no axis of the
            input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Renorm(2, 0, 1.0)(ms.Tensor([[3.0, 4.0], [0.3, 0.4]])))
        [[0.6 0.8]
         [0.3 0.4]]
    """

    def __init__(self, p: int, dim: int, maxnorm: float) -> None:
        self.add_prim_attr("p", check_int("Renorm", "p", p, 1))
        self.add_prim_attr("dim", as_int(self, "dim", dim))
        self.add_prim_attr("maxnorm", check_python_float("Renorm", "maxnorm", maxnorm, 0))

    def _other_axes(self, rank):
        dim = as_axis(self, self.dim, rank)
        return tuple(axis for axis in range(rank) if axis != dim)

    def infer(self, x):
        check_float(self, "input_x", x)
        self._other_axes(len(x.shape))
        return x

    def compute(self, xp, x):
        wide = widen(xp, x)
        length = _length(xp, wide, self.p, self._other_axes(x.ndim))
        over = length > self.maxnorm
        factor = wide.dtype.type(self.maxnorm) / select(xp, over, length, wide.dtype.type(1))
        return narrow(xp, select(xp, over, wide * factor, wide), x.dtype)

    def bprop(self, x, out, dout):
        # one axis more, of length 1, so that a norm is taken over at least one
        axes = (*self._other_axes(x.ndim), x.ndim)
        x, dout = x.expand_dims(-1), dout.expand_dims(-1)
        length = LpNorm(axes, self.p, True, 0.0)(x)
        over = cast(length > self.maxnorm, x.array.dtype)
        factor = _div_no_nan(over * self.maxnorm, length)
        along = _div_no_nan((dout * x).sum(axes, keepdims=True), length) * _slope(x, length, self.p)
        return (dout * (1 - over) + factor * (dout - along)).squeeze(-1)


class ReduceStd(Primitive):
    """Standard deviation and mean over axes: ``(sqrt(sum of (x - mean) ** 2 / (n - unbiased)), mean)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Args:
        axis (Union[int, list, tuple]): The axes. Default: (), all of them.
        unbiased (bool): If True, the sum of squares is divided by one less than the count. Default: True.
        keep_dims (bool): If True, the axes are kept, with the length 1. Default: False.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.ReduceStd()(ms.Tensor([1.0, 2.0, 3.0])))
        1.0 2.0
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(
        self, axis: int | list[Any] | tuple[Any, ...] = (), unbiased: bool = True, keep_dims: bool = False
    ) -> None:
        for name, value in (("unbiased", unbiased), ("keep_dims", keep_dims)):
            self.add_prim_attr(name, value)
        self.add_prim_attr("axis", tuple(axis) if isinstance(axis, list) else axis)

    def infer(self, x):
        check_float(self, "input_x", x)
        axes = as_axes(self, self.axis, len(x.shape))
        kept = kept_shape(x.shape, axes)
        spec = Spec(kept if self.keep_dims else tuple(n for i, n in enumerate(kept) if i not in axes), x.dtype)
        return spec, spec

    def compute(self, xp, x):
        axes, wide = as_axes(self, self.axis, x.ndim), widen(xp, x)
        count = math.prod(x.shape[a] for a in axes)
        mean = wide.sum(axis=axes, keepdims=True) / wide.dtype.type(count)
        square = ((wide - mean) * (wide - mean)).sum(axis=axes, keepdims=True)
        found = xp.sqrt(square / wide.dtype.type(count - self.unbiased)), mean
        return tuple(narrow(xp, y if self.keep_dims else y.squeeze(axes), x.dtype) for y in found)

    def bprop(self, x, out, dout):
        axes = as_axes(self, self.axis, x.ndim)
        count, kept = math.prod(x.array.shape[a] for a in axes), kept_shape(x.array.shape, axes)
        deviation, mean, d_deviation, d_mean = (y.reshape(kept) for y in (*out, *dout))
        factor = d_deviation / (deviation * max(count - self.unbiased, 0))
        return factor * (x - mean) + d_mean * (1 / max(count, 1))


class L2Loss(Primitive):
    """Half the sum of squares: ``out = sum of x ** 2 / 2``.

    Shapes: any; the answer is (). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.L2Loss()(ms.Tensor([3.0, 4.0])))
        12.5
    """

    def infer(self, x):
        check_float(self, "input_x", x)
        return Spec((), x.dtype)

    def compute(self, xp, x):
        wide = widen(xp, x)
        return narrow(xp, xp.asarray((wide * wide).sum() / 2), x.dtype)

    def bprop(self, x, out, dout):
        return x * dout


class SquareSumAll(Primitive):
    """The sums of squares of two Tensors of one shape: ``(sum of x ** 2, sum of y ** 2)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If ``y`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.SquareSumAll()(ms.Tensor([3.0, 4.0]), ms.Tensor([1.0, 1.0])))
        25.0 2.0
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, x, y):
        check_float(self, "x", x)
        check_same_type(self, x=x, y=y)
        check_shape(self, "y", y, x.shape)
        return Spec((), x.dtype), Spec((), y.dtype)

    def compute(self, xp, *xs):
        return tuple(narrow(xp, xp.asarray((w * w).sum()), w0.dtype) for w, w0 in [(widen(xp, x), x) for x in xs])

    def bprop(self, x, y, out, dout):
        return (
            x * dout[0] * 2 if needs_grad(x) else None,
            y * dout[1] * 2 if needs_grad(y) else None,
        )
