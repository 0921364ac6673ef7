"""Convolution layers."""

import math

from minispore.dtype import float32
from minispore.errors import value_error
from minispore.nn.basic import check_bool, default_bias, default_weight, new_parameter
from minispore.nn.cell import Cell
from minispore.ops.common import check_positive_int
from minispore.ops.convolution import Conv2D, as_pair
from minispore.ops.linear import BiasAdd

__all__ = ["Conv2d"]


class Conv2d(Cell):
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
        has_bias (bool): Whether a bias is added. Default: False.
        weight_init (Union[Tensor, str, Initializer, number]): Default: ``U(-b, b)``, ``b = 1 / sqrt(fan_in)``.
        bias_init (Union[Tensor, str, Initializer, number]): Default: the same distribution.
        data_format (str): "NCHW".

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
    """

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
        has_bias=False,
        weight_init=None,
        bias_init=None,
        data_format="NCHW",
        dtype=None,
    ):
        super().__init__()
        self.in_channels = check_positive_int("Conv2d", "in_channels", in_channels)
        self.out_channels = check_positive_int("Conv2d", "out_channels", out_channels)
        self.group = check_positive_int("Conv2d", "group", group)
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise value_error("Conv2d", f"the '{name}' must be divisible by 'group', {group}", channels)
        self.kernel_size = as_pair("Conv2d", "kernel_size", kernel_size)
        self.stride, self.dilation = as_pair("Conv2d", "stride", stride), as_pair("Conv2d", "dilation", dilation)
        self.pad_mode, self.padding, self.data_format = pad_mode, padding, data_format
        self.has_bias = check_bool("Conv2d", "has_bias", has_bias)
        self.weight_init, self.bias_init = weight_init, bias_init
        self.conv2d = Conv2D(
            out_channels, self.kernel_size, 1, pad_mode, padding, self.stride, self.dilation, group, data_format
        )
        dtype = float32 if dtype is None else dtype
        shape = (out_channels, in_channels // group, *self.kernel_size)
        self.weight = new_parameter("Conv2d", "weight_init", default_weight(weight_init), shape, dtype)
        if has_bias:
            init = default_bias(bias_init, math.prod(shape[1:]))
            self.bias = new_parameter("Conv2d", "bias_init", init, (out_channels,), dtype)
            self.bias_add = BiasAdd()

    def construct(self, x):
        """Convolve, and add the bias."""
        out = self.conv2d(x, self.weight)
        if self.has_bias:
            out = self.bias_add(out, self.bias)
        return out

    def extend_repr(self):
        """The arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )
