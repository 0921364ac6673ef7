"""Pooling layers over windows of rows and of planes."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_positive_int, check_switch, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.list_checks import check_axes
from minispore.ops.operations.nn.pool import AvgPool, MaxPool, MaxPoolArgmax
from minispore.ops.windows import as_pad_mode

__all__ = ["AvgPool1d", "AvgPool2d", "MaxPool1d", "MaxPool2d"]


class PlaneCell(Cell):
    """Base of cells that take rows (``_axes`` is 1) or planes (2) with channels, in a batch or alone, as planes."""

    _layer = None  # the name in errors
    _axes = 2

    def _planes(self, x):
        """The input as (N, C, H, W): a row is a plane of height 1."""
        if x.ndim not in (self._axes + 1, self._axes + 2):
            expected = f"the 'x' must have {self._axes + 1} or {self._axes + 2} axes"
            raise value_error(self._layer, expected, f"shape {x.shape}")
        batch = () if x.ndim == self._axes + 2 else (1,)
        shape = (*batch, *x.shape[: -self._axes], *(1,) * (2 - self._axes), *x.shape[-self._axes :])
        return x if shape == x.shape else x.reshape(shape)

    def _restored(self, out, x):
        """The output with the axes that x has."""
        shape = (*x.shape[: -self._axes], *out.shape[-self._axes :])
        return out if shape == out.shape else out.reshape(shape)


class _Pool(PlaneCell):
    """Base of pooling layers: windows of ``kernel_size`` every ``stride``."""

    def __init__(self, kernel_size, stride, pad_mode, padding) -> None:
        super().__init__()
        self.kernel_size, self.stride = self._sizes("kernel_size", kernel_size), self._sizes("stride", stride)
        self.pad_mode = as_pad_mode(self._layer, pad_mode).upper()
        self.padding = padding = check_axes(self._layer, "padding", padding)
        if padding not in (0, (0,), (0, 0)):
            self._refuse_outside_pad(padding=padding)

    def _sizes(self, argument, value):
        return value if self._axes == 2 else (1, check_positive_int(self._layer, argument, value))

    def _refuse_outside_pad(self, **arguments):
        """Raise ValueError unless the pad_mode is "pad", which alone has this argument."""
        if self.pad_mode != "PAD":
            ((name, value),) = arguments.items()
            raise value_error(self._layer, f"the '{name}' must be the default where 'pad_mode' is not 'pad'", value)

    def _operands(self):
        """``(kernel_size, stride, pad_mode, format, pads)`` as the operations take them."""
        values = self.padding if isinstance(self.padding, (tuple, list)) else (self.padding,)
        if any(not is_int(v) for v in values):
            raise type_error(self._layer, "the 'padding' must be an int or a tuple of ints", shown(self.padding))
        if len(values) not in (1, self._axes):
            raise value_error(self._layer, f"the 'padding' must be an int or {self._axes} of them", self.padding)
        above = values[0] if self._axes == 2 else 0
        return self.kernel_size, self.stride, self.pad_mode, self.format, (above, above, values[-1], values[-1])

    def _printed(self, sizes):
        """Sizes as MindSpore prints them."""
        return sizes

    def extend_repr(self) -> Any:
        """The arguments."""
        sizes = self._printed(self.kernel_size), self._printed(self.stride)
        return f"kernel_size={sizes[0]}, stride={sizes[1]}, pad_mode={self.pad_mode}"


class MaxPool2d(_Pool):
    """The largest element of each window.

    Args:
        kernel_size (Union[int, tuple[int]]): Height and width of a window. Default: 1.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "valid".
        padding (Union[int, tuple[int]]): With "pad", at both ends: one width or (height, width), at most half a window.
            Default: 0.
        dilation (Union[int, tuple[int]]): With "pad": distance of a window's elements. Default: 1.
        return_indices (bool): With "pad": whether the elements' positions are returned as well. Default: False.
        ceil_mode (bool): With "pad": whether a last window may reach beyond the end. Default: False.
        data_format (str): "NCHW".

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``, floating.

    Outputs:
        Tensor of shape ``(N, C, H', W')`` or ``(C, H', W')``; with ``return_indices`` also an int64 Tensor of the
        positions in the plane, counted row by row.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or not the default outside "pad", or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MaxPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    _layer = "MaxPool2d"

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        stride: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding)
        return_indices = check_switch(self._layer, "return_indices", return_indices)
        dilation = check_axes(self._layer, "dilation", dilation)
        ceil_mode = check_switch(self._layer, "ceil_mode", ceil_mode)
        self.return_indices, self.format = return_indices, data_format
        for name, value in (("dilation", dilation), ("return_indices", return_indices), ("ceil_mode", ceil_mode)):
            if value not in (1, False, (1, 1)) or value is True:
                self._refuse_outside_pad(**{name: value})
        dilation = dilation if self._axes == 2 else self._sizes("dilation", dilation)
        self.use_pad, self.max_pool = self.pad_mode == "PAD", MaxPool(*self._operands(), ceil_mode, dilation)
        self.where = self.max_pool.like(MaxPoolArgmax)

    def construct(self, x: Tensor) -> Any:
        """Pool; a Tensor without the batch's axis is one image."""
        planes = self._planes(x)
        out = self.max_pool(planes)
        if not self.return_indices:
            return self._restored(out, x)
        return self._restored(out, x), self._restored(self.where(planes, out), x)


