"""Operations that are others put together, at MindSpore's names for them: gradients pass through their parts."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice, check_int
from minispore.core.errors import type_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn.pool import MaxPool, MaxPoolArgmax
from minispore.ops.operations.nn.resize import ResizeBilinear
from minispore.ops.shape_checks import check_input

__all__ = ["LRN", "MaxPoolWithArgmax", "ResizeBilinearV2"]


class MaxPoolWithArgmax(Primitive):
    """The largest of each window, as MaxPool gives it, and the place of its first in the plane, row by row, in int32.

    Shapes: (N, C, H, W) gives (N, C, h, w) twice. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        kernel_size (Union[int, tuple[int]]): The window. Default: 1.
        strides (Union[int, tuple[int]]): The distance of windows. Default: 1.
        pad_mode (str): "valid" or "same". Default: "valid".
        data_format (str): "NCHW". Default: "NCHW".

    Raises:
        TypeError: If ``kernel_size`` or ``strides`` is not an int, ``pad_mode`` is not a str or an int, or
            ``data_format`` is not a str. Also if ``x`` is not a Tensor.
        ValueError: If ``kernel_size`` or ``strides`` is not above 0, ``pad_mode`` is unknown, ``data_format`` is not
            "NCHW", or ``x`` does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> values, places = ops.MaxPoolWithArgmax(2, 2)(ms.Tensor([[[[1.0, 2.0], [4.0, 3.0]]]]))
        >>> print(places)
        [[[[2]]]]
        >>> print(values)
        [[[[4.]]]]
    """

    def __init__(self, kernel_size: int | tuple[int, ...] = 1, strides=1, pad_mode="valid", data_format="NCHW") -> None:
        check_choice(self.name, "pad_mode", pad_mode, ("valid", "same", "VALID", "SAME"))
        pool = MaxPool(kernel_size, strides, pad_mode, data_format)
        self.pool = pool
        for name in ("kernel_size", "strides", "pad_mode"):
            self.add_prim_attr(name, getattr(pool, name))

    def __call__(self, x):
        """``(largest, places)`` of ``(N, C, H, W)``."""
        check_input(self, x, 4)
        out = self.pool(x)
        return out, cast(self.pool.like(MaxPoolArgmax)(x, out), np.dtype(np.int32))


class ResizeBilinearV2(Primitive):
    """Planes (N, C, H, W) resized to a ``size`` that the call names, linearly along both axes.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        align_corners (bool): If True, the corner pixels keep their places. Default: False.
        half_pixel_centers (bool): If True, a pixel's position is its centre. Default: False.

    Raises:
        TypeError: If ``align_corners`` or ``half_pixel_centers`` is not a bool, or ``x`` is not a Tensor. Also if
            ``size`` is not a tuple or list of two ints.
        ValueError: If ``x`` does not have 4 axes, ``size`` is not two ints, or ``size`` does not hold ints above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ResizeBilinearV2(align_corners=True)(ms.Tensor([[[[0.0, 2.0]]]]), (1, 3)))
        [[[[0. 1. 2.]]]]
    """

    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None:
        self.add_prim_attr("align_corners", align_corners)
        self.add_prim_attr("half_pixel_centers", half_pixel_centers)

    def __call__(self, x, size):
        """The resized planes; ``size`` is two ints, or a Tensor of them."""
        check_input(self, x, 4)
        size = tuple(size.tolist()) if isinstance(size, Tensor) and size.ndim == 1 else size
        size = tuple(size) if isinstance(size, list) else size
        if not isinstance(size, tuple):
            raise type_error(self.name, "the 'size' must be a tuple or list of two ints", type(size).__name__)
        return ResizeBilinear(size, self.align_corners, self.half_pixel_centers)(x)


class LRN(Primitive):
    """Each element over a power of its neighbours among the channels: ``x / (bias + alpha * sum of squares) ** beta``.

    The sum takes ``depth_radius`` channels on either side. Source: Krizhevsky et al., 2012.

    Shapes: (N, C, H, W), kept. Dtypes: floats and complex, kept; ints give float32; TypeError for bools.

    Args:
        depth_radius (int): How many channels on either side count. Default: 5.
        bias (float): The first summand, above 0 as a rule. Default: 1.0.
        alpha (float): The factor of the sum. Default: 1.0.
        beta (float): The power. Default: 0.5.
        norm_region (str): "ACROSS_CHANNELS". Default: "ACROSS_CHANNELS".

    Raises:
        TypeError: If ``depth_radius`` is not an int, ``bias`` is not a float, or ``alpha`` or ``beta`` is not a number.
            Also if ``x`` is not a Tensor.
        ValueError: If ``depth_radius`` is below 0, ``bias``, ``alpha`` or ``beta`` is not finite, ``norm_region`` is
            unknown, or ``x`` does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LRN(depth_radius=1)(ms.Tensor([[[[3.0]], [[4.0]]]])).ravel())
        [0.5883484  0.78446454]
    """

    def __init__(
        self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta=0.5, norm_region="ACROSS_CHANNELS"
    ) -> None:
        self.add_prim_attr("depth_radius", check_int(self.name, "depth_radius", depth_radius, 0))
        for name, value in (("bias", bias), ("alpha", alpha), ("beta", beta)):
            self.add_prim_attr(name, check_python_float(self.name, name, value))
        self.add_prim_attr("norm_region", check_choice(self.name, "norm_region", norm_region, ("ACROSS_CHANNELS",)))

    def __call__(self, x):
        """The normalized ``(N, C, H, W)``."""
        check_input(self, x, 4)
        squares, channels = x * x, x.shape[1]
        near = np.abs(np.arange(channels)[:, None] - np.arange(channels)) <= self.depth_radius
        rows = squares.reshape((x.shape[0], channels, x.shape[2] * x.shape[3]))
        sums = Tensor(near.astype(np.float32)).astype(x.dtype).matmul(rows).reshape(x.shape)
        return x * (sums * self.alpha + self.bias) ** -self.beta
