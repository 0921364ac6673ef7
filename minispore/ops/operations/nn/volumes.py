"""Pooling over volumes: over their planes first, and then along the depth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.operations.nn import pool
from minispore.ops.promotion import lowered_dtype
from minispore.ops.shape_checks import check_input
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes

__all__ = ["AvgPool3D", "MaxPool3D"]

# One primitive for equal sizes; typed, since True is no 1 where kinds are checked
_max_pool, _avg_pool = (lru_cache(maxsize=256, typed=True)(kind) for kind in (pool.MaxPool, pool.AvgPool))


def planes_of(x):
    """``(N, C, D, H, W)`` as ``(N, C * D, H, W)``."""
    n, c, depth, height, width = x.shape
    return x.reshape((n, c * depth, height, width))


def columns_of(pooled, x):
    """The pooled planes of x as ``(N, C, D, pixels)``, to be pooled along the depth."""
    n, c, depth = x.shape[:3]
    return pooled.reshape((n, c, depth, pooled.shape[2] * pooled.shape[3]))


def volumes_of(out, pooled):
    """The columns pooled along the depth, with the planes' axes restored."""
    return out.reshape((*out.shape[:3], *pooled.shape[2:]))


def wide_enough(x):
    """The input in float32 at least, so that a mean is rounded once."""
    return x if x.array.dtype in (np.float32, np.float64) else cast(x, float32.np)


def narrowed(out, wide, x):
    """The result cast back to x's dtype, if x was widened."""
    return out if wide is x else cast(out, lowered_dtype(x))


def _split(sizes):
    """The sizes for pooling planes, and for pooling columns, from (depth, height, width)."""
    return sizes[1:], (sizes[0], 1)


def positions_of(x, pooled, in_planes, in_columns):
    """Index in its volume, row by row, of each largest element, from its indices in planes and columns."""
    n, c, _, height, width = x.shape
    pixels = pooled.shape[2] * pooled.shape[3]
    chains, indices = in_planes.reshape((n * c, -1)), in_columns.reshape((n * c, -1))
    rows = Tensor(np.arange(n * c, dtype=np.int64).reshape(-1, 1))
    return (chains[rows, indices] + indices // pixels * (height * width)).reshape(in_columns.shape)


def pool_volumes(x, kernel, stride, pad_mode, pads, dilation, ceil_mode, return_indices):
    """The largest of each window of ``(N, C, D, H, W)``, and its place if asked for; sizes of three ints."""
    (size, depth_size), (step, depth_step) = _split(kernel), _split(stride)
    spread, depth_spread = _split(dilation)
    mode = pad_mode, "NCHW", pads[2:], ceil_mode
    depth_mode = pad_mode, "NCHW", (*pads[:2], 0, 0), ceil_mode
    of_planes = _max_pool(size, step, *mode, spread)
    of_columns = _max_pool(depth_size, depth_step, *depth_mode, depth_spread)
    planes = planes_of(x)
    pooled = of_planes(planes)
    columns = columns_of(pooled, x)
    out = of_columns(columns)
    if not return_indices:
        return volumes_of(out, pooled)
    in_planes = of_planes.like(pool.MaxPoolArgmax)(planes, pooled)
    in_columns = of_columns.like(pool.MaxPoolArgmax)(columns, out)
    return volumes_of(out, pooled), volumes_of(positions_of(x, pooled, in_planes, in_columns), pooled)


def mean_volumes(x, kernel, stride, pad_mode, pads, ceil_mode, counts, divisor):
    """The mean of each window of ``(N, C, D, H, W)``, or its sum over ``divisor``; sizes of three ints."""
    (size, depth_size), (step, depth_step) = _split(kernel), _split(stride)
    form, rest = (pad_mode, "NCHW"), (ceil_mode, counts)
    wide = wide_enough(x)
    of_planes = _avg_pool(size, step, *form, pads[2:], *rest, divisor and 1)
    of_columns = _avg_pool(depth_size, depth_step, *form, (*pads[:2], 0, 0), *rest, divisor)
    pooled = of_planes(planes_of(wide))
    return narrowed(volumes_of(of_columns(columns_of(pooled, x)), pooled), wide, x)


class _VolumePooling(Primitive):
    """Base of pooling over volumes ``(N, C, D, H, W)``: sizes are an int or three, the padding an int or six."""

    def __init__(self, kernel_size, strides, pad_mode, pad_name, pad, ceil_mode, data_format) -> None:
        check_choice(self.name, "data_format", data_format, ("NCDHW",))
        self.add_prim_attr("kernel_size", as_sizes(self.name, "kernel_size", kernel_size, 3))
        self.add_prim_attr("strides", as_sizes(self.name, "strides", strides, 3))
        self.add_prim_attr("pad_mode", as_pad_mode(self.name, pad_mode))
        self.add_prim_attr(pad_name, as_lengths(self.name, pad_name, pad, 6))
        if any(getattr(self, pad_name)) and self.pad_mode != "pad":
            raise value_error(self.name, f"the '{pad_name}' must be 0 where 'pad_mode' is not 'pad'", pad)
        self.add_prim_attr("ceil_mode", check_bool(self.name, "ceil_mode", ceil_mode))


class MaxPool3D(_VolumePooling):
    """The largest element of each window of volumes ``(N, C, D, H, W)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        kernel_size (Union[int, tuple[int]]): The window: an int or three. Default: 1.
        strides (Union[int, tuple[int]]): The distance of windows: an int or three. Default: 1.
        pad_mode (str): "valid", "same" or "pad", in small or capital letters. Default: "VALID".
        pad_list (Union[int, tuple[int]]): With "pad", the padding: an int, or those before and after each axis.
            Default: 0.
        ceil_mode (Union[bool, None]): If True, a last, partial window counts. Default: None, which is False.
        data_format (str): "NCDHW". Default: "NCDHW".

    Raises:
        TypeError: If ``kernel_size`` or ``strides`` is not an int, or ``pad_mode`` is not a str or an int. Also if
            ``pad_list`` is not an int or six ints, or ``ceil_mode`` is not a bool.
        ValueError: If ``kernel_size`` is not an int or three ints, or ``kernel_size`` or ``strides`` is not above 0.
            Also if ``pad_mode`` is not "same", "valid" or "pad", or ``pad_list`` is not 0 where ``pad_mode`` is not
            ``pad``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaxPool3D((1, 2, 2))(ms.Tensor([[[[[1.0, 5.0], [2.0, 3.0]]]]])))
        [[[[[5.]]]]]
    """

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        strides: int | tuple[int, ...] = 1,
        pad_mode: str = "VALID",
        pad_list: int | tuple[int, ...] = 0,
        ceil_mode: bool | None = None,
        data_format: str = "NCDHW",
    ) -> None:
        ceil_mode = False if ceil_mode is None else ceil_mode
        super().__init__(kernel_size, strides, pad_mode, "pad_list", pad_list, ceil_mode, data_format)

    def __call__(self, x):
        """The pooled volumes."""
        check_input(self, x, 5)
        form = self.pad_mode, self.pad_list, (1, 1, 1)
        return pool_volumes(x, self.kernel_size, self.strides, *form, self.ceil_mode, False)


