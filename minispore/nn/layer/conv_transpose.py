"""Transposed convolution layers along one, two and three axes."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.nn.layer.conv_base import AlongOneAxis, Convolution
from minispore.ops.operations.nn.conv_transpose import Conv2DTranspose, Conv3DTranspose
from minispore.ops.operations.nn.padding import Pad
from minispore.ops.windows import as_lengths, check_output_padding, transposed_lengths

__all__ = ["Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]


class _PlaneTranspose(Convolution):
    """Base of the transposed convolutions of rows and of planes."""

    _transposed = True

    def _take_operation(self):
        sizes = {"pad_mode": self.pad_mode, "pad": self.padding, "stride": self.stride, "dilation": self.dilation}
        self.conv2d_transpose = Conv2DTranspose(self.in_channels, self.kernel_size, **sizes, group=self.group)

    def construct(self, x) -> Tensor:
        """Convolve, and add the bias."""
        self._check_axes(x, 4)
        op = self.conv2d_transpose
        lengths = transposed_lengths(x.shape[2:], op.pad_mode, op.pad, op.kernel_size, op.stride, op.dilation)
        return self._biased(op(x, self.weight, (x.shape[0], self.out_channels, *lengths)))


class Conv1dTranspose(AlongOneAxis, _PlaneTranspose):
    """Transposed 1-D convolution, the gradient of :class:`Conv1d` for its input as a layer.

    The arguments are Conv1d's. x is ``(N, in_channels, L)``, the weight ``(in_channels, out_channels / group, 1,
    kernel_size)``, and the output ``(N, out_channels, L')`` with L' as :class:`Conv2dTranspose` has it. The weight and
    the bias begin as ``U(-b, b)``, ``b = 1 / sqrt(out_channels / group * kernel_size)``.

    Dtypes: float32, kept; TypeError for float16, float64, ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind, a tuple of sizes included.
        ValueError: As Conv1d.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv1dTranspose(3, 8, 4, stride=2, pad_mode="pad", padding=1)(ms.ops.ones((1, 3, 5))).shape
        (1, 8, 10)
        >>> print(
        ...     ms.nn.Conv1dTranspose(1, 1, 2, stride=2, pad_mode="valid", weight_init="ones")(
        ...         ms.Tensor([[[1.0, 2.0]]])
        ...     )
        ... )
        [[[1. 1. 2. 2.]]]
    """

    _layer = "Conv1dTranspose"


class Conv2dTranspose(_PlaneTranspose):
    """Transposed 2-D convolution, the gradient of :class:`Conv2d` for its input as a layer.

    The arguments are Conv2d's without the format, and ``output_padding`` (an int or two). It adds rows and columns of
    zeros after the output, with pad_mode "pad" only. It must be below the larger of stride and dilation. x is ``(N,
    in_channels, H, W)``, the weight ``(in_channels, out_channels / group, KH, KW)``, and the output ``(N, out_channels,
    H', W')``. Each length is ``length * stride`` with "same", ``length * stride + max(dilation * (kernel - 1) + 1 -
    stride, 0)`` with "valid", and ``(length - 1) * stride + dilation * (kernel - 1) + 1 - pads + output_padding`` with
    "pad". The weight and the bias begin as ``U(-b, b)``, ``b = 1 / sqrt(out_channels / group * KH * KW)``.

    Dtypes: float32, kept; TypeError for float16, float64, ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: As Conv2d, or if ``output_padding`` is out of range, or not 0 where pad_mode is not "pad".

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv2dTranspose(3, 8, 4, stride=2, pad_mode="pad", padding=1)(ms.ops.ones((1, 3, 5, 6))).shape
        (1, 8, 10, 12)
        >>> print(
        ...     ms.nn.Conv2dTranspose(1, 1, 2, stride=2, pad_mode="valid", weight_init="ones")(
        ...         ms.Tensor([[[[1.0, 2.0]]]])
        ...     )
        ... )
        [[[[1. 1. 2. 2.]
           [1. 1. 2. 2.]]]]
    """

    _layer = "Conv2dTranspose"

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        output_padding=0,
        dilation=1,
        group=1,
        has_bias: bool = False,
        weight_init=None,
        bias_init=None,
        dtype=None,
    ) -> None:
        sizes = stride, pad_mode, padding, dilation, group
        super().__init__(in_channels, out_channels, kernel_size, *sizes, has_bias, weight_init, bias_init, dtype=dtype)
        self.output_padding = as_lengths(self._layer, "output_padding", output_padding, 2)
        op = self.conv2d_transpose
        check_output_padding(self._layer, self.output_padding, op.pad_mode, self.stride, self.dilation)
        below, right = self.output_padding
        self.pad = Pad(((0, 0), (0, 0), (0, below), (0, right)))

    def construct(self, x) -> Tensor:
        """Convolve, add the bias, then append the zeros of ``output_padding``, which get no bias."""
        out = super().construct(x)
        return self.pad(out) if any(self.output_padding) else out


class Conv3dTranspose(Convolution):
    """Transposed 3-D convolution, the gradient of :class:`Conv3d` for its input as a layer.

    The arguments are Conv3d's and, after ``group``, ``output_padding`` (an int or three). With pad_mode "pad" it makes
    the output longer. It must be below the larger of stride and dilation. x is ``(N, in_channels, D, H, W)``, the
    weight ``(in_channels, out_channels / group, KD, KH, KW)``, and the output ``(N, out_channels, D', H', W')`` with
    lengths as :class:`Conv2dTranspose` has them. The weight and the bias begin as ``U(-b, b)``, ``b = 1 /
    sqrt(out_channels / group * KD * KH * KW)``.

    Dtypes: float32, kept; TypeError for float16, float64, ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: As Conv3d, or if ``output_padding`` is out of range, or not 0 where pad_mode is not "pad".

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv3dTranspose(3, 8, 2, stride=2, pad_mode="pad")(ms.ops.ones((1, 3, 4, 5, 6))).shape
        (1, 8, 8, 10, 12)
        >>> layer = ms.nn.Conv3dTranspose(1, 1, (1, 1, 2), stride=2, pad_mode="valid", weight_init="ones")
        >>> print(layer(ms.Tensor([[[[[1.0, 2.0]]]]]))[0, 0, 0, 0])
        [1. 1. 2. 2.]
    """

    _layer = "Conv3dTranspose"
    _axes = 3
    _default_format = "NCDHW"
    _transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        output_padding=0,
        has_bias: bool = False,
        weight_init=None,
        bias_init=None,
        data_format="NCDHW",
        dtype=None,
    ) -> None:
        self.output_padding = as_lengths(self._layer, "output_padding", output_padding, 3)
        sizes = stride, pad_mode, padding, dilation, group
        rest = weight_init, bias_init, data_format, dtype
        super().__init__(in_channels, out_channels, kernel_size, *sizes, has_bias, *rest)

    def _take_operation(self):
        sizes = self.pad_mode, self.padding, self.stride, self.dilation, self.group, self.output_padding
        channels = self.in_channels, self.out_channels
        self.conv3d_transpose = Conv3DTranspose(*channels, self.kernel_size, 1, *sizes, self.data_format)

    def construct(self, x) -> Tensor:
        """Convolve, and add the bias."""
        self._check_axes(x, 5)
        return self._biased(self.conv3d_transpose(x, self.weight))
