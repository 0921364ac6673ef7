"""Adaptive pooling: the mean or the largest of windows that share a plane evenly, for an output of a given size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_64_bits
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.pool_adaptive import adaptive_avg_pool2d, adaptive_avg_pool2d_grad, adaptive_max_pool2d
from minispore.ops.operations.array.indexing import ScatterTo
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float

__all__ = ["AdaptiveAvgPool2D", "AdaptiveAvgPool2DGrad", "AdaptiveMaxPool2D"]


class _Adaptive(Primitive):
    """Base: ``output_size`` is an int or two; None stands for the length that x has."""

    smallest = 0

    def __init__(self, output_size) -> None:
        sizes = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * 2
        if output_size is None or any(isinstance(n, bool) or not isinstance(n, (int, type(None))) for n in sizes):
            raise type_error(self.name, "the 'output_size' must be an int or two ints or None", shown(output_size))
        if len(sizes) != 2 or any(n is not None and n < self.smallest for n in sizes):
            raise value_error(self.name, f"the 'output_size' must be two of at least {self.smallest}", output_size)
        self.add_prim_attr("output_size", check_64_bits(self.name, "output_size", tuple(sizes)))

    def planes(self, x):
        """An array as (N, C, H, W); one image has three axes."""
        return x.reshape(1, *x.shape) if x.ndim == 3 else x

    def size(self, x_shape):
        """The height and width of the output."""
        return tuple(n if m is None else m for n, m in zip(x_shape[-2:], self.output_size, strict=True))

    def pooled(self, x):
        """The shape of the output."""
        check_float(self, "x", x)
        check_rank(self, "x", x, (3, 4))
        if 0 in x.shape[-2:]:
            raise value_error(self.name, "the planes of 'x' must not be empty", f"shape {x.shape}")
        return (*x.shape[:-2], *self.size(x.shape))


class AdaptiveAvgPool2D(_Adaptive):
    """Means of windows that share each plane evenly.

    ``out[n, c, i, j] = mean of x[n, c]`` from ``floor(i * H / OH)`` to ``ceil((i + 1) * H / OH)``, and so along W.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        output_size (Union[int, tuple]): (OH, OW), or one int for both; None is x's own length.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``, floating.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not two of at least 0, or x has not 3 or 4 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.AdaptiveAvgPool2D((1, 2))(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[1.5 3.5]]]
    """

    def infer(self, x):
        return Spec(self.pooled(x), x.dtype)

    def compute(self, xp, x):
        y = adaptive_avg_pool2d(xp, self.planes(widen(xp, x)), self.size(x.shape))
        return narrow(xp, y.reshape(*x.shape[:-2], *y.shape[2:]), x.dtype)

    def bprop(self, x, out, dout):
        return self.cached_primitive(AdaptiveAvgPool2DGrad, self.output_size)(dout, x.array.shape)


class AdaptiveAvgPool2DGrad(_Adaptive):
    """The gradient of AdaptiveAvgPool2D: each window's gradient, shared evenly.

    Shapes: ``dy`` (N, C, h, w) gives ``x_shape``, (N, C, H, W). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``output_size`` is not an int or two ints or None, or ``dy`` is not a Tensor.
        ValueError: If ``output_size`` is not two ints of at least 0.
        IndexError: If ``dy`` or ``x_shape`` has fewer than two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AdaptiveAvgPool2DGrad((1, 2))(ms.Tensor([[[[6.0, 8.0]]]]), (1, 1, 1, 4)))
        [[[[3. 3. 4. 4.]]]]
    """

    def infer(self, dy, x_shape):
        check_float(self, "dy", dy)
        return Spec(tuple(x_shape), dy.dtype)

    def compute(self, xp, dy, x_shape):
        dx = adaptive_avg_pool2d_grad(xp, self.planes(widen(xp, dy)), (1, 1, *x_shape[-2:]))
        return narrow(xp, dx.reshape(x_shape), dy.dtype)

    def bprop(self, dy, x_shape, out, dout):
        return self.cached_primitive(AdaptiveAvgPool2D, self.output_size)(dout), None


class AdaptiveMaxPool2D(_Adaptive):
    """The largest element of each window of AdaptiveAvgPool2D, and its position in its plane: ``(out, indices)``.

    The indices are int64 and count row by row; the first of several is taken, and nan counts as the largest. Arguments
    and errors as in :class:`AdaptiveAvgPool2D`, with sizes of at least 1.

    Dtypes: floats; the answer is int64; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``output_size`` is not an int or two ints or None, or ``x`` is not a Tensor.
        ValueError: If ``output_size`` is not two ints of at least 1, or ``x`` does not have 3 or 4 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.AdaptiveMaxPool2D((1, 2))(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]]))[1])
        [[[1 3]]]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    smallest = 1

    def infer(self, x):
        shape = self.pooled(x)
        return Spec(shape, x.dtype), Spec(shape, np.dtype(np.int64))

    def compute(self, xp, x):
        y, positions = adaptive_max_pool2d(xp, self.planes(widen(xp, x)), self.size(x.shape))
        shape = (*x.shape[:-2], *y.shape[2:])
        return narrow(xp, y.reshape(shape), x.dtype), positions.reshape(shape)

    def bprop(self, x, out, dout):
        *planes, height, width = x.array.shape
        count = int(np.prod(planes))
        firsts = Tensor(np.arange(count, dtype=np.int64) * (height * width)).reshape((*planes, 1, 1))
        scatter = self.cached_primitive(ScatterTo, ("tensor",), (count * height * width,))
        return scatter(dout[0].reshape((-1,)), (out[1] + firsts).reshape((-1,))).reshape(x.array.shape)