class AvgPool3D(_VolumePooling):
    """The mean of each window of volumes ``(N, C, D, H, W)``, or its sum over ``divisor_override``.

    Dtypes: any, kept.

    Args:
        kernel_size (Union[int, tuple[int]]): The window: an int or three. Default: 1.
        strides (Union[int, tuple[int]]): The distance of windows: an int or three. Default: 1.
        pad_mode (str): "valid", "same" or "pad", in small or capital letters. Default: "valid".
        pad (Union[int, tuple[int]]): With "pad", the padding: an int, or those before and after each axis. Default: 0.
        ceil_mode (bool): If True, a last, partial window counts. Default: False.
        count_include_pad (bool): If True, the padding counts in the mean. Default: True.
        divisor_override (int): The divisor of a window's sum; 0 for its count. Default: 0.
        data_format (str): "NCDHW". Default: "NCDHW".

    Raises:
        TypeError: If ``kernel_size`` or ``strides`` is not an int, or ``pad_mode`` is not a str or an int. Also if
            ``pad`` is not an int or six ints, or ``ceil_mode`` or ``count_include_pad`` is not a bool.
        ValueError: If ``kernel_size`` is not an int or three ints, or ``kernel_size`` or ``strides`` is not above 0.
            Also if ``pad_mode`` is not "same", "valid" or "pad", or ``pad`` is not 0 where ``pad_mode`` is not ``pad``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AvgPool3D((1, 2, 2))(ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]])))
        [[[[[3.]]]]]
    """

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        strides: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        pad: int | tuple[int, ...] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int = 0,
        data_format: str = "NCDHW",
    ) -> None:
        super().__init__(kernel_size, strides, pad_mode, "pad", pad, ceil_mode, data_format)
        self.add_prim_attr("count_include_pad", check_bool(self.name, "count_include_pad", count_include_pad))
        self.add_prim_attr("divisor_override", check_int(self.name, "divisor_override", divisor_override, 0))

    def __call__(self, x):
        """The pooled volumes."""
        check_input(self, x, 5)
        form = self.pad_mode, self.pad, self.ceil_mode
        divisor = self.divisor_override or None
        return mean_volumes(x, self.kernel_size, self.strides, *form, self.count_include_pad, divisor)
