"""Convolution layers along one, two and three axes."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.layer.conv_base import AlongOneAxis, Convolution, _Conv  # noqa: F401 - its address in MindSpore
from minispore.ops.operations.nn.conv import Conv2D, Conv3D

__all__ = ["Conv1d", "Conv2d", "Conv3d"]


def _check_input_3d(input_shape, op_name):
    """Raise ValueError unless a shape has three axes."""
    _check_rank(input_shape, op_name, 3)


def _check_input_5dims(input_shape, op_name):
    """Raise ValueError unless a shape has five axes."""
    _check_rank(input_shape, op_name, 5)


def _check_rank(shape, layer, count):
    if len(shape) != count:
        raise value_error(layer, f"the 'x' must have {count} axes", f"shape {tuple(shape)}")


class _Plane(Convolution):
    """Base of the convolutions of rows and of planes."""

    def _take_operation(self):
        sizes = self.pad_mode, self.padding, self.stride, self.dilation, self.group
        self.conv2d = Conv2D(self.out_channels, self.kernel_size, 1, *sizes, self.data_format)

    def construct(self, x) -> Tensor:
        """Convolve, and add the bias."""
        return self._biased(self.conv2d(x, self.weight))


class Conv2d(_Plane):
    """2-D convolution: ``out[n, o] = bias[o] + sum over c of weight[o, c] correlated with x[n, c]``.

    Args:
        in_channels (int): Channels of x.
        out_channels (int): Channels of the output.
        kernel_size (Union[int, tuple[int]]): Height and width of the kernel.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "same".
        padding (Union[int, tuple[int]]): With "pad": one width, or (top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): Distance of the kernel's points. Default: 1.
        group (int): Groups of channels, which do not mix. Default: 1.
        has_bias (bool): If True, a bias is added. Default: False.
        weight_init (Union[Tensor, str, Initializer, number]): Default: ``U(-b, b)``, ``b = 1 / sqrt(fan_in)``.
        bias_init (Union[Tensor, str, Initializer, number]): Default: the same distribution.
        data_format (str): "NCHW".
        dtype (mindspore.dtype): The Parameters' dtype. Default: float32.

    Inputs:
        x (Tensor): Shape ``(N, in_channels, H, W)``, floating.

    Outputs:
        Tensor of shape ``(N, out_channels, H', W')``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is not above 0, channels and groups do not fit, or the pad_mode is unknown.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv2d(3, 8, 3, stride=2)(ms.ops.ones((1, 3, 9, 9))).shape
        (1, 8, 5, 5)
        >>> print(ms.nn.Conv2d(1, 1, 2, pad_mode="valid", weight_init="ones")(ms.ops.arange(9.0).reshape((1, 1, 3, 3))))
        [[[[ 8. 12.]
           [20. 24.]]]]
    """

    _layer = "Conv2d"


class Conv1d(AlongOneAxis, _Plane):
    """1-D convolution: ``out[n, o] = bias[o] + sum over c of weight[o, c, 0] correlated with x[n, c]``.

    Arguments as in :class:`Conv2d`, but ``kernel_size``, ``stride``, ``dilation`` and ``padding`` (the width at both
    ends) are ints. x is ``(N, in_channels, L)``, the output ``(N, out_channels, L')``, the weight ``(out_channels,
    in_channels / group, 1, kernel_size)``; a Tensor as ``weight_init`` has no axis of 1.

    Raises:
        TypeError: If an argument is of a wrong kind, a tuple of sizes included.
        ValueError: As Conv2d, or if x has not 3 axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv1d(3, 8, 3, stride=2)(ms.ops.ones((1, 3, 9))).shape
        (1, 8, 5)
        >>> print(ms.nn.Conv1d(1, 1, 2, pad_mode="valid", weight_init="ones")(ms.Tensor([[[1.0, 2.0, 4.0]]])))
        [[[3. 6.]]]
    """

    _layer = "Conv1d"


class Conv3d(Convolution):
    """3-D convolution: ``out[n, o] = bias[o] + sum over c of weight[o, c] correlated with x[n, c]``.

    Arguments as in :class:`Conv2d`, with three ints for sizes (depth, height, width) and six for ``padding`` (front,
    back, top, bottom, left, right); ``data_format`` is "NCDHW". x is ``(N, in_channels, D, H, W)``, the output ``(N,
    out_channels, D', H', W')``, the weight ``(out_channels, in_channels / group, KD, KH, KW)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: As Conv2d, or if x has not 5 axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv3d(3, 8, (1, 3, 3), pad_mode="valid")(ms.ops.ones((1, 3, 4, 9, 9))).shape
        (1, 8, 4, 7, 7)
        >>> print(
        ...     ms.nn.Conv3d(1, 1, (1, 1, 2), pad_mode="valid", weight_init="ones")(ms.Tensor([[[[[1.0, 2.0, 4.0]]]]]))
        ... )
        [[[[[3. 6.]]]]]
    """

    _layer = "Conv3d"
    _axes = 3
    _default_format = "NCDHW"

    def _take_operation(self):
        sizes = self.pad_mode, self.padding, self.stride, self.dilation, self.group
        self.conv3d = Conv3D(self.out_channels, self.kernel_size, 1, *sizes, self.data_format)

    def construct(self, x) -> Tensor:
        """Convolve, and add the bias."""
        return self._biased(self.conv3d(x, self.weight))
