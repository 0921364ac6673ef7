"""Pooling layers over windows of volumes."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_64_bits, check_bool, check_positive_int, check_switch
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional.nn_pool3d import checked_volume_arguments
from minispore.ops.list_checks import is_axes
from minispore.ops.operations.nn.volumes import mean_volumes, pool_volumes
from minispore.ops.windows import as_sizes

__all__ = ["AdaptiveAvgPool3d", "AdaptiveMaxPool3d", "AvgPool3d", "MaxPool3d"]


def check_lengths(operation, argument, value):
    """``value``, one length or several: an int, or a tuple or list of ints and Nones."""
    if not is_axes([n for n in value if n is not None] if isinstance(value, (tuple, list)) else value):
        raise type_error(operation, f"the '{argument}' must be an int, or ints or None", shown(value))
    return check_64_bits(operation, argument, value)


class _VolumePool(Cell):
    """Base: windows of ``kernel_size`` every ``stride``."""

    def __init__(self, kernel_size, stride, pad_mode, padding) -> None:
        super().__init__()
        name = type(self).__name__
        self._arguments = checked_volume_arguments(name, kernel_size, stride, pad_mode, padding)
        self.kernel_size, self.stride, self.pad_mode, self.padding = kernel_size, stride, pad_mode.upper(), padding

    def _batch(self, x):
        """The volumes as a batch."""
        if x.ndim not in (4, 5):
            raise value_error(type(self).__name__, "the 'x' must have 4 or 5 axes", f"shape {x.shape}")
        return x if x.ndim == 5 else x.expand_dims(0)

    def extend_repr(self) -> Any:
        """The arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class MaxPool3d(_VolumePool):
    """The largest element of each window.

    Args:
        kernel_size (Union[int, tuple[int]]): Depth, height and width of a window. Default: 1.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "valid".
        padding (Union[int, tuple[int]]): With "pad", at both ends: one length or three, at most half a window.
            Default: 0.
        dilation (Union[int, tuple[int]]): With "pad": distance of a window's elements. Default: 1.
        return_indices (bool): With "pad": whether the elements' positions are returned as well. Default: False.
        ceil_mode (bool): With "pad": whether a last window may reach beyond the end. Default: False.

    Inputs:
        x (Tensor): Shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``, floating.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or not the default outside "pad", or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.MaxPool3d(2, 2)(ms.ops.ones((1, 3, 4, 6, 8))).shape
        (1, 3, 2, 3, 4)
        >>> print(ms.nn.MaxPool3d((1, 1, 2), (1, 1, 2))(ms.ops.arange(4.0).reshape((1, 1, 1, 1, 4))))
        [[[[[1. 3.]]]]]
    """

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        stride: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding)
        self.dilation = as_sizes("MaxPool3d", "dilation", dilation, 3)
        self.return_indices = check_switch("MaxPool3d", "return_indices", return_indices)
        self.ceil_mode = check_switch("MaxPool3d", "ceil_mode", ceil_mode)
        if self.pad_mode != "PAD" and (self.dilation != (1, 1, 1) or return_indices or ceil_mode):
            expected = (
                "the 'dilation', 'return_indices' and 'ceil_mode' must be the defaults unless 'pad_mode' is 'pad'"
            )
            raise value_error("MaxPool3d", expected, f"{dilation}, {return_indices} and {ceil_mode}")

    def construct(self, x: Tensor) -> Any:
        """Pool; a Tensor without the batch's axis is one volume."""
        rest = self.dilation, self.ceil_mode, self.return_indices
        out = pool_volumes(self._batch(x), *self._arguments, *rest)
        if x.ndim == 5:
            return out
        return tuple(y.squeeze(0) for y in out) if self.return_indices else out.squeeze(0)


class AvgPool3d(_VolumePool):
    """The mean of each window's elements.

    Args:
        kernel_size (Union[int, tuple[int]]): Depth, height and width of a window. Default: 1.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "valid".
        padding (Union[int, tuple[int]]): With "pad", at both ends: one length or three. Default: 0.
        ceil_mode (bool): If True, a last window may reach beyond the end. Default: False.
        count_include_pad (bool): If True, padding counts, with "same" too. Default: True.
        divisor_override (int): The divisor of a window's sum. Default: None, the number of its elements.

    Inputs:
        x (Tensor): Shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``, floating.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.AvgPool3d(2, 2)(ms.ops.ones((1, 3, 4, 6, 8))).shape
        (1, 3, 2, 3, 4)
        >>> print(ms.nn.AvgPool3d((1, 1, 2), (1, 1, 2))(ms.ops.arange(4.0).reshape((1, 1, 1, 1, 4))))
        [[[[[0.5 2.5]]]]]
    """

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        stride: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        padding: int | tuple[int, ...] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding)
        self.ceil_mode = check_bool("AvgPool3d", "ceil_mode", ceil_mode)
        self.count_include_pad = check_bool("AvgPool3d", "count_include_pad", count_include_pad)
        if divisor_override is not None:
            check_positive_int("AvgPool3d", "divisor_override", divisor_override)
        self.divisor_override = divisor_override

    def construct(self, x: Tensor) -> Tensor:
        """Pool; a Tensor without the batch's axis is one volume."""
        rest = self.ceil_mode, self.count_include_pad, self.divisor_override
        out = mean_volumes(self._batch(x), *self._arguments, *rest)
        return out if x.ndim == 5 else out.squeeze(0)


class AdaptiveAvgPool3d(Cell):
    """The means of windows that share each volume evenly, for an output of a given size.

    Args:
        output_size (Union[int, tuple]): (OD, OH, OW), or one int for all; None in the tuple is x's own length.

    Inputs:
        x (Tensor): Shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``, floating.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not three of at least 1, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.AdaptiveAvgPool3d((1, 2, None))(ms.ops.ones((1, 3, 4, 6, 8))).shape
        (1, 3, 1, 2, 8)
        >>> print(ms.nn.AdaptiveAvgPool3d((1, 1, 2))(ms.ops.arange(4.0).reshape((1, 1, 1, 4))))
        [[[[0.5 2.5]]]]
    """

    def __init__(self, output_size: int | tuple[Any, ...]) -> None:
        super().__init__()
        self.output_size = check_lengths("AdaptiveAvgPool3d", "output_size", output_size)

    def construct(self, x: Tensor) -> Tensor:
        """Pool."""
        return F.adaptive_avg_pool3d(x, self.output_size)


class AdaptiveMaxPool3d(Cell):
    """The largest of windows that share each volume evenly, for an output of a given size.

    Args:
        output_size (Union[int, tuple]): (OD, OH, OW), or one int for all; None in the tuple is x's own length.
        return_indices (bool): If True, the elements' positions are returned as well, as int32. Default: False.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, ``return_indices`` is not a bool, or x is
            not floating.
        ValueError: If it has not three of at least 1, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.AdaptiveMaxPool3d(2)(ms.ops.ones((1, 3, 4, 6, 8))).shape
        (1, 3, 2, 2, 2)
        >>> print(ms.nn.AdaptiveMaxPool3d((1, 1, 2))(ms.ops.arange(4.0).reshape((1, 1, 1, 4))))
        [[[[1. 3.]]]]
    """

    def __init__(self, output_size: int | tuple[Any, ...], return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = check_lengths("AdaptiveMaxPool3d", "output_size", output_size)
        self.return_indices = check_switch("AdaptiveMaxPool3d", "return_indices", return_indices)

    def construct(self, x) -> Any:
        """Pool."""
        return F.adaptive_max_pool3d(x, self.output_size, self.return_indices)
