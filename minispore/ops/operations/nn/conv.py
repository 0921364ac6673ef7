"""Convolutions of planes and volumes and their two gradients: three primitives, each the gradient of the others."""

from __future__ import annotations

from typing import NamedTuple

from minispore.core.checks import check_positive_int
from minispore.core.errors import shown, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.kernels.conv import at_first_use
from minispore.ops.kernels.float16.cast import cached_cast, narrow
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes, window_counts, window_pads

__all__ = [
    "Conv2D",
    "Conv2DBackpropFilter",
    "Conv2DBackpropInput",
    "Conv3D",
    "Conv3DBackpropFilter",
    "Conv3DBackpropInput",
]

_FORMATS = {2: "NCHW", 3: "NCDHW"}


class _Convolution(Primitive):
    """Base of all: their attributes, and the geometry that they share; ``axes`` is 2 for planes, 3 for volumes.

    ``made_channels`` are the output's channels of the convolution that they belong to.
    """

    axes = 2

    def __init__(
        self,
        out_channel,
        kernel_size,
        mode=1,
        pad_mode="valid",
        pad=0,
        stride=1,
        dilation=1,
        group=1,
        data_format=None,
    ) -> None:
        if data_format not in (None, _FORMATS[self.axes]):
            raise value_error(self.name, f"the 'data_format' must be '{_FORMATS[self.axes]}'", shown(data_format))
        if mode != 1:
            raise value_error(self.name, "the 'mode' must be 1", mode)
        pads = as_lengths(self.name, "pad", pad, 2 * self.axes)
        if any(pads) and as_pad_mode(self.name, pad_mode) != "pad":
            raise value_error(self.name, "the 'pad' must be 0 where 'pad_mode' is not 'pad'", pad)
        self.made_channels = check_positive_int(self.name, "out_channel", out_channel)
        for name, value in {
            "out_channel": self.made_channels,
            "kernel_size": as_sizes(self.name, "kernel_size", kernel_size, self.axes),
            "mode": mode,
            "pad_mode": as_pad_mode(self.name, pad_mode),
            "pad": pads,
            "stride": as_sizes(self.name, "stride", stride, self.axes),
            "dilation": as_sizes(self.name, "dilation", dilation, self.axes),
            "group": check_positive_int(self.name, "group", group),
        }.items():
            self.add_prim_attr(name, value)

    @classmethod
    def of(cls, out_channel, kernel_size, pad_mode, pad, stride, dilation, group):
        """An instance, whatever the order of its class's arguments."""
        arguments = {"pad_mode": pad_mode, "pad": pad, "stride": stride, "dilation": dilation, "group": group}
        return cls(out_channel, kernel_size, **arguments)

    def like(self, kind):
        """Another kind of convolution with the same attributes."""
        sizes = self.kernel_size, self.pad_mode, self.pad, self.stride, self.dilation
        return self.cached_primitive(kind.of, self.made_channels, *sizes, self.group)

    def geometry(self, x_shape):
        """``(stride, pads, dilation, group)`` for an input of shape ``x_shape``."""
        pads = window_pads(self, x_shape[2:], self.kernel_size, self.stride, self.dilation)
        return self.stride, pads, self.dilation, self.group

    def output_shape(self, x, w):
        """The shape of the convolution's output, after checking input and weight shapes against the attributes."""
        rank = self.axes + 2
        if len(x) != rank or len(w) != rank:
            raise value_error(self.name, f"the 'x' and 'weight' must have {rank} axes", f"shapes {x} and {w}")
        if w[0] != self.made_channels or w[2:] != self.kernel_size:
            expected = f"the 'weight' must have {self.made_channels} output channels and the kernel {self.kernel_size}"
            raise value_error(self.name, expected, f"shape {w}")
        if x[1] != w[1] * self.group or self.made_channels % self.group:
            expected = (
                f"the channels of 'x' must be {w[1]} for each of {self.group} groups, which must divide 'out_channel'"
            )
            raise value_error(self.name, expected, f"{x[1]} channels and 'out_channel' {self.made_channels}")
        stride, pads, dilation, _ = self.geometry(x)
        counts = window_counts(x[2:], pads, self.kernel_size, stride, dilation)
        if min(counts) < 1:
            raise value_error(self.name, "the kernel must fit into the padded input", f"shapes {x} and {w}")
        return (x[0], self.made_channels, *counts)


