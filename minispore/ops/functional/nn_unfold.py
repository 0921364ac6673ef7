"""The functional wrapper that unfolds the windows of planes into columns (im2col)."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.array_pieces import stack
from minispore.ops.functional.nn_conv_pool import both_sides, check_axes
from minispore.ops.functional.nn_resize import pad
from minispore.ops.windows import as_sizes, reach, window_counts

__all__ = ["unfold"]


def _starts(kernel, dilation, count, stride):
    """The slice of a padded axis that meets each element of the kernel."""
    firsts = range(0, reach(kernel, dilation), dilation)
    return [slice(first, first + stride * (count - 1) + 1, stride) for first in firsts]


def unfold(input: Tensor, kernel_size, dilation=1, padding=0, stride=1) -> Tensor:
    """The windows of ``(N, C, H, W)`` as columns, ``(N, C * KH * KW, count of windows)``, row by row.

    Dtypes: any, kept.

    Raises:
        TypeError: If a size is not an int.
        ValueError: If a size is out of range, the kernel does not fit, or x has not 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.unfold(ms.Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]), (2, 2)))
        [[[1. 2.]
          [2. 3.]
          [4. 5.]
          [5. 6.]]]
    """
    check_tensors("unfold", input=input)
    check_axes("unfold", input, 4)
    kernel, dilation = as_sizes("unfold", "kernel_size", kernel_size), as_sizes("unfold", "dilation", dilation)
    stride, pads = as_sizes("unfold", "stride", stride), both_sides("unfold", padding, 2)
    counts = window_counts(input.shape[2:], pads, kernel, stride, dilation)
    if min(counts) < 1:
        windows = tuple(map(reach, kernel, dilation))
        raise value_error("unfold", "the kernel must fit into the padded input", f"{windows} for shape {input.shape}")
    padded = pad(input, (*pads[2:], *pads[:2])) if any(pads) else input
    rows, columns = (_starts(*axis) for axis in zip(kernel, dilation, counts, stride, strict=True))
    taps = [padded[:, :, row, column] for row in rows for column in columns]
    return stack(taps, 2).reshape((input.shape[0], -1, counts[0] * counts[1]))