class MaxPool1d(MaxPool2d):
    """The largest element of each window along the last axis.

    Arguments and errors as in :class:`MaxPool2d`, with ints for sizes. x is ``(N, C, L)`` or ``(C, L)``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MaxPool1d(2, 2)(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[2. 4.]]]
    """

    _layer = "MaxPool1d"
    _axes = 1

    def _printed(self, sizes):
        return (1, *sizes) if self.pad_mode == "PAD" else sizes


class AvgPool2d(_Pool):
    """The mean of each window's elements.

    Args:
        kernel_size (Union[int, tuple[int]]): Height and width of a window. Default: 1.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "valid".
        padding (Union[int, tuple[int]]): With "pad", at both ends: one width or (height, width). Default: 0.
        ceil_mode (bool): If True, a last window may reach beyond the end. Default: False.
        count_include_pad (bool): If True, padding counts, which "same" does with ``ceil_mode`` only. Default: True.
        divisor_override (int): The divisor of a window's sum. Default: None, the number of its elements.
        data_format (str): "NCHW".

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``, floating.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AvgPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    _layer = "AvgPool2d"

    def __init__(
        self,
        kernel_size: int | tuple[int, ...] = 1,
        stride: int | tuple[int, ...] = 1,
        pad_mode: str = "valid",
        padding: int | tuple[int, ...] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding)
        self.format = data_format
        ceil_mode = check_switch(self._layer, "ceil_mode", ceil_mode)
        count_include_pad = check_switch(self._layer, "count_include_pad", count_include_pad)
        self.count_include_pad = count_include_pad
        counts = count_include_pad and (self.pad_mode == "PAD" or ceil_mode)
        self.avg_pool = AvgPool(*self._operands(), ceil_mode, bool(counts), divisor_override)

    def construct(self, x: Tensor) -> Tensor:
        """Pool; a Tensor without the batch's axis is one image."""
        return self._restored(self.avg_pool(self._planes(x)), x)


class AvgPool1d(AvgPool2d):
    """The mean of each window's elements along the last axis.

    Arguments and errors as in :class:`AvgPool2d`, with ints for sizes. x is ``(N, C, L)`` or ``(C, L)``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AvgPool1d(2, 2)(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[1.5 3.5]]]
    """

    _layer = "AvgPool1d"
    _axes = 1

    def _printed(self, sizes):
        return sizes[1] if self.pad_mode == "PAD" else sizes
