"""Functional wrappers that join Tensors, and cut one into pieces."""

from __future__ import annotations

import itertools

from minispore.core.checks import check_64_bits, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.array import joining

__all__ = ["concat", "split", "stack"]
METHODS = "split"


def concat(tensors, axis=0) -> Tensor:
    """Tensors joined along an axis: ``Concat(axis)(tensors)``.

    Shapes: the lengths along ``axis`` are added; the others must be equal. Dtypes: any, kept.

    Raises:
        TypeError: If an element of the input is not a Tensor, or ``axis`` is not an int.
        ValueError: If the input holds no Tensor, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.concat((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4], [5, 6]]))))
        [[1 2]
         [3 4]
         [5 6]]
    """
    return make(joining.Concat, axis)(tensors)


def stack(tensors, axis=0) -> Tensor:
    """Tensors joined along a new axis: ``Stack(axis)(tensors)``.

    Shapes: a new axis, as long as there are Tensors, at ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If an element of the input is not a Tensor, or ``axis`` is not an int.
        ValueError: If the input holds no Tensor, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4])), axis=1))
        [[1 3]
         [2 4]]
    """
    return make(joining.Stack, axis)(tensors)


def split(tensor: Tensor, split_size_or_sections, axis=0) -> tuple[Tensor, ...]:
    """A Tensor cut along an axis: into pieces of one length (the last may be shorter), or of the lengths in a list.

    Shapes: as ``tensor``, but along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``tensor`` is not a Tensor, or ``split_size_or_sections`` is not an int, or ints of at least 0.
            Also if ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.split(ms.Tensor([1, 2, 3, 4, 5]), 2))
        [1 2] [3 4] [5]
        >>> print(*ops.split(ms.Tensor([1, 2, 3, 4, 5]), [4, 1]))
        [1 2 3 4] [5]
    """
    check_tensors("split", tensor=tensor)
    length = tensor.shape[as_axis("split", axis, tensor.ndim)]
    check_64_bits("split", "split_size_or_sections", split_size_or_sections)
    if isinstance(split_size_or_sections, int):
        if split_size_or_sections < 1:
            raise value_error("split", "the 'split_size_or_sections' must be above 0", split_size_or_sections)
        stops = range(split_size_or_sections, length + split_size_or_sections, split_size_or_sections)
    else:
        given = split_size_or_sections
        if not isinstance(given, (tuple, list)) or any(not is_int(n) or n < 0 for n in given):
            expected = "the 'split_size_or_sections' must be an int, or ints of at least 0"
            raise type_error("split", expected, shown(given))
        stops = list(itertools.accumulate(split_size_or_sections))
        if not stops or stops[-1] != length:
            raise value_error("split", f"the sections must add up to {length}", tuple(split_size_or_sections))
    before, start, pieces = (slice(None),) * (axis % tensor.ndim), 0, []
    for stop in stops:
        pieces.append(tensor[(*before, slice(start, min(stop, length)))])
        start = stop
    return tuple(pieces)