class _Forward(_Convolution):
    """Base of Conv2D and Conv3D."""

    def infer(self, x, w):
        check_float(self, "x", x)
        check_same_type(self, x=x, weight=w)
        return Spec(self.output_shape(x.shape, w.shape), x.dtype)

    def compute(self, xp, x, w):
        y = _KINDS[self.axes].convolve(xp, cached_cast(xp, x), cached_cast(xp, w), *self.geometry(x.shape))
        return narrow(xp, y, x.dtype)

    def bprop(self, x, w, out, dout):
        kinds = _KINDS[self.axes]
        return (
            self.like(kinds.to_input)(dout, w, x.array.shape) if needs_grad(x) else None,
            self.like(kinds.to_weight)(dout, x, w.array.shape) if needs_grad(w) else None,
        )


class _ToInput(_Convolution):
    """Base of the gradients for the input."""

    def infer(self, dy, w, x_shape):
        check_float(self, "out_backprop", dy)
        check_same_type(self, out_backprop=dy, filter=w)
        check_shape(self, "out_backprop", dy, self.output_shape(tuple(x_shape), w.shape))
        return Spec(tuple(x_shape), dy.dtype)

    def compute(self, xp, dy, w, x_shape):
        arguments = cached_cast(xp, dy), cached_cast(xp, w), tuple(x_shape), *self.geometry(x_shape)
        return narrow(xp, _KINDS[self.axes].convolve_back(xp, *arguments), dy.dtype)

    def bprop(self, dy, w, x_shape, out, dout):
        kinds = _KINDS[self.axes]
        return (
            self.like(kinds.forward)(dout, w) if needs_grad(dy) else None,
            self.like(kinds.to_weight)(dy, dout, w.array.shape) if needs_grad(w) else None,
            None,
        )


class _ToWeight(_Convolution):
    """Base of the gradients for the weight."""

    def infer(self, dy, x, w_shape):
        check_float(self, "out_backprop", dy)
        check_same_type(self, out_backprop=dy, input=x)
        check_rank(self, "input", x, (self.axes + 2,))
        check_shape(self, "out_backprop", dy, self.output_shape(x.shape, tuple(w_shape)))
        return Spec(tuple(w_shape), dy.dtype)

    def compute(self, xp, dy, x, w_shape):
        arguments = cached_cast(xp, dy), cached_cast(xp, x), tuple(w_shape), *self.geometry(x.shape)
        return narrow(xp, _KINDS[self.axes].correlate(xp, *arguments), dy.dtype)

    def bprop(self, dy, x, w_shape, out, dout):
        kinds = _KINDS[self.axes]
        return (
            self.like(kinds.forward)(x, dout) if needs_grad(dy) else None,
            self.like(kinds.to_input)(dy, dout, x.array.shape) if needs_grad(x) else None,
            None,
        )


class Conv2D(_Forward):
    """2-D convolution: ``out[n,o,i,j] = sum over c,u,v of x[n, c, i*s + u*d - p, j*s + v*d - p] * w[o,c,u,v]``.

    Shapes: (N, C, H, W) with a weight (out, C / group, KH, KW) gives (N, out, h, w). Dtypes: floats, kept; TypeError
    for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or ``mode`` or ``pad_mode`` is not a str or an int. Also if ``pad`` is
            not an int or four ints, or ``data_format`` is not a str.
        ValueError: If an argument is not above 0, or ``pad_mode`` is not "same", "valid" or "pad". Also if ``pad`` is
            not 0 where ``pad_mode`` is not ``pad``. Also if ``pad`` is not an int or four ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]])
        >>> print(ops.Conv2D(1, 2)(x, ms.Tensor([[[[1.0, 1.0], [1.0, 1.0]]]])))
        [[[[12. 16.]
           [24. 28.]]]]
    """


class Conv2DBackpropInput(_ToInput):
    """The gradient of Conv2D for its input: the transposed convolution of ``dy`` with ``w``.

    Shapes: ``dy`` (N, C_out, h, w) and ``w`` (C_out, C_in, kh, kw) give the input's shape, which is an argument.
    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or ``pad_mode`` or ``mode`` is not a str or an int. Also if ``pad`` is
            not an int or four ints, or ``data_format`` is not a str.
        ValueError: If an argument is not above 0, or ``pad_mode`` is not "same", "valid" or "pad". Also if ``pad`` is
            not 0 where ``pad_mode`` is not ``pad``. Also if ``pad`` is not an int or four ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> dy, w = ms.Tensor([[[[1.0]]]]), ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.Conv2DBackpropInput(1, 2)(dy, w, (1, 1, 2, 2)))
        [[[[1. 2.]
           [3. 4.]]]]
    """

    def __init__(
        self,
        out_channel,
        kernel_size,
        pad_mode="valid",
        pad=0,
        pad_list=None,
        mode=1,
        stride=1,
        dilation=1,
        group=1,
        data_format="NCHW",
    ) -> None:
        pad = pad if pad_list is None else pad_list
        super().__init__(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)


