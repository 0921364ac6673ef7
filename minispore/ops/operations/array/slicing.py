"""Cutting and turning along axes: slices, reversal, rolling, taking apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis, as_int
from minispore.ops.kernels.select import select
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.array.scatter import check_indices
from minispore.ops.type_checks import check_number, check_tensor

__all__ = ["ReverseSequence", "ReverseV2", "Roll", "Slice", "StridedSlice", "Unstack"]


def _ints(op, argument, values, kinds):
    if not isinstance(values, kinds):
        expected = f"the '{argument}' must be a {' or a '.join(kind.__name__ for kind in kinds)} of ints"
        raise type_error(op.name, expected, shown(values))
    return tuple(as_int(op, argument, n) for n in values)


def _bounds(op, argument, values, kinds):
    """Bounds as a tuple of ints, from one of ``kinds`` or a Tensor of ints of one axis."""
    if isinstance(values, Tensor) and values.ndim == 1 and values.array.dtype.kind in "iu":
        return tuple(values.tolist())
    return _ints(op, argument, values, kinds)


class StridedSlice(Primitive):
    """A slice of a Tensor with steps.

    ``x[begin[0]:end[0]:strides[0], begin[1]:end[1]:strides[1], ...]``.

    Bit i of a mask belongs to position i. In ``begin_mask`` and ``end_mask`` it opens the slice there. In
    ``ellipsis_mask`` it means ``...``, in ``new_axis_mask`` a new axis, in ``shrink_axis_mask`` the one index
    ``begin[i]``.

    Shapes: each sliced axis has the number of its chosen elements. Dtypes: any, kept.

    Raises:
        TypeError: If an argument is not an int, or ``x`` is not a Tensor. Also if ``begin``, ``end`` or ``strides`` is
            not a tuple of ints.
        ValueError: If an argument is below 0, or ``ellipsis_mask`` does not have at most one bit. Also if ``begin``,
            ``end`` and ``strides`` are not of one length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.StridedSlice()(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
        [[1 3]
         [4 6]]
    """

    complex_numbers = "as written"

    def __init__(self, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0) -> None:
        masks = {
            "begin_mask": begin_mask,
            "end_mask": end_mask,
            "ellipsis_mask": ellipsis_mask,
            "new_axis_mask": new_axis_mask,
            "shrink_axis_mask": shrink_axis_mask,
        }
        for name, mask in masks.items():
            if as_int(self, name, mask) < 0:
                raise value_error(self.name, f"the '{name}' must be at least 0", mask)
            self.add_prim_attr(name, mask)
        if ellipsis_mask & (ellipsis_mask - 1):
            raise value_error(self.name, "the 'ellipsis_mask' must have at most one bit", bin(ellipsis_mask))

    def adapt(self, x, begin, end, strides):
        """Read the bounds, tuples of ints or Tensors of them, which wait for the device."""
        given = {"begin": begin, "end": end, "strides": strides}
        return x, *(_bounds(self, name, values, (tuple,)) for name, values in given.items())

    def infer(self, x, begin, end, strides):
        check_tensor(self, "input_x", x)
        if not len(begin) == len(end) == len(strides):
            expected = "the 'begin', 'end' and 'strides' must be of one length"
            raise value_error(self.name, expected, f"{begin}, {end} and {strides}")
        if 0 in strides:
            raise value_error(self.name, "the 'strides' must not be 0", strides)
        key = self.key(begin, end, strides)
        if sum(part is not None and part is not Ellipsis for part in key) > len(x.shape):
            raise value_error(self.name, f"the 'begin' must name at most {len(x.shape)} axes", begin)
        return Spec(_shape_at(x.shape, key), x.dtype)

    def key(self, begin, end, strides):
        """The key that x is indexed with."""
        return tuple(self._part(i, *bounds) for i, bounds in enumerate(zip(begin, end, strides, strict=True)))

    def _part(self, i, begin, end, stride):
        bit = 1 << i
        if self.ellipsis_mask & bit:
            return Ellipsis
        if self.new_axis_mask & bit:
            return None
        if self.shrink_axis_mask & bit:
            return begin
        return slice(None if self.begin_mask & bit else begin, None if self.end_mask & bit else end, stride)

    def compute(self, xp, x, begin, end, strides):
        return x[self.key(begin, end, strides)]

    def bprop(self, x, begin, end, strides, out, dout):
        return dout.scatter_to(x.shape, self.key(begin, end, strides)), None, None, None


def _shape_at(shape, key):
    """The shape that a key without arrays cuts out."""
    return np.broadcast_to(np.empty(()), shape)[key].shape


class Slice(Primitive):
    """A block of a Tensor, from the places where it begins and its lengths.

    ``x[begin[0] : begin[0] + size[0], ...]``; a size of -1 is all that remains.

    Shapes: ``size``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``begin`` or ``size`` is not a tuple or a list of ints.
        ValueError: If ``begin`` and ``size`` do not lie within the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Slice()(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, -1)))
        [[2 3]
         [5 6]]
    """

    complex_numbers = "as written"

    def adapt(self, x, begin, size):
        """Read the bounds, tuples or lists of ints or Tensors of them, which wait for the device."""
        return x, _bounds(self, "begin", begin, (tuple, list)), _bounds(self, "size", size, (tuple, list))

    def infer(self, x, begin, size):
        check_tensor(self, "input_x", x)
        rank = len(x.shape)
        if not rank == len(begin) == len(size):
            expected = f"the 'begin' and 'size' must have one number for each of the {rank} axes"
            raise value_error(self.name, expected, f"{begin} and {size}")
        lengths = tuple(n - b if s == -1 else s for n, b, s in zip(x.shape, begin, size, strict=True))
        if any(b < 0 or s < 0 or b + s > n for n, b, s in zip(x.shape, begin, lengths, strict=True)):
            expected = f"the 'begin' and 'size' must lie within the shape {x.shape}"
            raise value_error(self.name, expected, f"{begin} and {size}")
        return Spec(lengths, x.dtype)

    def key(self, begin, size):
        """The key that x is indexed with."""
        return tuple(slice(b, None if s == -1 else b + s) for b, s in zip(begin, size, strict=True))

    def compute(self, xp, x, begin, size):
        return x[self.key(begin, size)]

    def bprop(self, x, begin, size, out, dout):
        return dout.scatter_to(x.shape, self.key(begin, size)), None, None


class ReverseV2(Primitive):
    """The elements in reverse order along each axis of ``axis``, a tuple or list.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReverseV2([0])(ms.Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """

    complex_numbers = "as written"

    def __init__(self, axis) -> None:
        self.add_prim_attr("axis", _ints(self, "axis", axis, (tuple, list)))

    def infer(self, x):
        check_tensor(self, "input_x", x)
        axes = [as_axis(self, a, len(x.shape)) for a in self.axis]
        if len(set(axes)) != len(axes):
            raise value_error(self.name, "the 'axis' must name each axis once", self.axis)
        return x

    def compute(self, xp, x):
        axes = {a % x.ndim for a in self.axis}
        return x[tuple(slice(None, None, -1 if i in axes else 1) for i in range(x.ndim))]

    def bprop(self, x, out, dout):
        return self(dout)


class Roll(Primitive):
    """The elements moved by ``shift`` along ``axis``; what leaves at one end enters at the other; ints or tuples.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``shift`` or ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Roll(1, 0)(ms.Tensor([1, 2, 3])))
        [3 1 2]
    """

    def __init__(self, shift, axis) -> None:
        shift, axis = ((v,) if isinstance(v, int) else v for v in (shift, axis))
        self.add_prim_attr("shift", _ints(self, "shift", shift, (tuple, list)))
        self.add_prim_attr("axis", _ints(self, "axis", axis, (tuple, list)))
        if len(self.shift) != len(self.axis):
            expected = "the 'shift' and 'axis' must be of one length"
            raise value_error(self.name, expected, f"{shift} and {axis}")

    def infer(self, x):
        check_tensor(self, "input_x", x)
        for a in self.axis:
            as_axis(self, a, len(x.shape))
        return x

    def compute(self, xp, x):
        return xp.roll(x, self.shift, self.axis)

    def bprop(self, x, out, dout):
        return self.cached_primitive(Roll, tuple(-s for s in self.shift), self.axis)(dout)


class Unstack(Primitive):
    """``x`` taken apart along ``axis``: a tuple of Tensors that have one axis less.

    Shapes: without the axis. Dtypes: any, kept.

    Args:
        axis (int): The axis. Default: 0.
        num (int): The length of the axis, to be checked. Default: None.

    Raises:
        TypeError: If ``axis`` is not an int, ``num`` is not an int or None, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Unstack()(ms.Tensor([[1, 2], [3, 4]])))
        [1 2] [3 4]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    complex_numbers = "as written"

    def __init__(self, axis: int = 0, num: int | None = None) -> None:
        self.add_prim_attr("axis", as_int(self, "axis", axis))
        self.add_prim_attr("num", num)

    def infer(self, x):
        check_tensor(self, "input_x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        if self.num is not None and self.num != x.shape[axis]:
            raise value_error(self.name, f"the 'num' must be the length of axis {axis}, {x.shape[axis]}", self.num)
        return (Spec(x.shape[:axis] + x.shape[axis + 1 :], x.dtype),) * x.shape[axis]

    def compute(self, xp, x):
        rows = xp.moveaxis(x, self.axis, 0)
        return tuple(rows[i, ...] for i in range(len(rows)))

    def bprop(self, x, out, dout):
        return self.cached_primitive(Stack, self.axis)(dout)


class ReverseSequence(Primitive):
    """The first ``seq_lengths[b]`` elements along ``seq_dim`` in reverse order, for each b along ``batch_dim``.

    Shapes: any, kept; ``seq_lengths`` is (length of ``batch_dim``,). Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Args:
        seq_dim (int): The axis of the sequence.
        batch_dim (int): The axis that the lengths count along. Default: 0.

    Raises:
        TypeError: If ``seq_dim`` or ``batch_dim`` is not an int, or ``x`` or ``seq_lengths`` is not a Tensor.
        ValueError: If ``seq_lengths`` has a shape that does not fit, or ``seq_dim`` is no axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReverseSequence(seq_dim=1)(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ms.Tensor([2, 3])))
        [[2. 1. 3.]
         [6. 5. 4.]]
    """

    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None:
        self.add_prim_attr("seq_dim", as_int(self, "seq_dim", seq_dim))
        self.add_prim_attr("batch_dim", as_int(self, "batch_dim", batch_dim))

    def infer(self, x, seq_lengths):
        check_number(self, "x", x)
        check_indices(self, "seq_lengths", seq_lengths)
        rank = len(x.shape)
        seq, batch = as_axis(self, self.seq_dim, rank, "seq_dim"), as_axis(self, self.batch_dim, rank, "batch_dim")
        if seq == batch:
            raise value_error(self.name, "the 'batch_dim' must be another axis than the 'seq_dim'", batch)
        if seq_lengths.shape != (x.shape[batch],):
            raise value_error(
                self.name, f"the 'seq_lengths' must have the shape ({x.shape[batch]},)", seq_lengths.shape
            )
        return x

    def compute(self, xp, x, seq_lengths):
        seq, batch = self.seq_dim % x.ndim, self.batch_dim % x.ndim
        along = [1] * x.ndim
        along[seq] = -1
        steps = xp.arange(x.shape[seq]).reshape(along)
        along[seq], along[batch] = 1, -1
        lengths = seq_lengths.reshape(along)
        indices = select(xp, steps < lengths, lengths - 1 - steps, steps)
        return xp.take_along_axis(x, xp.broadcast_to(indices, x.shape), seq)

    def bprop(self, x, seq_lengths, out, dout):
        return self(dout, seq_lengths), None
