"""Extreme and middle elements over axes, and where they stand."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minispore.core.dtype import as_dtype, int32
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axes, as_axis, as_int
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.operations.reduce.reduction import Reduction, kept_shape
from minispore.ops.type_checks import check_number

__all__ = ["ArgMaxWithValue", "ArgMinWithValue", "Argmax", "Argmin", "Median", "ReduceMax", "ReduceMin"]


class _Extreme(Reduction):
    """Base of ReduceMax and ReduceMin: the gradient is shared evenly among equal extremes."""

    empty = False

    def bprop(self, x, axis, out, dout):
        chosen = cast(x == self.kept(x, axis, out), x.dtype)
        share = chosen / chosen.sum(as_axes(self, axis, x.ndim, repeated=True), keepdims=True)
        return self.kept(x, axis, dout) * share, None


class ReduceMax(_Extreme):
    """Largest element over axes; nan where there is one.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceMax(keep_dims=True)(ms.Tensor([[1.0, 5.0], [np.nan, 4.0]]), 1))
        [[ 5.]
         [nan]]
    """

    def forward(self, xp, x, axes):
        return x.max(axis=axes, keepdims=self.keep_dims)


class ReduceMin(_Extreme):
    """Smallest element over axes; nan where there is one.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceMin()(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """

    def forward(self, xp, x, axes):
        return x.min(axis=axes, keepdims=self.keep_dims)


class Argmax(Primitive):
    """Position of the first largest element along ``axis``, as int32 or int64.

    Shapes: without the axis. Dtypes: floats and ints; the answer is int32; TypeError for bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, ``output_type`` is not a dtype, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Argmax()(ms.Tensor([[1.0, 5.0, 5.0], [3.0, 2.0, 0.0]])))
        [1 0]
    """

    differentiable = False
    function = "argmax"

    def __init__(self, axis=-1, output_type=int32) -> None:
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("output_type", as_dtype(output_type, self.name, "output_type").np)
        if self.output_type not in (np.int32, np.int64):
            raise type_error(self.name, "the 'output_type' must be int32 or int64", output_type)

    def infer(self, x):
        check_number(self, "x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        if not x.shape[axis]:
            raise value_error(self.name, f"the 'x' must have elements along axis {axis}", f"shape {x.shape}")
        return Spec(x.shape[:axis] + x.shape[axis + 1 :], self.output_type)

    def compute(self, xp, x):
        return xp.asarray(getattr(xp, self.function)(widen(xp, x), axis=self.axis)).astype(self.output_type)


class Argmin(Argmax):
    """Position of the first smallest element along ``axis``, as int32 or int64.

    Shapes: without the axis. Dtypes: floats and ints; the answer is int32; TypeError for bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, ``output_type`` is not a dtype, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Argmin()(ms.Tensor([[1.0, 5.0, 1.0], [3.0, 2.0, 0.0]])))
        [0 2]
    """

    function = "argmin"


class ArgMaxWithValue(Primitive):
    """Position and value of the first largest element along ``axis``: ``(index, value)``.

    Shapes: without the axis, or with ``keep_dims`` of length 1 there, twice.

    The value keeps its dtype, floats or ints; the index is int32.

    Raises:
        TypeError: If ``axis`` is not an int, ``keep_dims`` is not a bool, ``x`` is not a Tensor, or an input is bool or
            complex.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.ArgMaxWithValue(axis=1)(ms.Tensor([[1.0, 5.0], [3.0, 2.0]])))
        [1 0] [5. 3.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    function = "argmax"

    def __init__(self, axis=0, keep_dims: bool = False) -> None:
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("keep_dims", keep_dims)

    def infer(self, x):
        check_number(self, "x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        if x.shape and not x.shape[axis]:
            raise value_error(self.name, f"the 'x' must have elements along axis {axis}", f"shape {x.shape}")
        shape = kept_shape(x.shape, (axis,)) if self.keep_dims else x.shape[:axis] + x.shape[axis + 1 :]
        return Spec(shape, np.dtype(np.int32)), Spec(shape, x.dtype)

    def compute(self, xp, x):
        index = xp.expand_dims(getattr(xp, self.function)(widen(xp, x), axis=self.axis), self.axis)
        value = xp.take_along_axis(x, index, self.axis)
        if not self.keep_dims:
            index, value = index.squeeze(self.axis), value.squeeze(self.axis)
        return index.astype(np.int32), value

    def bprop(self, x, out, dout):
        index, d = out[0], dout[1]
        if not self.keep_dims:
            index, d = index.expand_dims(self.axis), d.expand_dims(self.axis)
        return at_position(x, index, self.axis) * d if needs_grad(x) else None


class ArgMinWithValue(ArgMaxWithValue):
    """Position and value of the first smallest element along ``axis``: ``(index, value)``.

    Shapes: without the axis, or with ``keep_dims`` of length 1 there, twice.

    The value keeps its dtype, floats or ints; the index is int32.

    Raises:
        TypeError: If ``axis`` is not an int, ``keep_dims`` is not a bool, ``x`` is not a Tensor, or an input is bool or
            complex.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.ArgMinWithValue(axis=1)(ms.Tensor([[1.0, 5.0], [3.0, 2.0]])))
        [0 1] [1. 2.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    function = "argmin"


def at_position(x, index, axis):
    """A Tensor like x of ones where the position along ``axis`` is ``index``, of zeros elsewhere."""
    shape = [1] * x.ndim
    shape[axis] = x.array.shape[axis]
    positions = Tensor(np.arange(shape[axis], dtype=index.array.dtype)).reshape(tuple(shape))
    return cast(index == positions, x.array.dtype)


def _at(x, axis, i):
    """Element i along an axis, which is kept."""
    return x[(slice(None),) * (axis % x.ndim) + (slice(i, i + 1),)]


class Median(Primitive):
    """Middle element, the lower of two, along an axis or of all, and its first position: ``(values, indices)``.

    Where there is a nan it is the median. The gradient goes to the element at that position; of the median of all
    it is shared evenly among the elements equal to it.

    Shapes: without the axis, or with ``keep_dims`` of length 1 there; () for all. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Args:
        global_median (bool): If True, it is the median of all elements. Default: False.
        axis (int): The axis, where it is not. Default: 0.
        keep_dims (bool): If True, the axis is kept, with the length 1. Default: False.

    Raises:
        TypeError: If ``global_median`` or ``keep_dims`` is not a bool, ``axis`` is not an int, or ``x`` is not a
            Tensor.
        ValueError: If ``x`` has no elements along the axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Median()(ms.Tensor([4.0, 1.0, 3.0, 2.0])))
        2.0 3
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, global_median: bool = False, axis: int = 0, keep_dims: bool = False) -> None:
        for name, value in (("global_median", global_median), ("keep_dims", keep_dims)):
            self.add_prim_attr(name, value)
        self.add_prim_attr("axis", as_int(self, "axis", axis))

    def infer(self, x):
        check_number(self, "x", x)
        axes = tuple(range(len(x.shape))) if self.global_median else (as_axis(self, self.axis, max(len(x.shape), 1)),)
        if math.prod(x.shape[a] for a in axes if x.shape) == 0:
            raise value_error(self.name, "the 'x' must have elements along the axis", f"shape {x.shape}")
        kept = kept_shape(x.shape, axes)
        keep = self.keep_dims and not self.global_median
        shape = kept if keep else tuple(n for i, n in enumerate(kept) if i not in axes)
        return Spec(shape, x.dtype), Spec(shape, np.dtype(np.int64))

    def compute(self, xp, x):
        alone = self.global_median or x.ndim == 0
        axis, wide = 0 if alone else self.axis, widen(xp, x.reshape(-1) if alone else x)
        ordered = xp.sort(wide, axis=axis)  # nan comes last
        last, middle = (_at(ordered, axis, i) for i in (wide.shape[axis] - 1, (wide.shape[axis] - 1) // 2))
        value = select(xp, xp.isnan(last), last, middle)
        same = xp.logical_or(wide == value, xp.logical_and(xp.isnan(wide), xp.isnan(value)))
        index = xp.expand_dims(xp.argmax(same, axis=axis), axis)
        shape = value.shape if self.keep_dims and not alone else ()
        if not alone and not self.keep_dims:
            shape = value.squeeze(axis).shape
        return narrow(xp, value, x.dtype).reshape(shape), index.reshape(shape).astype(np.int64)

    def bprop(self, x, out, dout):
        value, index, d = out[0], out[1], dout[0]
        if self.global_median or x.ndim == 0:
            chosen = cast(x == value, x.array.dtype)
            return chosen / chosen.sum() * d
        if not self.keep_dims:
            index, d = index.expand_dims(self.axis), d.expand_dims(self.axis)
        return at_position(x, index, self.axis) * d
