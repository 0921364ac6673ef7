"""The functional wrapper that folds columns back into planes (col2im)."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor, wrap
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.nn_conv_pool import both_sides, check_axes
from minispore.ops.windows import as_sizes, window_counts

__all__ = ["col2im", "fold"]
METHODS = "col2im"


def _plane(output_size):
    if not isinstance(output_size, Tensor) or output_size.array.dtype.kind not in "iu":
        raise type_error("fold", "the 'output_size' must be a Tensor of two ints", shown(output_size))
    return as_sizes("fold", "output_size", tuple(output_size.asnumpy().ravel().tolist()))


def _pixels(width, kernel, dilation, counts, stride):
    """The pixel of the padded plane, counted row by row, of each element of each window: ``(KH * KW * windows,)``."""
    every = zip(kernel, dilation, counts, stride, strict=True)
    rows, columns = (np.arange(k)[:, None] * d + np.arange(n) * s for k, d, n, s in every)
    return (rows[:, None, :, None] * width + columns[None, :, None, :]).ravel()


def fold(input: Tensor, output_size: Tensor, kernel_size, dilation=1, padding=0, stride=1) -> Tensor:
    """Columns ``(N, C * KH * KW, windows)`` as planes ``(N, C, H, W)``: each pixel the sum over the windows it is in.

    ``output_size`` is a Tensor of H and W; the other arguments as in :func:`unfold`.

    Raises:
        TypeError: If ``output_size`` is not a Tensor of ints, or a size is not an int.
        ValueError: If a size is out of range, or the shape of x does not follow from the sizes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> columns = ops.unfold(ops.ones((1, 1, 2, 3)), (2, 2))
        >>> print(ops.fold(columns, ms.Tensor([2, 3], ms.int32), (2, 2)))  # the middle is in two windows
        [[[[1. 2. 1.]
           [1. 2. 1.]]]]
    """
    check_tensors("fold", input=input)
    check_axes("fold", input, 3)
    kernel, dilation = as_sizes("fold", "kernel_size", kernel_size), as_sizes("fold", "dilation", dilation)
    stride, pads, plane = as_sizes("fold", "stride", stride), both_sides("fold", padding, 2), _plane(output_size)
    counts = window_counts(plane, pads, kernel, stride, dilation)
    (n, rows, windows), size = input.shape, kernel[0] * kernel[1]
    if min(counts) < 1 or rows % size or windows != counts[0] * counts[1]:
        expected = f"the 'input' must be (N, C * {size}, {max(counts[0], 0) * max(counts[1], 0)})"
        raise value_error("fold", expected, f"shape {input.shape}")
    height, width = plane[0] + pads[0] + pads[1], plane[1] + pads[2] + pads[3]
    index = wrap(backend.from_host(_pixels(width, kernel, dilation, counts, stride)))
    flat = input.reshape((n * rows // size, size * windows)).transpose((1, 0))
    summed = flat.scatter_to((height * width, flat.shape[1]), (index,)).transpose((1, 0))
    padded = summed.reshape((n, rows // size, height, width))
    return padded[:, :, pads[0] : pads[0] + plane[0], pads[2] : pads[2] + plane[1]]


def col2im(input_x: Tensor, output_size, kernel_size, dilation, padding_value, stride) -> Tensor:
    """Columns ``(N, C, KH * KW, windows)`` as planes ``(N, C, H, W)``: each pixel the sum over the windows it is in.

    Any dtype is taken and kept.

    Args:
        input_x (Tensor): The columns.
        output_size (Tensor): H and W, ints.
        kernel_size (Union[int, tuple[int], list[int]]): KH and KW.
        dilation (Union[int, tuple[int], list[int]]): The distance of a window's elements.
        padding_value (Union[int, tuple[int], list[int]]): The padding of height and width.
        stride (Union[int, tuple[int], list[int]]): The distance of windows.

    Raises:
        TypeError: If ``output_size`` is not a Tensor of ints, or a size is not an int.
        ValueError: If a size is out of range, or the shape of x does not follow from the sizes.

    Examples:
        >>> import minispore as ms
        >>> x = ms.ops.ones((1, 1, 4, 4))
        >>> print(ms.ops.col2im(x, ms.Tensor([3, 3]), 2, 1, 0, 1).sum())
        16.0
    """
    check_tensors("col2im", input_x=input_x)
    check_axes("col2im", input_x, 4)
    lists = (kernel_size, dilation, padding_value, stride)
    kernel, dilation, padding, stride = (tuple(x) if isinstance(x, list) else x for x in lists)
    n, channels, taps, windows = input_x.shape
    return fold(input_x.reshape((n, channels * taps, windows)), output_size, kernel, dilation, padding, stride)
