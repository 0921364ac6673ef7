"""The base of all convolution layers: their arguments, their Parameters, their bias and their printed form."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool, check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer._inputs import check_input, check_length
from minispore.nn.layer._parameters import default_bias, default_weight, new_parameter
from minispore.ops.operations.linalg.matmul import BiasAdd
from minispore.ops.windows import as_pad_mode, as_sizes


class _Conv(Cell):
    """Base of convolution layers: arguments, weight and bias; a subclass defines ``construct``.

    Users derive layers from it under this name: their sizes are tuples, the weight has the shape
    ``(out_channels, in_channels / group, *kernel_size)``, with the channels exchanged if ``transposed``.
    """

    _layer = "_Conv"  # the name in errors

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        pad_mode,
        padding,
        dilation,
        group,
        has_bias,
        weight_init,
        bias_init,
        data_format="NCHW",
        transposed: bool = False,
        dtype=float32,
    ) -> None:
        super().__init__()
        self._take_channels(in_channels, out_channels, group)
        self.kernel_size = self._sizes("kernel_size", kernel_size)
        self.stride, self.dilation = self._sizes("stride", stride), self._sizes("dilation", dilation)
        as_pad_mode(self._layer, pad_mode)  # raises in the layer's name, not in the operation's
        self.pad_mode, self.padding, self.data_format = pad_mode, self._pads(padding), data_format
        self.has_bias = check_bool(self._layer, "has_bias", has_bias)
        self.weight_init, self.bias_init = self._weight_init(weight_init), bias_init
        self._take_operation()
        self._take_parameters(transposed, dtype)

    def _take_channels(self, in_channels, out_channels, group):
        self.in_channels = check_positive_int(self._layer, "in_channels", in_channels)
        self.out_channels = check_positive_int(self._layer, "out_channels", out_channels)
        self.group = check_positive_int(self._layer, "group", group)
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise value_error(self._layer, f"the '{name}' must be divisible by 'group', {group}", channels)

    def _sizes(self, argument, value):
        """The sizes of a user's layer: a tuple of ints above 0."""
        if not isinstance(value, (tuple, list)):
            raise type_error(self._layer, f"the '{argument}' must be a tuple of ints", shown(value))
        return tuple(check_positive_int(self._layer, argument, length) for length in value)

    def _pads(self, padding):
        """The padding in the form of the operation, which the printed form shows, too."""
        return padding

    def _weight_init(self, weight_init):
        """The initial weight in the operation's form."""
        return weight_init

    def _take_operation(self):
        """Make the operation; a user's layer does that after this constructor."""

    def _take_parameters(self, transposed, dtype):
        """The weight and the bias, both drawn within ``1 / sqrt(fan_in)``; fan_in is of the weight's axis 1."""
        made, taken = self.out_channels, self.in_channels
        first, second = (taken, made) if transposed else (made, taken)
        shape = (first, second // self.group, *self.kernel_size)
        self.weight = new_parameter(self._layer, "weight_init", default_weight(self.weight_init), shape, dtype)
        self.bias, self.bias_add = None, BiasAdd()
        if self.has_bias:
            init = default_bias(self.bias_init, math.prod(shape[1:]))
            self.bias = new_parameter(self._layer, "bias_init", init, (made,), dtype)

    def construct(self, *inputs) -> Tensor:
        """Raise NotImplementedError: a subclass convolves."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'construct' is not defined.")

    def extend_repr(self) -> Any:
        """The arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


class Convolution(_Conv):
    """Base of the layers here; each gives its name, its axes and its operation."""

    _axes = 2
    _default_format = "NCHW"
    _of_rows = False  # True if x has one axis beside samples and channels
    _transposed = False  # True if the weight's first axis is the input's channels

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
        weight_init=None,
        bias_init=None,
        data_format=None,
        dtype=None,
    ) -> None:
        sizes = kernel_size, stride, pad_mode, padding, dilation
        data_format = self._default_format if data_format is None else data_format
        dtype = float32 if dtype is None else dtype
        inits = weight_init, bias_init
        super().__init__(
            in_channels, out_channels, *sizes, group, has_bias, *inits, data_format, self._transposed, dtype
        )

    def _sizes(self, argument, value):
        """One int for each axis; of two axes, MindSpore has a TypeError for another number."""
        if self._axes == 2 and isinstance(value, (tuple, list)) and len(value) not in (2, 4):
            raise type_error(self._layer, f"the '{argument}' must be an int or two ints", value)
        return as_sizes(self._layer, argument, value, self._axes)

    def _check_axes(self, x, count):
        """Raise ValueError unless x has ``count`` axes."""
        if len(x.shape) != count:
            raise value_error(self._layer, f"the 'x' must have {count} axes", f"shape {x.shape}")

    def _check_fit(self, x):
        check_input(self._layer, x, None if self._compute_dtype else self.weight.dtype)
        self._check_axes(x, 3 if self._of_rows else self._axes + 2)
        if self.in_channels == x.shape[-1] != x.shape[1]:
            expected = f"axis 1 of 'x' must have the length of 'in_channels', {self.in_channels}"
            raise value_error(self._layer, expected, f"shape {x.shape}, whose channels are last: transpose it")
        check_length(self._layer, x, 1, "in_channels", self.in_channels)

    def _biased(self, out):
        """The output with the bias, if there is one."""
        return self.bias_add(out, self.bias) if self.has_bias else out


class AlongOneAxis:
    """Mixed into a layer of planes, makes it one of rows: each row is a plane of height 1."""

    _of_rows = True

    def _sizes(self, argument, value):
        return 1, check_positive_int(self._layer, argument, value)

    def _pads(self, padding):
        check_int(self._layer, "padding", padding)
        if padding < 0:
            raise value_error(self._layer, "the 'padding' must be at least 0", padding)
        return 0, 0, padding, padding

    def _weight_init(self, weight_init):
        if not isinstance(weight_init, Tensor):
            return weight_init
        if weight_init.ndim != 3:
            raise value_error(self._layer, "the 'weight_init' must have 3 axes", f"shape {weight_init.shape}")
        return weight_init.expand_dims(2)

    def construct(self, x) -> Any:
        """Make planes of the rows, and rows of the planes that come out."""
        self._check_axes(x, 3)
        return super().construct(x.expand_dims(2)).squeeze(2)
