"""Convolution and its two gradients: three primitives, each the gradient of the others."""

from minispore.autograd import wanted
from minispore.errors import type_error, value_error
from minispore.ops.common import check_float, check_positive_int, check_rank, check_same_type, check_shape
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.kernels.conv import conv2d, conv2d_grad_input, conv2d_grad_weight
from minispore.ops.primitive import Primitive, Spec

__all__ = ["Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput"]


def as_pair(operation, argument, value):
    """``(a, b)`` from an int or from two ints (MindSpore's form of four, ``(1, 1, a, b)``, too), above 0."""
    values = value if isinstance(value, (tuple, list)) else (value, value)
    values = values[2:] if len(values) == 4 else values
    if len(values) != 2:
        raise value_error(operation, f"the '{argument}' must be an int or two ints", value)
    return tuple(check_positive_int(operation, argument, v) for v in values)


def as_pads(operation, argument, value):
    """``(top, bottom, left, right)`` from an int or four ints, of at least 0."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * 4
    for v in values:
        if isinstance(v, bool) or not isinstance(v, int):
            raise type_error(operation, f"the '{argument}' must be an int or four ints", repr(value))
    if len(values) != 4 or min(values) < 0:
        raise value_error(operation, f"the '{argument}' must be an int or four ints of at least 0", value)
    return values


def same_pads(length, kernel, stride, dilation):
    """The padding before and after one axis for an output of ``ceil(length / stride)``; the odd one goes after."""
    total = max((-(-length // stride) - 1) * stride + dilation * (kernel - 1) + 1 - length, 0)
    return total // 2, total - total // 2


def window_pads(op, shape, kernel, stride, dilation=(1, 1)):
    """``(top, bottom, left, right)`` for planes of ``shape``, as the operation's pad_mode says."""
    if op.pad_mode == "pad":
        return op.pad
    if op.pad_mode == "valid":
        return (0, 0, 0, 0)
    return (
        *same_pads(shape[0], kernel[0], stride[0], dilation[0]),
        *same_pads(shape[1], kernel[1], stride[1], dilation[1]),
    )


def window_count(length, before, after, kernel, stride, dilation=1):
    """How many windows fit along one axis."""
    return (length + before + after - dilation * (kernel - 1) - 1) // stride + 1


class _Convolution(Primitive):
    """Base of the three: their attributes, and the geometry that they share."""

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
        data_format="NCHW",
    ):
        if str(pad_mode).lower() not in ("same", "valid", "pad"):
            raise value_error(self.name, "the 'pad_mode' must be 'same', 'valid' or 'pad'", repr(pad_mode))
        if data_format != "NCHW":
            raise value_error(self.name, "the 'data_format' must be 'NCHW'", repr(data_format))
        pads = as_pads(self.name, "pad", pad)
        if any(pads) and str(pad_mode).lower() != "pad":
            raise value_error(self.name, "the 'pad' must be 0 where 'pad_mode' is not 'pad'", pad)
        for name, value in {
            "out_channel": check_positive_int(self.name, "out_channel", out_channel),
            "kernel_size": as_pair(self.name, "kernel_size", kernel_size),
            "mode": mode,
            "pad_mode": str(pad_mode).lower(),
            "pad": pads,
            "stride": as_pair(self.name, "stride", stride),
            "dilation": as_pair(self.name, "dilation", dilation),
            "group": check_positive_int(self.name, "group", group),
        }.items():
            self.add_prim_attr(name, value)

    def geometry(self, x_shape):
        """``(stride, pads, dilation, group)`` for an input of shape ``x_shape``."""
        pads = window_pads(self, x_shape[2:], self.kernel_size, self.stride, self.dilation)
        return self.stride, pads, self.dilation, self.group

    def like(self, kind):
        """Another of the three with the same attributes."""
        attributes = (
            self.out_channel,
            self.kernel_size,
            self.mode,
            self.pad_mode,
            self.pad,
            self.stride,
            self.dilation,
        )
        return self.related(kind, *attributes, self.group)

    def output_shape(self, x, w):
        """The shape of the convolution's output, after checking input and weight shapes against the attributes."""
        if len(x) != 4 or len(w) != 4:
            raise value_error(self.name, "the 'x' and 'weight' must have 4 axes", f"shapes {x} and {w}")
        if w[0] != self.out_channel or w[2:] != self.kernel_size:
            expected = f"the 'weight' must have {self.out_channel} output channels and the kernel {self.kernel_size}"
            raise value_error(self.name, expected, f"shape {w}")
        if x[1] != w[1] * self.group or self.out_channel % self.group:
            expected = (
                f"the channels of 'x' must be {w[1]} for each of {self.group} groups, which must divide 'out_channel'"
            )
            raise value_error(self.name, expected, f"{x[1]} channels and 'out_channel' {self.out_channel}")
        _, (top, bottom, left, right), dilation, _ = self.geometry(x)
        height = window_count(x[2], top, bottom, w[2], self.stride[0], dilation[0])
        width = window_count(x[3], left, right, w[3], self.stride[1], dilation[1])
        if height < 1 or width < 1:
            raise value_error(self.name, "the kernel must fit into the padded input", f"shapes {x} and {w}")
        return x[0], self.out_channel, height, width


