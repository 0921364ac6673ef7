"""Layers on images: resizing, moving pixels between channels and planes, mixing channels, taking windows."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_choice, check_positive_int, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.list_checks import check_axes
from minispore.ops.number_checks import check_number
from minispore.ops.operations.nn.resize import ResizeBilinear as ResizeBilinearOperation
from minispore.ops.windows import reach, same_pads, window_counts

__all__ = ["ChannelShuffle", "ImageGradients", "PixelShuffle", "PixelUnshuffle", "ResizeBilinear", "Unfold", "Upsample"]


class Upsample(Cell):
    """x of ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)`` resized by ``ops.interpolate``.

    Args:
        size (Union[int, tuple]): The new lengths. Default: None.
        scale_factor (Union[float, tuple]): By how much the lengths grow. Default: None.
        mode (str): "nearest", "nearest-exact", "linear", "bilinear", "bicubic" or "area". Default: "nearest".
        align_corners (bool): If True, the corners' centres are kept in place. Default: None, False.
        recompute_scale_factor (bool): If True, positions follow the lengths if the scale does not give whole ones.
            Default: None, False.

    Raises:
        TypeError, ValueError: When it is called, as ``ops.interpolate``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Upsample(scale_factor=2.0)(ms.Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2. 2.]]]
    """

    def __init__(
        self,
        size: int | tuple[Any, ...] | None = None,
        scale_factor: float | tuple[Any, ...] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        check_text("Upsample", "mode", mode)
        for name, value in (("align_corners", align_corners), ("recompute_scale_factor", recompute_scale_factor)):
            if value is not None:
                check_bool("Upsample", name, value)
        for factor in scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,):
            if factor is not None:
                check_number("Upsample", "scale_factor", factor)
        if size is not None:
            check_axes("Upsample", "size", size)
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x) -> Tensor:
        """Resize."""
        return F.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class ResizeBilinear(Cell):
    """Planes resized linearly along both axes; without flags output i of n stands at ``i * length / n``.

    Args:
        half_pixel_centers (bool): If True, output i stands at ``(i + 0.5) * length / n - 0.5``. Default: False.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)``, floating.
        size (tuple): The new height and width. Default: None.
        scale_factor (int): By how much they grow, in the place of ``size``. Default: None.
        align_corners (bool): If True, output i stands at ``i * (length - 1) / (n - 1)``. Default: False.

    Raises:
        TypeError: If ``scale_factor`` or a size is not an int, or a flag not a bool.
        ValueError: If not exactly one of ``size`` and ``scale_factor`` is given, or both flags are set. Also if
            ``size`` is not two ints above 0, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ResizeBilinear()(ms.Tensor([[[[1.0, 2.0]]]]), size=(1, 4)))
        [[[[1.  1.5 2.  2. ]]]]
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = check_bool("ResizeBilinear", "half_pixel_centers", half_pixel_centers)

    def construct(
        self, x: Tensor, size: tuple[Any, ...] | None = None, scale_factor: int | None = None, align_corners=False
    ) -> Tensor:
        """Resize."""
        if (size is None) == (scale_factor is None):
            expected = "either the 'size' or the 'scale_factor' must be given"
            raise value_error("ResizeBilinear", expected, f"{size} and {scale_factor}")
        if size is None:
            scale = check_positive_int("ResizeBilinear", "scale_factor", scale_factor)
            size = tuple(n * scale for n in x.shape[-2:])
        if not isinstance(size, (tuple, list)):
            raise value_error("ResizeBilinear", "the 'size' must be a tuple or a list", shown(size))
        return make(ResizeBilinearOperation, tuple(size), align_corners, self.half_pixel_centers)(x)


