"""Pooling over windows of planes: the largest, or the mean, and their gradients."""

from minispore.autograd import wanted
from minispore.errors import value_error
from minispore.ops.common import check_float, check_rank, check_same_type
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.kernels.pool import avg_pool2d, avg_pool2d_grad, max_pool2d, max_pool2d_gather, max_pool2d_grad
from minispore.ops.primitive import Primitive, Spec
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes, window_counts, window_pads

__all__ = ["AvgPool", "AvgPoolGrad", "MaxPool", "MaxPoolGather", "MaxPoolGrad"]


class _Pooling(Primitive):
    """Base of pooling: windows of ``kernel_size`` every ``strides``, ``pad_mode`` "valid", "same" or "pad"."""

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", pad=0, data_format="NCHW"):
        if data_format != "NCHW":
            raise value_error(self.name, "the 'data_format' must be 'NCHW'", repr(data_format))
        self.add_prim_attr("kernel_size", as_sizes(self.name, "kernel_size", kernel_size))
        self.add_prim_attr("strides", as_sizes(self.name, "strides", strides))
        self.add_prim_attr("pad_mode", as_pad_mode(self.name, pad_mode))
        self.add_prim_attr("pad", as_lengths(self.name, "pad", pad, 4))

    def windows(self, shape):
        """``(kernel, stride, pads)`` for an input of ``shape``."""
        return self.kernel_size, self.strides, window_pads(self, shape[2:], self.kernel_size, self.strides, (1, 1))

    def pooled(self, x):
        """The Spec of the pooled Tensor."""
        check_float(self, "x", x)
        check_rank(self, "x", x, (4,))
        kernel, stride, pads = self.windows(x.shape)
        counts = window_counts(x.shape[2:], pads, kernel, stride, (1, 1))
        if min(counts) < 1:
            raise value_error(self.name, "the kernel must fit into the padded input", f"{kernel} for shape {x.shape}")
        return Spec((*x.shape[:2], *counts), x.dtype)

    def like(self, kind):
        """Another pooling with the same attributes."""
        return self.related(kind, self.kernel_size, self.strides, self.pad_mode, self.pad)


class MaxPool(_Pooling):
    """The largest element of each window; nan where there is one."""

    piecewise = True

    def infer(self, x):
        return self.pooled(x)

    def compute(self, xp, x):
        return narrow(xp, max_pool2d(xp, widen(xp, x), *self.windows(x.shape)), x.dtype)

    def bprop(self, x, out, dout):
        return self.like(MaxPoolGrad)(x, out, dout)


class MaxPoolGrad(_Pooling):
    """The gradient of MaxPool: each window's gradient at its first largest element."""

    piecewise = True

    def infer(self, x, y, dy):
        check_same_type(self, x=x, y=y, dy=dy)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x, y, dy):
        dx = max_pool2d_grad(xp, widen(xp, x), widen(xp, y), widen(xp, dy), *self.windows(x.shape))
        return narrow(xp, dx, x.dtype)

    def bprop(self, x, y, dy, out, dout):
        return None, None, wanted(dy) and self.like(MaxPoolGather)(x, y, dout)


class MaxPoolGather(_Pooling):
    """The element of ``v`` where the window's first largest element of ``x`` stands."""

    piecewise = True

    def infer(self, x, y, v):
        check_same_type(self, x=x, y=y, v=v)
        return Spec(y.shape, x.dtype)

    def compute(self, xp, x, y, v):
        out = max_pool2d_gather(xp, widen(xp, x), widen(xp, y), widen(xp, v), *self.windows(x.shape))
        return narrow(xp, out, x.dtype)

    def bprop(self, x, y, v, out, dout):
        return None, None, wanted(v) and self.like(MaxPoolGrad)(x, y, dout)


class AvgPool(_Pooling):
    """The mean of each window's elements; padding does not count."""

    def infer(self, x):
        return self.pooled(x)

    def compute(self, xp, x):
        return narrow(xp, avg_pool2d(xp, widen(xp, x), *self.windows(x.shape)), x.dtype)

    def bprop(self, x, out, dout):
        return self.like(AvgPoolGrad)(dout, x._data.shape)


class AvgPoolGrad(_Pooling):
    """The gradient of AvgPool: each window's gradient, shared evenly."""

    def infer(self, dy, x_shape):
        check_float(self, "dy", dy)
        return Spec(tuple(x_shape), dy.dtype)

    def compute(self, xp, dy, x_shape):
        dx = avg_pool2d_grad(xp, widen(xp, dy), tuple(x_shape), *self.windows(x_shape))
        return narrow(xp, dx, dy.dtype)

    def bprop(self, dy, x_shape, out, dout):
        return self.like(AvgPool)(dout), None