class Conv2D(_Convolution):
    """2-D convolution: ``out[n,o,i,j] = sum over c,u,v of x[n, c, i*s + u*d - p, j*s + v*d - p] * w[o,c,u,v]``."""

    def infer(self, x, w):
        check_float(self, "x", x)
        check_same_type(self, x=x, weight=w)
        return Spec(self.output_shape(x.shape, w.shape), x.dtype)

    def compute(self, xp, x, w):
        return narrow(xp, conv2d(xp, widen(xp, x), widen(xp, w), *self.geometry(x.shape)), x.dtype)

    def bprop(self, x, w, out, dout):
        return (
            wanted(x) and self.like(Conv2DBackpropInput)(dout, w, x._data.shape),
            wanted(w) and self.like(Conv2DBackpropFilter)(dout, x, w._data.shape),
        )


class Conv2DBackpropInput(_Convolution):
    """The gradient of Conv2D for its input: the transposed convolution of ``dy`` with ``w``."""

    def infer(self, dy, w, x_shape):
        check_float(self, "out_backprop", dy)
        check_same_type(self, out_backprop=dy, filter=w)
        check_shape(self, "out_backprop", dy, self.output_shape(tuple(x_shape), w.shape))
        return Spec(tuple(x_shape), dy.dtype)

    def compute(self, xp, dy, w, x_shape):
        dx = conv2d_grad_input(xp, widen(xp, dy), widen(xp, w), tuple(x_shape), *self.geometry(x_shape))
        return narrow(xp, dx, dy.dtype)

    def bprop(self, dy, w, x_shape, out, dout):
        return (
            wanted(dy) and self.like(Conv2D)(dout, w),
            wanted(w) and self.like(Conv2DBackpropFilter)(dy, dout, w._data.shape),
            None,
        )


class Conv2DBackpropFilter(_Convolution):
    """The gradient of Conv2D for its weight: the correlation of ``x`` with ``dy``."""

    def infer(self, dy, x, w_shape):
        check_float(self, "out_backprop", dy)
        check_same_type(self, out_backprop=dy, input=x)
        check_rank(self, "input", x, (4,))
        check_shape(self, "out_backprop", dy, self.output_shape(x.shape, tuple(w_shape)))
        return Spec(tuple(w_shape), dy.dtype)

    def compute(self, xp, dy, x, w_shape):
        dw = conv2d_grad_weight(xp, widen(xp, dy), widen(xp, x), tuple(w_shape), *self.geometry(x.shape))
        return narrow(xp, dw, dy.dtype)

    def bprop(self, dy, x, w_shape, out, dout):
        return (
            wanted(dy) and self.like(Conv2D)(x, dout),
            wanted(x) and self.like(Conv2DBackpropInput)(dy, dout, x._data.shape),
            None,
        )
