"""Functional wrappers of pooling over volumes: over their planes first, and then along the depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_switch
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.nn_conv_pool import both_sides, check_axes, check_divisor
from minispore.ops.operations.nn import adaptive_pool
from minispore.ops.operations.nn.volumes import (
    columns_of,
    mean_volumes,
    narrowed,
    planes_of,
    pool_volumes,
    positions_of,
    volumes_of,
    wide_enough,
)
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes

__all__ = ["adaptive_avg_pool3d", "adaptive_max_pool3d", "avg_pool3d", "max_pool3d"]


def max_pool3d(
    x: Tensor, kernel_size, stride=None, padding=0, dilation=1, ceil_mode: bool = False, return_indices=False
) -> Any:
    """Largest of each window of ``(N, C, D, H, W)``; with ``return_indices`` also its place, as int64.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.max_pool3d(ms.Tensor([[[[[1.0, 5.0], [2.0, 3.0]]]]]), (1, 2, 2)))
        [[[[[5.]]]]]
    """
    check_tensors("max_pool3d", x=x)
    check_axes("max_pool3d", x, 5, "x")
    kernel = as_sizes("max_pool3d", "kernel_size", kernel_size, 3)
    stride = kernel if stride is None else as_sizes("max_pool3d", "stride", stride, 3)
    dilation, pads = as_sizes("max_pool3d", "dilation", dilation, 3), both_sides("max_pool3d", padding, 3)
    check_bool("max_pool3d", "ceil_mode", ceil_mode)
    return pool_volumes(x, kernel, stride, "pad", pads, dilation, ceil_mode, return_indices)


def avg_pool3d(
    input_x: Tensor,
    kernel_size=1,
    stride=1,
    padding=0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override=0,
) -> Tensor:
    """Mean of each window of ``(N, C, D, H, W)``; ``padding`` is a length, or six: those before and after each axis.

    Dtypes: any, kept.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.avg_pool3d(ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]]), (1, 2, 2)))
        [[[[[3.]]]]]
    """
    check_tensors("avg_pool3d", input_x=input_x)
    check_axes("avg_pool3d", input_x, 5, "input_x")
    kernel = as_sizes("avg_pool3d", "kernel_size", kernel_size, 3)
    stride, pads = as_sizes("avg_pool3d", "stride", stride, 3), as_lengths("avg_pool3d", "padding", padding, 6)
    divisor = check_divisor("avg_pool3d", divisor_override)
    check_bool("avg_pool3d", "ceil_mode", ceil_mode)
    check_bool("avg_pool3d", "count_include_pad", count_include_pad)
    return mean_volumes(input_x, kernel, stride, "pad", pads, ceil_mode, count_include_pad, divisor)


def checked_volume_arguments(layer, kernel_size, stride, pad_mode, padding):
    """``(kernel, stride, pad_mode, pads)`` of a layer, checked; ``padding`` has one length or three."""
    kernel, stride = as_sizes(layer, "kernel_size", kernel_size, 3), as_sizes(layer, "stride", stride, 3)
    mode, pads = as_pad_mode(layer, pad_mode), both_sides(layer, padding, 3)
    if any(pads) and mode != "pad":
        raise value_error(layer, "the 'padding' must be 0 where 'pad_mode' is not 'pad'", padding)
    return kernel, stride, mode, pads


def _three(operation, x, output_size):
    """The volumes as a batch, and the output's three lengths; None stands for x's own."""
    if x.ndim not in (4, 5):
        raise value_error(operation, "the 'input' must have 4 or 5 axes", f"shape {x.shape}")
    sizes = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * 3
    if output_size is None or any(isinstance(n, bool) or not isinstance(n, (int, type(None))) for n in sizes):
        raise type_error(operation, "the 'output_size' must be an int or three ints or None", shown(output_size))
    if len(sizes) != 3 or any(n is not None and n < 1 for n in sizes):
        raise value_error(operation, "the 'output_size' must be three of at least 1", output_size)
    return (x if x.ndim == 5 else x.expand_dims(0)), tuple(sizes)


def _as_given(out, x):
    return out if x.ndim == 5 else out.squeeze(0)


def adaptive_avg_pool3d(input: Tensor, output_size) -> Tensor:
    """Means of windows that share each volume evenly, for an output of ``output_size``, an int or three or None.

    Shapes: (N, C, D, H, W) or (C, D, H, W); the last three become the size, None keeps a length. Dtypes: any, kept.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not three of at least 1, or x has not 4 or 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_avg_pool3d(ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]]), (1, 1, 2)))
        [[[[[1.5 4.5]]]]]
    """
    check_tensors("adaptive_avg_pool3d", input=input)
    x, sizes = _three("adaptive_avg_pool3d", input, output_size)
    wide = wide_enough(x)
    pooled = make(adaptive_pool.AdaptiveAvgPool2D, sizes[1:])(planes_of(wide))
    out = make(adaptive_pool.AdaptiveAvgPool2D, (sizes[0], None))(columns_of(pooled, x))
    return _as_given(narrowed(volumes_of(out, pooled), wide, x), input)


def adaptive_max_pool3d(input: Tensor, output_size, return_indices: bool = False) -> Any:
    """The largest of windows that share each volume evenly; with ``return_indices`` also their positions, as int32.

    Shapes: (N, C, D, H, W) or (C, D, H, W); the last three become the size, None keeps a length. Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not three of at least 1, or x has not 4 or 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_max_pool3d(ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]]), (1, 1, 2)))
        [[[[[2. 5.]]]]]
    """
    check_tensors("adaptive_max_pool3d", input=input)
    return_indices = check_switch("adaptive_max_pool3d", "return_indices", return_indices)
    x, sizes = _three("adaptive_max_pool3d", input, output_size)
    pooled, in_planes = make(adaptive_pool.AdaptiveMaxPool2D, sizes[1:])(planes_of(x))
    out, in_columns = make(adaptive_pool.AdaptiveMaxPool2D, (sizes[0], None))(columns_of(pooled, x))
    volumes = _as_given(volumes_of(out, pooled), input)
    if not return_indices:
        return volumes
    positions = volumes_of(positions_of(x, pooled, in_planes, in_columns), pooled)
    return volumes, _as_given(cast(positions, np.dtype(np.int32)), input)
