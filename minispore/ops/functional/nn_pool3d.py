"""Functional wrappers of pooling over volumes: over their planes first, and then along the depth."""

import numpy as np

from minispore.checks import check_bool
from minispore.dtype import float32
from minispore.errors import shown, type_error, value_error
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.nn_conv_pool import both_sides, check_axes, check_divisor
from minispore.ops.operations.nn import adaptive_pool, pool
from minispore.ops.primitive import cast
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes
from minispore.tensor import Tensor

__all__ = ["adaptive_avg_pool3d", "adaptive_max_pool3d", "avg_pool3d", "max_pool3d"]


def _planes(x):
    """``(N, C, D, H, W)`` as ``(N, C * D, H, W)``."""
    n, c, depth, height, width = x.shape
    return x.reshape((n, c * depth, height, width))


def _columns(pooled, x):
    """The pooled planes of x as ``(N, C, D, pixels)``, to be pooled along the depth."""
    n, c, depth = x.shape[:3]
    return pooled.reshape((n, c, depth, pooled.shape[2] * pooled.shape[3]))


def _volumes(out, pooled):
    """The columns pooled along the depth, with the planes' axes restored."""
    return out.reshape((*out.shape[:3], *pooled.shape[2:]))


def _wide(x):
    """The input in float32 at least, so that a mean is rounded once."""
    return x if x.array.dtype in (np.float32, np.float64) else cast(x, float32.np)


def _narrowed(out, wide, x):
    """The result cast back to x's dtype where x was widened; a cell with a compute dtype casts it by itself."""
    return out if wide is x else cast(out, x.array.dtype)


def _split(sizes):
    """The sizes that planes are pooled with, and those of columns, from (depth, height, width)."""
    return sizes[1:], (sizes[0], 1)


def _positions(x, pooled, in_planes, in_columns):
    """Where in its volume, row by row, each largest element stands, from where it stands in planes and columns."""
    n, c, _, height, width = x.shape
    pixels = pooled.shape[2] * pooled.shape[3]
    chains, places = in_planes.reshape((n * c, -1)), in_columns.reshape((n * c, -1))
    rows = Tensor(np.arange(n * c, dtype=np.int64).reshape(-1, 1))
    return (chains[rows, places] + places // pixels * (height * width)).reshape(in_columns.shape)


def pool_volumes(x, kernel, stride, pad_mode, pads, dilation, ceil_mode, return_indices):
    """The largest of each window of ``(N, C, D, H, W)``, and where it stands if asked for; sizes of three ints."""
    (size, depth_size), (step, depth_step) = _split(kernel), _split(stride)
    spread, depth_spread = _split(dilation)
    mode = pad_mode, "NCHW", pads[2:], ceil_mode
    depth_mode = pad_mode, "NCHW", (*pads[:2], 0, 0), ceil_mode
    of_planes = make(pool.MaxPool, size, step, *mode, spread)
    of_columns = make(pool.MaxPool, depth_size, depth_step, *depth_mode, depth_spread)
    planes = _planes(x)
    pooled = of_planes(planes)
    columns = _columns(pooled, x)
    out = of_columns(columns)
    if not return_indices:
        return _volumes(out, pooled)
    in_planes = of_planes.like(pool.MaxPoolArgmax)(planes, pooled)
    in_columns = of_columns.like(pool.MaxPoolArgmax)(columns, out)
    return _volumes(out, pooled), _volumes(_positions(x, pooled, in_planes, in_columns), pooled)


def mean_volumes(x, kernel, stride, pad_mode, pads, ceil_mode, counts, divisor):
    """The mean of each window of ``(N, C, D, H, W)``, or its sum over ``divisor``; sizes of three ints."""
    (size, depth_size), (step, depth_step) = _split(kernel), _split(stride)
    form, rest = (pad_mode, "NCHW"), (ceil_mode, counts)
    wide = _wide(x)
    of_planes = make(pool.AvgPool, size, step, *form, pads[2:], *rest, divisor and 1)
    of_columns = make(pool.AvgPool, depth_size, depth_step, *form, (*pads[:2], 0, 0), *rest, divisor)
    pooled = of_planes(_planes(wide))
    return _narrowed(_volumes(of_columns(_columns(pooled, x)), pooled), wide, x)


def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Largest of each window of ``(N, C, D, H, W)``; with ``return_indices`` also where it stands, as int64.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 5 axes.
    """
    check_tensors("max_pool3d", x=x)
    check_axes("max_pool3d", x, 5, "x")
    kernel = as_sizes("max_pool3d", "kernel_size", kernel_size, 3)
    stride = kernel if stride is None else as_sizes("max_pool3d", "stride", stride, 3)
    dilation, pads = as_sizes("max_pool3d", "dilation", dilation, 3), both_sides("max_pool3d", padding, 3)
    return pool_volumes(x, kernel, stride, "pad", pads, dilation, ceil_mode, return_indices)


def avg_pool3d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0
):
    """Mean of each window of ``(N, C, D, H, W)``; ``padding`` is a length, or six: those before and after each axis.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 5 axes.
    """
    check_tensors("avg_pool3d", input_x=input_x)
    check_axes("avg_pool3d", input_x, 5, "input_x")
    kernel = as_sizes("avg_pool3d", "kernel_size", kernel_size, 3)
    stride, pads = as_sizes("avg_pool3d", "stride", stride, 3), as_lengths("avg_pool3d", "padding", padding, 6)
    divisor = check_divisor("avg_pool3d", divisor_override)
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


def adaptive_avg_pool3d(input, output_size):
    """Means of windows that share each volume evenly, for an output of ``output_size``, an int or three or None.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not three of at least 1, or x has not 4 or 5 axes.
    """
    check_tensors("adaptive_avg_pool3d", input=input)
    x, sizes = _three("adaptive_avg_pool3d", input, output_size)
    wide = _wide(x)
    pooled = make(adaptive_pool.AdaptiveAvgPool2D, sizes[1:])(_planes(wide))
    out = make(adaptive_pool.AdaptiveAvgPool2D, (sizes[0], None))(_columns(pooled, x))
    return _as_given(_narrowed(_volumes(out, pooled), wide, x), input)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest of windows that share each volume evenly; with ``return_indices`` also where they stand, as int32.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not three of at least 1, or x has not 4 or 5 axes.
    """
    check_tensors("adaptive_max_pool3d", input=input)
    check_bool("adaptive_max_pool3d", "return_indices", return_indices)
    x, sizes = _three("adaptive_max_pool3d", input, output_size)
    pooled, in_planes = make(adaptive_pool.AdaptiveMaxPool2D, sizes[1:])(_planes(x))
    out, in_columns = make(adaptive_pool.AdaptiveMaxPool2D, (sizes[0], None))(_columns(pooled, x))
    volumes = _as_given(_volumes(out, pooled), input)
    if not return_indices:
        return volumes
    positions = _volumes(_positions(x, pooled, in_planes, in_columns), pooled)
    return volumes, _as_given(cast(positions, np.dtype(np.int32)), input)
