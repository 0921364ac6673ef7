"""Blocks of neighbours moved between the axes of space, depth and batch."""

from __future__ import annotations

import math
from operator import index
from typing import Any

from minispore.core.checks import check_64_bits, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_number, check_tensor

__all__ = ["BatchToSpace", "BatchToSpaceND", "DepthToSpace", "SpaceToBatch", "SpaceToBatchND", "SpaceToDepth"]


class _Depth(Primitive):
    """Base of the two between depth and space.

    Args:
        block_size (int): The side of a block, at least 2.
    """

    def __init__(self, block_size: int) -> None:
        if block_size < 2:
            raise value_error(self.name, "the 'block_size' must be at least 2", block_size)
        self.add_prim_attr("block_size", block_size)

    def check(self, x, **lengths):
        """Raise ValueError unless x has four axes, and blocks divide the given lengths."""
        check_number(self, "x", x)
        check_rank(self, "x", x, (4,))
        for name, (length, by) in lengths.items():
            if length % by:
                raise value_error(self.name, f"the {name} of 'x' must be a multiple of {by}", length)


class SpaceToDepth(_Depth):
    """Each block of a plane as one element of b * b as many channels: ``(N, C, H, W) -> (N, b*b*C, H/b, W/b)``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``block_size`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``block_size`` is below 2, or ``x`` does not have 4 axes, or a height or width that is no
            multiple of ``block_size``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SpaceToDepth(2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).ravel())
        [1. 2. 3. 4.]
    """

    def infer(self, x):
        b = self.block_size
        self.check(x)
        n, c, h, w = x.shape
        self.check(x, height=(h, b), width=(w, b))
        return Spec((n, c * b * b, h // b, w // b), x.dtype)

    def compute(self, xp, x):
        (n, c, h, w), b = x.shape, self.block_size
        blocks = x.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4)
        return blocks.reshape(n, c * b * b, h // b, w // b)

    def bprop(self, x, out, dout):
        return self.cached_primitive(DepthToSpace, self.block_size)(dout)


class DepthToSpace(_Depth):
    """Each b * b channels as one block of a plane: ``(N, b*b*C, H, W) -> (N, C, H*b, W*b)``.

    ``out[n, c, h * b + i, w * b + j] = x[n, (i * b + j) * C + c, h, w]``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``block_size`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``block_size`` is below 2, or ``x`` does not have 4 axes, or a number of channels that b * b
            divides.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DepthToSpace(2)(ms.Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]])))
        [[[[1. 2.]
           [3. 4.]]]]
    """

    def infer(self, x):
        b = self.block_size
        self.check(x)
        n, c, h, w = x.shape
        self.check(x, depth=(c, b * b))
        return Spec((n, c // (b * b), h * b, w * b), x.dtype)

    def compute(self, xp, x):
        (n, c, h, w), b = x.shape, self.block_size
        blocks = x.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2)
        return blocks.reshape(n, c // (b * b), h * b, w * b)

    def bprop(self, x, out, dout):
        return self.cached_primitive(SpaceToDepth, self.block_size)(dout)


class _Batch(Primitive):
    """Base of the two between batch and space, over the last ``len(block_shape)`` axes."""

    def __init__(self, block_shape, margins) -> None:
        expected = f"the 'block_shape' must be ints above 0, and the '{self.argument}' as many pairs of at least 0"
        try:
            sides = (block_shape,) * len(margins) if isinstance(block_shape, int) else tuple(map(index, block_shape))
            pairs = tuple((int(before), int(after)) for before, after in margins)
        except (TypeError, ValueError):  # no pairs of numbers
            raise type_error(self.name, expected, f"{shown(block_shape)} and {shown(margins)}") from None
        margins = pairs
        if len(sides) != len(margins) or any(s < 1 for s in sides) or any(min(m) < 0 for m in margins):
            raise value_error(self.name, expected, f"{shown(block_shape)} and {shown(margins)}")
        self.add_prim_attr("block_shape", check_64_bits(self.name, "block_shape", sides))
        self.add_prim_attr(self.argument, margins)
        self.margins = margins

    def parted(self, x):
        """``(batch, middle lengths, space lengths)`` of a shape."""
        check_number(self, "input_x", x)
        rank, count = len(x.shape), len(self.block_shape)
        if rank <= count:
            raise value_error(self.name, f"the 'input_x' must have more than {count} axes", f"shape {x.shape}")
        return x.shape[0], x.shape[1 : rank - count], x.shape[rank - count :]


class SpaceToBatchND(_Batch):
    """The places within a block as b0 * b1 as many samples, after padding with zeros.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        block_shape (Union[int, list, tuple]): The sides of a block, along the last axes.
        paddings (Union[list, tuple]): For each of them the pair of lengths before and after.

    Raises:
        TypeError: If ``block_shape`` does not hold ints above 0, or ``paddings`` as many pairs of at least 0. Also if
            ``x`` is not a Tensor.
        ValueError: If ``block_shape`` does not hold ints above 0, or ``paddings`` as many pairs of at least 0. Also if
            ``x`` does not have more than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).ravel())
        [1. 2. 3. 4.]
    """

    argument = "paddings"

    def __init__(self, block_shape: int | list[Any] | tuple[Any, ...], paddings: list[Any] | tuple[Any, ...]) -> None:
        super().__init__(block_shape, paddings)

    def infer(self, x):
        n, middle, space = self.parted(x)
        lengths = [s + sum(m) for s, m in zip(space, self.margins, strict=True)]
        if any(s % b for s, b in zip(lengths, self.block_shape, strict=True)):
            expected = f"the padded lengths must be multiples of the 'block_shape', {self.block_shape}"
            raise value_error(self.name, expected, lengths)
        small = (s // b for s, b in zip(lengths, self.block_shape, strict=True))
        return Spec((n * math.prod(self.block_shape), *middle, *small), x.dtype)

    def compute(self, xp, x):
        count, lead = len(self.block_shape), x.ndim - len(self.block_shape)
        x = xp.pad(x, ((0, 0),) * lead + self.margins)
        pairs = [n for s, b in zip(x.shape[lead:], self.block_shape, strict=True) for n in (s // b, b)]
        inner, outer = range(lead + 1, lead + 2 * count, 2), range(lead, lead + 2 * count, 2)
        out = x.reshape(*x.shape[:lead], *pairs).transpose(*inner, *range(lead), *outer)
        return out.reshape(-1, *out.shape[count + 1 :])

    def bprop(self, x, out, dout):
        return self.cached_primitive(BatchToSpaceND, self.block_shape, self.margins)(dout)


class BatchToSpaceND(_Batch):
    """Each b0 * b1 samples as the places within blocks of one, cropped afterwards.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        block_shape (Union[int, list, tuple]): The sides of a block, along the last axes.
        crops (Union[list, tuple]): For each of them the pair of lengths to cut off before and after.

    Raises:
        TypeError: If ``block_shape`` does not hold ints above 0, or ``crops`` as many pairs of at least 0. Also if
            ``x`` is not a Tensor.
        ValueError: If ``block_shape`` does not hold ints above 0, or ``crops`` as many pairs of at least 0. Also if
            ``x`` does not have more than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]])
        >>> print(ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])(x))
        [[[[1. 2.]
           [3. 4.]]]]
    """

    argument = "crops"

    def __init__(self, block_shape: int | list[Any] | tuple[Any, ...], crops: list[Any] | tuple[Any, ...]) -> None:
        super().__init__(block_shape, crops)

    def infer(self, x):
        n, middle, space = self.parted(x)
        lengths = [s * b - sum(m) for s, b, m in zip(space, self.block_shape, self.margins, strict=True)]
        if n % math.prod(self.block_shape) or min(lengths) < 0:
            expected = f"the batch must be a multiple of {math.prod(self.block_shape)}, and the planes hold the 'crops'"
            raise value_error(self.name, expected, f"shape {x.shape}")
        return Spec((n // math.prod(self.block_shape), *middle, *lengths), x.dtype)

    def compute(self, xp, x):
        sides, count, lead = self.block_shape, len(self.block_shape), x.ndim - len(self.block_shape)
        blocks = x.reshape(*sides, x.shape[0] // math.prod(sides), *x.shape[1:])
        pairs = [axis for i in range(count) for axis in (count + lead + i, i)]
        space = [s * b for s, b in zip(x.shape[lead:], sides, strict=True)]
        out = blocks.transpose(*range(count, count + lead), *pairs)
        out = out.reshape(*out.shape[:lead], *space)
        return out[(..., *(slice(m[0], s - m[1]) for s, m in zip(space, self.margins, strict=True)))]

    def bprop(self, x, out, dout):
        return self.cached_primitive(SpaceToBatchND, self.block_shape, self.margins)(dout)


def _check_planes(op, x):
    """Raise ValueError unless there are samples, channels and planes."""
    check_tensor(op, "input_x", x)
    check_rank(op, "input_x", x, (4,))


class SpaceToBatch(SpaceToBatchND):
    """SpaceToBatchND of planes, with square blocks: ``SpaceToBatchND([block_size, block_size], paddings)``.

    Shapes: (N, C, H, W) gives (N * b * b, C, h, w), the padded lengths divided by b.
    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        block_size (int): The side of a block, at least 2.
        paddings (Union[list, tuple]): The pairs of lengths before and after, of both axes.

    Raises:
        TypeError: If ``block_size`` is not an int, ``paddings`` does not hold pairs, or ``x`` is not a Tensor.
        ValueError: If ``block_size`` is below 2, ``paddings`` is not two pairs of at least 0, or ``x`` does not have 4
            axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SpaceToBatch(2, [[0, 0], [0, 0]])(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).ravel())
        [1. 2. 3. 4.]
    """

    def __init__(self, block_size: int, paddings: list[Any] | tuple[Any, ...]) -> None:
        super().__init__([check_int(self.name, "block_size", block_size, 2)] * 2, paddings)

    def infer(self, x):
        _check_planes(self, x)
        return super().infer(x)


class BatchToSpace(BatchToSpaceND):
    """BatchToSpaceND of planes, with square blocks: ``BatchToSpaceND([block_size, block_size], crops)``.

    Shapes: (N * b * b, C, h, w) gives (N, C, H, W), the lengths times b, cropped.
    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        block_size (int): The side of a block, at least 2.
        crops (Union[list, tuple]): The pairs of lengths to cut off before and after, of both axes.

    Raises:
        TypeError: If ``block_size`` is not an int, ``crops`` does not hold pairs, or ``x`` is not a Tensor.
        ValueError: If ``block_size`` is below 2, ``crops`` is not two pairs of at least 0, or ``x`` does not have 4
            axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]])
        >>> print(ops.BatchToSpace(2, [[0, 0], [0, 0]])(x))
        [[[[1. 2.]
           [3. 4.]]]]
    """

    def __init__(self, block_size: int, crops: list[Any] | tuple[Any, ...]) -> None:
        super().__init__([check_int(self.name, "block_size", block_size, 2)] * 2, crops)

    def infer(self, x):
        _check_planes(self, x)
        return super().infer(x)
