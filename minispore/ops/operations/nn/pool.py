"""Pooling over windows of planes: the largest, or the mean, and their gradients."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_positive_int
from minispore.core.errors import shown, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.pool2d import avg_pool2d, avg_pool2d_grad, max_pool2d, max_pool2d_gather, max_pool2d_grad
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type
from minispore.ops.windows import as_lengths, as_pad_mode, as_sizes, ceil_pads, reach, window_counts, window_pads

__all__ = ["AvgPool", "AvgPoolGrad", "MaxPool", "MaxPoolArgmax", "MaxPoolGather", "MaxPoolGrad"]


class _Pooling(Primitive):
    """Base of pooling: windows of ``kernel_size`` every ``strides``, ``pad_mode`` "valid", "same" or "pad".

    With ``ceil_mode`` a last window may reach beyond the end, if it begins before the padding there.
    """

    dilation = (1, 1)

    def __init__(
        self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW", pad=0, ceil_mode: bool = False
    ) -> None:
        if data_format != "NCHW":
            raise value_error(self.name, "the 'data_format' must be 'NCHW'", shown(data_format))
        self.add_prim_attr("kernel_size", as_sizes(self.name, "kernel_size", kernel_size))
        self.add_prim_attr("strides", as_sizes(self.name, "strides", strides))
        self.add_prim_attr("pad_mode", as_pad_mode(self.name, pad_mode))
        self.add_prim_attr("pad", as_lengths(self.name, "pad", pad, 4))
        self.add_prim_attr("ceil_mode", ceil_mode)

    def windows(self, shape):
        """``(kernel, stride, pads)`` for an input of ``shape``."""
        sizes = self.kernel_size, self.strides, self.dilation
        pads = window_pads(self, shape[2:], *sizes)
        if self.ceil_mode:
            pads = ceil_pads(shape[2:], pads, *sizes)
        return self.kernel_size, self.strides, pads

    def pooled(self, x):
        """The Spec of the pooled Tensor."""
        check_float(self, "x", x)
        check_rank(self, "x", x, (4,))
        kernel, stride, pads = self.windows(x.shape)
        counts = window_counts(x.shape[2:], pads, kernel, stride, self.dilation)
        if min(counts) < 1:
            raise value_error(self.name, "the kernel must fit into the padded input", f"{kernel} for shape {x.shape}")
        return Spec((*x.shape[:2], *counts), x.dtype)

    def arguments(self):
        """The arguments with which ``like`` makes another pooling."""
        return self.kernel_size, self.strides, self.pad_mode, "NCHW", self.pad, self.ceil_mode

    def like(self, kind):
        """Another pooling with the same attributes."""
        return self.cached_primitive(kind, *self.arguments())


class _MaxPooling(_Pooling):
    """Base of max pooling and its gradients: ``dilation`` is the distance of a window's elements."""

    def __init__(
        self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW", pad=0, ceil_mode: bool = False, dilation=1
    ) -> None:
        super().__init__(kernel_size, strides, pad_mode, data_format, pad, ceil_mode)
        self.add_prim_attr("dilation", as_sizes(self.name, "dilation", dilation))
        windows = [reach(k, d) for k, d in zip(self.kernel_size, self.dilation, strict=True)]
        if any(2 * p > windows[i // 2] for i, p in enumerate(self.pad)):
            raise value_error(self.name, f"the 'pad' must be at most half of the windows, {tuple(windows)}", pad)

    def arguments(self):
        return *super().arguments(), self.dilation

    def at(self, shape):
        """The kernels' arguments for an input of ``shape``."""
        return *self.windows(shape), self.dilation


def _comparable(xp, x):
    """``x`` in a type whose numbers are compared fast: a maximum only chooses, so nothing need be widened."""
    return x if x.dtype == np.float16 else widen(xp, x)


class MaxPool(_MaxPooling):
    """The largest element of each window; nan where there is one.

    Shapes: (N, C, H, W) gives (N, C, h, w). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``kernel_size``, ``strides`` or ``dilation`` is not an int, or ``pad_mode`` is not a str or an
            int. Also if ``data_format`` is not a str, or ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``dilation`` is not above 0, ``pad_mode`` is not "same", "valid"
            or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaxPool(2, 2)(ms.Tensor([[[[1.0, 2.0, 5.0, 3.0], [4.0, 0.0, 1.0, 1.0]]]])))
        [[[[4. 5.]]]]
    """

    def infer(self, x):
        return self.pooled(x)

    def compute(self, xp, x):
        return narrow(xp, max_pool2d(xp, _comparable(xp, x), *self.at(x.shape)), x.dtype)

    def compute_in_float32(self, xp, x):
        """With the zeros that float16's order by integers gives: none of them negative."""
        y = self.compute(xp, x)
        y += 0
        return y

    def bprop(self, x, out, dout):
        return self.like(MaxPoolGrad)(x, out, dout)


class MaxPoolGrad(_MaxPooling):
    """The gradient of MaxPool: each window's gradient at its first largest element.

    Shapes: ``x`` (N, C, H, W), the pooled values and their gradient (N, C, h, w) give (N, C, H, W). Dtypes: floats,
    ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``kernel_size``, ``strides`` or ``dilation`` is not an int, or ``pad_mode`` is not a str or an
            int. Also if ``data_format`` is not a str, or ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``dilation`` is not above 0, ``pad_mode`` is not "same", "valid"
            or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least 0.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
        >>> print(ops.MaxPoolGrad(2, 2)(x, ms.Tensor([[[[4.0]]]]), ms.Tensor([[[[10.0]]]])))
        [[[[ 0.  0.]
           [10.  0.]]]]
    """

    def infer(self, x, y, dy):
        check_same_type(self, x=x, y=y, dy=dy)
        return Spec(x.shape, x.dtype)

    @property
    def wide(self):
        """A gradient that no other is added to is exact."""
        return "rounded" if self._overlaps() else "exact"

    def _overlaps(self):
        """True if a pixel may lie in several windows."""
        windows = zip(self.kernel_size, self.strides, self.dilation, strict=True)
        return any(reach(k, d) > s for k, s, d in windows)

    def compute(self, xp, x, y, dy):
        dy = widen(xp, dy) if self._overlaps() else dy  # a sum of several gradients is rounded once
        return narrow(xp, max_pool2d_grad(xp, _comparable(xp, x), _comparable(xp, y), dy, *self.at(x.shape)), x.dtype)

    def bprop(self, x, y, dy, out, dout):
        return None, None, (self.like(MaxPoolGather)(x, y, dout) if needs_grad(dy) else None)


class MaxPoolGather(_MaxPooling):
    """The element of ``v`` where the window's first largest element of ``x`` stands.

    Shapes: ``x`` and ``v`` (N, C, H, W) with pooled values (N, C, h, w) give (N, C, h, w). Dtypes: floats, ints and
    bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``kernel_size``, ``strides`` or ``dilation`` is not an int, or ``pad_mode`` is not a str or an
            int. Also if ``data_format`` is not a str, or ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``dilation`` is not above 0, ``pad_mode`` is not "same", "valid"
            or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least 0.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, v = ms.Tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), ms.Tensor([[[[10.0, 20.0], [40.0, 30.0]]]])
        >>> print(ops.MaxPoolGather(2, 2)(x, ms.Tensor([[[[4.0]]]]), v))
        [[[[40.]]]]
    """

    def infer(self, x, y, v):
        check_same_type(self, x=x, y=y, v=v)
        return Spec(y.shape, x.dtype)

    def compute(self, xp, x, y, v):
        out = max_pool2d_gather(xp, widen(xp, x), widen(xp, y), widen(xp, v), *self.at(x.shape))
        return narrow(xp, out, x.dtype)

    def bprop(self, x, y, v, out, dout):
        return None, None, (self.like(MaxPoolGrad)(x, y, dout) if needs_grad(v) else None)


class MaxPoolArgmax(_MaxPooling):
    """Place in its plane, row by row, of each window's first largest element of ``x``: int64, shaped like ``y``.

    It is called with ``x`` (N, C, H, W) and with ``y``, what ``MaxPool`` makes of it.

    Dtypes: floats; the answer is int64; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``kernel_size``, ``strides`` or ``dilation`` is not an int, or ``pad_mode`` is not a str or an
            int. Also if ``data_format`` is not a str, or ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``dilation`` is not above 0, ``pad_mode`` is not "same", "valid"
            or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaxPoolArgmax(2, 2)(ms.Tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), ms.Tensor([[[[4.0]]]])))
        [[[[2]]]]
    """

    differentiable = False

    def infer(self, x, y):
        check_same_type(self, x=x, y=y)
        check_shape(self, "y", y, self.pooled(x).shape)
        return Spec(y.shape, np.dtype(np.int64))

    def compute(self, xp, x, y):
        positions = xp.arange(x.shape[2] * x.shape[3], dtype=np.int64).reshape(1, 1, *x.shape[2:])
        return max_pool2d_gather(xp, widen(xp, x), widen(xp, y), positions, *self.at(x.shape))


class _AvgPooling(_Pooling):
    """Base of average pooling and its gradient: ``count_include_pad`` counts padding; ``divisor_override`` divides."""

    def __init__(
        self,
        kernel_size=1,
        strides=1,
        pad_mode="valid",
        data_format="NCHW",
        pad=0,
        ceil_mode: bool = False,
        count_include_pad: bool = False,
        divisor_override=None,
    ) -> None:
        super().__init__(kernel_size, strides, pad_mode, data_format, pad, ceil_mode)
        if divisor_override is not None:
            check_positive_int(self.name, "divisor_override", divisor_override)
        self.add_prim_attr("count_include_pad", count_include_pad)
        self.add_prim_attr("divisor_override", divisor_override)

    def arguments(self):
        return *super().arguments(), self.count_include_pad, self.divisor_override

    def at(self, shape):
        """The kernels' arguments for an input of ``shape``."""
        counted = (0, 0, 0, 0)
        if self.count_include_pad:
            counted = window_pads(self, shape[2:], self.kernel_size, self.strides, self.dilation)
        return *self.windows(shape), counted, self.divisor_override


class AvgPool(_AvgPooling):
    """The mean of each window's elements.

    Shapes: (N, C, H, W) gives (N, C, h, w). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``kernel_size`` or ``strides`` is not an int, ``pad_mode`` is not a str or an int, or
            ``data_format`` is not a str. Also if ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``divisor_override`` is not above 0, ``pad_mode`` is not "same",
            "valid" or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least
            0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AvgPool(2, 2)(ms.Tensor([[[[1.0, 2.0, 5.0, 3.0], [4.0, 1.0, 1.0, 1.0]]]])))
        [[[[2.  2.5]]]]
    """

    def infer(self, x):
        return self.pooled(x)

    def compute(self, xp, x):
        return narrow(xp, avg_pool2d(xp, widen(xp, x), *self.at(x.shape)), x.dtype)

    def bprop(self, x, out, dout):
        return self.like(AvgPoolGrad)(dout, x.array.shape)


class AvgPoolGrad(_AvgPooling):
    """The gradient of AvgPool: each window's gradient, shared evenly.

    Shapes: ``dy`` (N, C, h, w) gives ``x_shape``, (N, C, H, W). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``kernel_size`` or ``strides`` is not an int, ``pad_mode`` is not a str or an int, or
            ``data_format`` is not a str. Also if ``pad`` is not an int or four ints.
        ValueError: If ``kernel_size``, ``strides`` or ``divisor_override`` is not above 0, ``pad_mode`` is not "same",
            "valid" or "pad", or ``data_format`` is not "NCHW". Also if ``pad`` is not an int or four ints of at least
            0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AvgPoolGrad(2, 2)(ms.Tensor([[[[8.0]]]]), (1, 1, 2, 2)))
        [[[[2. 2.]
           [2. 2.]]]]
    """

    def infer(self, dy, x_shape):
        check_float(self, "dy", dy), check_rank(self, "dy", dy, (4,))
        return Spec(tuple(as_lengths(self.name, "x_shape", x_shape, 4)), dy.dtype)

    def compute(self, xp, dy, x_shape):
        dx = avg_pool2d_grad(xp, widen(xp, dy), tuple(x_shape), *self.at(x_shape))
        return narrow(xp, dx, dy.dtype)

    def bprop(self, dy, x_shape, out, dout):
        return self.like(AvgPool)(dout), None