class PixelShuffle(Cell):
    """``(*, C * r * r, H, W)`` as ``(*, C, H * r, W * r)``: the r * r channels become the pixels of a tile.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``upscale_factor`` is not an int.
        ValueError: If it is below 1, its square does not divide the channels, or x has fewer than 3 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PixelShuffle(2)(ms.Tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]])))
        [[[1. 2.]
          [3. 4.]]]
    """

    def __init__(self, upscale_factor) -> None:
        super().__init__()
        self.upscale_factor = check_positive_int("PixelShuffle", "upscale_factor", upscale_factor)

    def construct(self, input) -> Tensor:
        """Shuffle."""
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """``(*, C, H * r, W * r)`` as ``(*, C * r * r, H, W)``: the inverse of :class:`PixelShuffle`.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``downscale_factor`` is not an int.
        ValueError: If it is below 1 or does not divide height and width, or x has fewer than 3 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PixelUnshuffle(2)(ms.Tensor([[[1.0, 2.0], [3.0, 4.0]]])).shape)
        (4, 1, 1)
        >>> print(ms.nn.PixelUnshuffle(2)(ms.Tensor([[[1.0, 2.0], [3.0, 4.0]]])).ravel())
        [1. 2. 3. 4.]
    """

    def __init__(self, downscale_factor) -> None:
        super().__init__()
        self.downscale_factor = check_positive_int("PixelUnshuffle", "downscale_factor", downscale_factor)

    def construct(self, input) -> Tensor:
        """Shuffle back."""
        return F.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """Channels of equal groups taken in turn: ``out[n, j * groups + i] = x[n, i * (C / groups) + j]``.

    Source: Zhang et al., ShuffleNet, 2017.

    Dtypes: any, kept.

    Args:
        groups (int): Into how many groups the channels are divided, above 0.

    Inputs:
        x (Tensor): Shape ``(N, C, *)`` with one further axis at least; C is a multiple of ``groups``.

    Raises:
        TypeError: If ``groups`` is not an int, or x is not a Tensor.
        ValueError: If ``groups`` is not above 0, x has fewer than three axes, or C is not a multiple of ``groups``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ChannelShuffle(2)(ms.Tensor([[[1.0], [2.0], [3.0], [4.0]]])).ravel())
        [1. 3. 2. 4.]
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = check_positive_int("ChannelShuffle", "groups", groups)

    def construct(self, x: Tensor) -> Tensor:
        """Shuffle."""
        check_tensors("ChannelShuffle", x=x)
        shape = x.shape
        if len(shape) < 3:
            raise value_error("ChannelShuffle", "the 'x' must have at least three axes", f"{len(shape)} axes")
        if shape[1] % self.groups:
            expected = f"the channels of 'x' must be a multiple of 'groups', {self.groups}"
            raise value_error("ChannelShuffle", expected, shape[1])
        grouped = x.reshape((shape[0], self.groups, shape[1] // self.groups, *shape[2:]))
        return grouped.swapaxes(1, 2).reshape(shape)


class Unfold(Cell):
    """The windows of ``(N, C, H, W)`` as channels, ``(N, KH * KW * C, OH, OW)``: the C values of each point in turn.

    Dtypes: any, kept.

    Args:
        ksizes (Union[tuple, list]): The window, ``[1, KH, KW, 1]``.
        strides (Union[tuple, list]): How far the windows are apart, ``[1, rows, columns, 1]``.
        rates (Union[tuple, list]): How far a window's points are apart, ``[1, rows, columns, 1]``.
        padding (str): "same", zeros around x so that ``OH = ceil(H / stride)``, or "valid", none; in small or capital
            letters. Default: "valid".

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)``.

    Raises:
        TypeError: If a size is neither a tuple nor a list, ``padding`` is not a str, or x is not a Tensor.
        ValueError: If a size has another form or an int below 1, or ``padding`` is another str. Also if x has not 4
            axes, or the window does not fit.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
        >>> print(ms.nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])(x)[0, :, 0, 1])
        [2. 3. 5. 6.]
    """

    def __init__(
        self, ksizes: tuple[Any, ...] | list[Any], strides: tuple[Any, ...] | list[Any], rates, padding="valid"
    ) -> None:
        super().__init__()
        self.ksizes, self.strides = _inner_two("ksizes", ksizes), _inner_two("strides", strides)
        self.rates = _inner_two("rates", rates)
        check_text("Unfold", "padding", padding)
        self.padding = check_choice("Unfold", "padding", padding.lower(), ("same", "valid"))

    def construct(self, input_x: Tensor) -> Tensor:
        """Take the windows."""
        check_tensors("Unfold", input_x=input_x)
        if input_x.ndim != 4:
            raise value_error("Unfold", "the 'input_x' must have 4 axes", f"{input_x.ndim} axes")
        x = self._padded(input_x)
        counts = window_counts(x.shape[2:], (0,) * 4, self.ksizes, self.strides, self.rates)
        if min(counts) < 1:
            windows = tuple(map(reach, self.ksizes, self.rates))
            raise value_error("Unfold", "the window must fit into the 'input_x'", f"{windows} for {input_x.shape}")
        columns = F.unfold(x, self.ksizes, self.rates, 0, self.strides).reshape((*x.shape[:2], -1, *counts))
        return columns.swapaxes(1, 2).reshape((x.shape[0], -1, *counts))

    def _padded(self, x):
        if self.padding == "valid":
            return x
        rows, columns = map(same_pads, x.shape[2:], self.ksizes, self.strides, self.rates)
        return F.pad(x, (*columns, *rows))


def _inner_two(argument, value):
    """The two ints above 0 of ``[1, rows, columns, 1]``."""
    expected = f"the '{argument}' must have the form [1, rows, columns, 1]"
    if not isinstance(value, (tuple, list)):
        raise type_error("Unfold", expected, shown(value))
    if len(value) != 4 or value[0] != 1 or value[3] != 1:
        raise value_error("Unfold", expected, shown(value))
    for n in value[1:3]:
        if type(n) is not int or n < 1:
            raise value_error("Unfold", f"{expected} with ints above 0", shown(value))
    return tuple(value[1:3])


class ImageGradients(Cell):
    """The differences of pixels with those below and with those to the right: ``(dy, dx)``, with zeros at the end.

    Inputs:
        images (Tensor): Shape ``(N, C, H, W)``, of numbers.

    Outputs:
        tuple of two Tensors of the shape and dtype of ``images``.

    Raises:
        TypeError: If ``images`` is not a Tensor of numbers.
        ValueError: If it has not four axes.

    Examples:
        >>> import minispore as ms
        >>> dy, dx = ms.nn.ImageGradients()(ms.Tensor([[[[1, 2], [4, 8]]]]))
        >>> print(dy, dx)
        [[[[3 6]
           [0 0]]]] [[[[1 0]
           [4 0]]]]
    """

    def construct(self, images: Tensor) -> Tensor:
        """Subtract neighbours."""
        check_tensors("ImageGradients", images=images)
        if images.ndim != 4:
            raise value_error("ImageGradients", "the 'images' must have 4 axes", f"shape {images.shape}")
        down = images[:, :, 1:] - images[:, :, :-1]
        right = images[:, :, :, 1:] - images[:, :, :, :-1]
        dy = F.concat((down, F.zeros_like(images[:, :, :1])), 2)
        return dy, F.concat((right, F.zeros_like(images[:, :, :, :1])), 3)
