"""A convolution or a dense layer with a batch normalization and an activation after it."""

from __future__ import annotations

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer.activation import get_activation
from minispore.nn.layer.activation_piecewise import LeakyReLU
from minispore.nn.layer.conv import Conv2d
from minispore.nn.layer.dense import Dense
from minispore.nn.layer.normalization import BatchNorm1d, BatchNorm2d
from minispore.ops.number_checks import check_python_float, check_real

__all__ = ["Conv2dBnAct", "DenseBnAct"]


class _BnAct(Cell):
    """Base: the normalization and the activation after the first layer."""

    def _take_norm(self, has_bn, norm, channels, eps, momentum):
        name = type(self).__name__
        self.has_bn = check_bool(name, "has_bn", has_bn)
        check_real(name, "momentum", momentum, 0, 1)
        check_python_float(name, "eps", eps, 0, 1, above=True)
        if has_bn:
            self.batchnorm = norm(channels, eps, momentum)

    def _take_activation(self, activation, alpha, after_fake):
        name = type(self).__name__
        check_real(name, "alpha", alpha)
        self.after_fake = check_bool(name, "after_fake", after_fake)
        self.has_act = activation is not None
        if isinstance(activation, str):
            activation = LeakyReLU(alpha) if activation == "leakyrelu" else get_activation(activation)
        elif activation is not None and not callable(activation):
            raise type_error(name, "the 'activation' must be a str, a Cell or a Primitive", shown(activation))
        self.activation = activation

    def _finished(self, x):
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_BnAct):
    """:class:`Conv2d`, then :class:`BatchNorm2d` if ``has_bn``, then the activation, if any.

    Shapes: (N, C_in, H, W) gives (N, C_out, H_out, W_out). Dtypes: float32, kept; TypeError for float16, float64, ints,
    bools and complex.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode: Conv2d's.
        padding, dilation, group, has_bias, weight_init, bias_init: Conv2d's.
        has_bn (bool): Default: False.
        momentum, eps (float): BatchNorm2d's. Default: 0.997 and 1e-5.
        activation (Union[str, Cell, Primitive]): Default: None.
        alpha (float): The slope of "leakyrelu". Default: 0.2.
        after_fake (bool): Accepted as in MindSpore, where it concerns quantization. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: As Conv2d, or if the activation is unknown.
        KeyError: If ``activation`` is an unknown name.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation="relu")(ms.ops.ones((1, 3, 8, 8))).shape
        (1, 4, 8, 8)
        >>> layer = ms.nn.Conv2dBnAct(1, 1, 1, weight_init="ones", activation="relu")
        >>> print(layer(ms.Tensor([[[[-1.0, 2.0]]]])))
        [[[[0. 2.]]]]
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
        has_bias: bool = False,
        weight_init="normal",
        bias_init="zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation=None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        sizes = kernel_size, stride, pad_mode, padding, dilation, group
        self.conv = Conv2d(in_channels, out_channels, *sizes, has_bias, weight_init, bias_init)
        self._take_norm(has_bn, BatchNorm2d, out_channels, eps, momentum)
        self._take_activation(activation, alpha, after_fake)

    def construct(self, x) -> Tensor:
        """Convolve, normalize, activate."""
        return self._finished(self.conv(x))


class DenseBnAct(_BnAct):
    """:class:`Dense`, then :class:`BatchNorm1d` if ``has_bn``, then the activation, if any.

    Shapes: (..., ``in_channels``) gives (..., ``out_channels``). Dtypes: float32, kept; TypeError for float16, float64,
    ints, bools and complex.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: Dense's.
        has_bn (bool): Default: False.
        momentum, eps (float): BatchNorm1d's. Default: 0.9 and 1e-5.
        activation (Union[str, Cell, Primitive]): Default: None.
        alpha (float): The slope of "leakyrelu". Default: 0.2.
        after_fake (bool): Accepted as in MindSpore, where it concerns quantization. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: As Dense, or if the activation is unknown.
        KeyError: If ``activation`` is an unknown name.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.DenseBnAct(3, 4, has_bn=True, activation="relu")(ms.ops.ones((2, 3))).shape
        (2, 4)
        >>> layer = ms.nn.DenseBnAct(2, 1, weight_init="ones", bias_init="zeros", activation="relu")
        >>> print(layer(ms.Tensor([[1.0, 2.0], [-1.0, -2.0]])))
        [[3.]
         [0.]]
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        weight_init="normal",
        bias_init="zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation=None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._take_norm(has_bn, BatchNorm1d, out_channels, eps, momentum)
        self._take_activation(activation, alpha, after_fake)

    def construct(self, x) -> Tensor:
        """Multiply, normalize, activate."""
        return self._finished(self.dense(x))