class Conv2DBackpropFilter(_ToWeight):
    """The gradient of Conv2D for its weight: the correlation of ``x`` with ``dy``.

    Shapes: ``dy`` (N, C_out, h, w) and ``x`` (N, C_in, H, W) give the weight's shape, which is an argument. Dtypes:
    floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or ``mode`` or ``pad_mode`` is not a str or an int. Also if ``pad`` is
            not an int or four ints, or ``data_format`` is not a str.
        ValueError: If an argument is not above 0, or ``pad_mode`` is not "same", "valid" or "pad". Also if ``pad`` is
            not 0 where ``pad_mode`` is not ``pad``. Also if ``pad`` is not an int or four ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> dy, x = ms.Tensor([[[[1.0]]]]), ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.Conv2DBackpropFilter(1, 2)(dy, x, (1, 1, 2, 2)))
        [[[[1. 2.]
           [3. 4.]]]]
    """


class Conv3D(_Forward):
    """3-D convolution: ``out[n,o,h,i,j] = sum of x[n, c, h*s + t*d - p, i*s + u*d - p, …] * w[o,c,t,u,v]``.

    x is (N, C, D, H, W), w (out_channel, C / group, KD, KH, KW), both of one floating dtype, which the output has.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or x and w are not of one floating dtype.
        ValueError: If shapes do not fit the attributes, or the kernel does not fit into x.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, w = ms.Tensor([[[[[1.0, 2.0], [4.0, 5.0]]]]]), ms.Tensor([[[[[1.0, 1.0], [1.0, 1.0]]]]])
        >>> print(ops.Conv3D(1, (1, 2, 2))(x, w))
        [[[[[12.]]]]]
    """

    axes = 3


class Conv3DBackpropInput(_ToInput):
    """The gradient of Conv3D for its input: the transposed convolution of ``dy`` with ``w``.

    Shapes: ``dy`` (N, C_out, d, h, w) and ``w`` (C_out, C_in, kd, kh, kw) give the input's shape, which is an argument.
    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or ``mode`` or ``pad_mode`` is not a str or an int. Also if ``pad`` is
            not an int or six ints, or ``data_format`` is not a str.
        ValueError: If an argument is not above 0, or ``kernel_size`` is not an int or three ints. Also if ``pad_mode``
            is not "same", "valid" or "pad", or ``pad`` is not 0 where ``pad_mode`` is not ``pad``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> dy, w = ms.Tensor([[[[[1.0]]]]]), ms.Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]])
        >>> print(ops.Conv3DBackpropInput(1, (1, 2, 2))(dy, w, (1, 1, 1, 2, 2)))
        [[[[[1. 2.]
            [3. 4.]]]]]
    """

    axes = 3


class Conv3DBackpropFilter(_ToWeight):
    """The gradient of Conv3D for its weight: the correlation of ``x`` with ``dy``.

    Shapes: ``dy`` (N, C_out, d, h, w) and ``x`` (N, C_in, D, H, W) give the weight's shape, which is an argument.
    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or ``mode`` or ``pad_mode`` is not a str or an int. Also if ``pad`` is
            not an int or six ints, or ``data_format`` is not a str.
        ValueError: If an argument is not above 0, or ``kernel_size`` is not an int or three ints. Also if ``pad_mode``
            is not "same", "valid" or "pad", or ``pad`` is not 0 where ``pad_mode`` is not ``pad``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> dy, x = ms.Tensor([[[[[1.0]]]]]), ms.Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]])
        >>> print(ops.Conv3DBackpropFilter(1, (1, 2, 2))(dy, x, (1, 1, 1, 2, 2)))
        [[[[[1. 2.]
            [3. 4.]]]]]
    """

    axes = 3


class _Kinds(NamedTuple):
    """The three primitives of a number of axes, and their kernels."""

    forward: type
    to_input: type
    to_weight: type
    convolve: object
    convolve_back: object
    correlate: object


def _kernels(module):
    """The kernels of a number of axes: the convolution and its two gradients."""
    return [at_first_use(module, module + pass_) for pass_ in ("", "_grad_input", "_grad_weight")]


_KINDS = {
    2: _Kinds(Conv2D, Conv2DBackpropInput, Conv2DBackpropFilter, *_kernels("conv2d")),
    3: _Kinds(Conv3D, Conv3DBackpropInput, Conv3DBackpropFilter, *_kernels("conv3d")),
}
