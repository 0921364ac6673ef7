"""Normalization: BatchNorm and LayerNorm, in float32 inside, and their gradients.

The gradient primitives are closed forms for speed; their own gradients are taken through the same formula written with
elementary operations.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import shown, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.running import running
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.broadcasting import sum_to
from minispore.ops.casting import cast
from minispore.ops.kernels.batch_norm import batch_norm, batch_norm_grad, batch_norm_inference
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.layer_norm import layer_norm, layer_norm_grad
from minispore.ops.second_derivatives import pulled_back
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float

__all__ = ["BatchNorm", "BatchNormGrad", "LayerNorm", "LayerNormGrad"]


def _wide(dtype):
    """The compute dtype: float32, or float64 for a float64 input."""
    return dtype if dtype == np.float64 else np.dtype(np.float32)


def _channel_axes(rank):
    return tuple(i for i in range(rank) if i != 1)


def _laid(per_channel, rank):
    return per_channel.reshape((1, -1) + (1,) * (rank - 2))


class _Normalization(Primitive):
    """Base: statistics and sums in float32, outputs rounded once.

    If a cell computes in float32 between casts from float16 and back (``running.narrowed``), x stays float16. The
    numbers are the same, and the output is rounded once either way.
    """

    rounds_once = True  # its gradient too

    def _autocast(self, args, numpy_type):
        if running.narrowed is not None and self.rounds_once and numpy_type == np.float32:
            kinds = [y.array.dtype if isinstance(y, Tensor) else None for y in args]
            if kinds[0] == running.narrowed and all(kind == numpy_type for kind in kinds[1:]):
                return args
        return super()._autocast(args, numpy_type)


class BatchNorm(_Normalization):
    """Normalization of each channel over the batch.

    ``y = (x - mean) / sqrt(var + epsilon) * scale + bias`` per channel (axis 1): ``(y, mean, var, mean, var)``.

    With ``is_training`` mean and biased variance are the batch's. The moving ones become
    ``moving * (1 - momentum) + batch * momentum``, for the variance with the unbiased one. Without it the moving ones
    are used.

    Shapes: (N, C, ...), kept; scale, bias, mean and variance are (C,). Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``is_training`` is not a bool, ``epsilon`` or ``momentum`` is not a number, or ``data_format`` is
            not a str. Also if an argument is not a Tensor.
        ValueError: If ``data_format`` is not "NCHW", or ``x`` does not have 2 to 5 axes. Also if an argument has a
            shape that does not fit, or ``x`` has no elements in each channel.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 10.0], [3.0, 30.0]])
        >>> zeros, ones = ops.zeros((2,)), ops.ones((2,))
        >>> print(ops.BatchNorm(is_training=True)(x, ones, zeros, zeros, ones)[0])
        [[-0.999995 -1.      ]
         [ 0.999995  1.      ]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, is_training: bool = False, epsilon=1e-5, momentum=0.1, data_format="NCHW") -> None:
        if data_format != "NCHW":
            raise value_error(self.name, "the 'data_format' must be 'NCHW'", shown(data_format))
        self.add_prim_attr("is_training", is_training)
        self.add_prim_attr("epsilon", epsilon)
        self.add_prim_attr("momentum", momentum)
        self.writes = (3, 4) if is_training else ()

    def _autocast(self, args, numpy_type):
        """Lower x alone: scale, bias and statistics are used unrounded, as observed."""
        return *super()._autocast(args[:1], numpy_type), *args[1:]

    @property
    def rounds_once(self):
        """Only in training: in inference the gradient's factor is of the dtype of x."""
        return self.is_training

    def infer(self, x, scale, bias, mean, variance):
        check_float(self, "input_x", x)
        if not 2 <= len(x.shape) <= 5:
            raise value_error(self.name, "the 'input_x' must have 2 to 5 axes", f"shape {x.shape}")
        for name, spec in {"scale": scale, "bias": bias, "mean": mean, "variance": variance}.items():
            check_float(self, name, spec)
            check_shape(self, name, spec, x.shape[1:2])
        if self.is_training and x.shape[1] and np.prod(x.shape) // x.shape[1] < 1:
            raise value_error(self.name, "the 'input_x' must have elements in each channel", f"shape {x.shape}")
        y, statistic = Spec(x.shape, x.dtype), Spec(x.shape[1:2], _wide(x.dtype))
        if self.is_training:
            return mean, variance, y, *(statistic,) * 4
        return y, *(mean._replace(dtype=_wide(mean.dtype)), variance._replace(dtype=_wide(variance.dtype))) * 2

    def compute(self, xp, x, scale, bias, mean, variance):
        wide, scale, bias = widen(xp, x), widen(xp, scale), widen(xp, bias)
        if not self.is_training:
            statistics = widen(xp, mean), widen(xp, variance)
            y = batch_norm_inference(xp, wide, scale, bias, *statistics, self.epsilon)
            return narrow(xp, y, x.dtype), *[s.copy() for _ in range(2) for s in statistics]
        y, *statistics = batch_norm(xp, wide, scale, bias, self.epsilon)
        count = wide.size // wide.shape[1]
        unbiased = statistics[1] * (count / max(count - 1, 1))
        moved = self._moved(xp, mean, statistics[0]), self._moved(xp, variance, unbiased)
        return *moved, narrow(xp, y, x.dtype), *statistics, *[s.copy() for s in statistics]

    def _moved(self, xp, moving, batch):
        return (widen(xp, moving) * (1 - self.momentum) + batch * self.momentum).astype(moving.dtype)

    def bprop(self, x, scale, bias, mean, variance, out, dout):
        if self.is_training:
            grad = self.cached_primitive(BatchNormGrad, self.epsilon)
            return (*grad(dout[0], x, scale, out[1], out[2]), None, None)
        rank, axes = x.ndim, _channel_axes(x.ndim)
        rstd = (variance + self.epsilon).rsqrt()
        factor = _laid((rstd * scale).astype(x.dtype), rank)
        normal = (x - _laid(mean, rank)) * _laid(rstd, rank) if needs_grad(scale) else None
        return (
            dout[0] * factor if needs_grad(x) else None,
            (dout[0] * normal).sum(axes).astype(scale.dtype) if needs_grad(scale) else None,
            dout[0].sum(axes).astype(bias.dtype) if needs_grad(bias) else None,
            None,
            None,
        )


class BatchNormGrad(Primitive):
    """The gradient of BatchNorm in training: ``(dx, dscale, dbias)``, from the batch's mean and biased variance.

    Shapes: ``dy`` and ``x`` (N, C, ...) give (N, C, ...), (C,) and (C,). Dtypes: floats, kept; TypeError for ints,
    bools and complex.

    Raises:
        TypeError: If ``epsilon`` is not a number, or ``dy`` or ``x`` is not a Tensor.
        ValueError: If ``dy`` has a shape that does not fit.
        IndexError: If ``mean`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, one = ms.Tensor([[1.0], [3.0]]), ms.Tensor([1.0])
        >>> dx, dscale, dbias = ops.BatchNormGrad()(ms.Tensor([[1.0], [2.0]]), x, one, ms.Tensor([2.0]), one)
        >>> print(dscale, dbias)
        [0.999995] [3.]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, epsilon=1e-5) -> None:
        self.add_prim_attr("epsilon", epsilon)

    def infer(self, dy, x, scale, mean, variance):
        check_float(self, "x", x)
        check_shape(self, "dy", dy, x.shape)
        return Spec(x.shape, x.dtype), scale, scale

    def compute(self, xp, dy, x, scale, mean, variance):
        wide = widen(xp, dy), widen(xp, x), widen(xp, scale)
        dx, dscale, dbias = batch_norm_grad(xp, *wide, mean, variance, self.epsilon)
        return narrow(xp, dx, x.dtype), narrow(xp, dscale, scale.dtype), narrow(xp, dbias, scale.dtype)

    def bprop(self, dy, x, scale, mean, variance, out, dout):
        return *pulled_back(self._composed, (dy, x, scale), dout), None, None

    def _composed(self, dy, x, scale):
        rank, axes = x.ndim, _channel_axes(x.ndim)
        centred = x - x.mean(axes, keep_dims=True)
        rstd = (centred.square().mean(axes, keep_dims=True) + self.epsilon).rsqrt()
        normal = centred * rstd
        dbias, dscale = dy.sum(axes), (dy * normal).sum(axes)
        count = x.size // x.shape[1]
        inner = dy - _laid(dbias, rank) * (1 / count) - normal * _laid(dscale, rank) * (1 / count)
        return inner * rstd * _laid(scale, rank), dscale.astype(scale.dtype), dbias.astype(scale.dtype)


class LayerNorm(_Normalization):
    r"""Normalization of each sample over its last axes.

    ``y = (x - mean) / sqrt(var + epsilon) * gamma + beta`` over the axes from ``begin_norm_axis`` on.

    It gives ``(y, mean, var)``; gamma and beta have the shape of x's axes from ``begin_params_axis`` on.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``begin_norm_axis`` or ``begin_params_axis`` is not an int, ``epsilon`` is not a number, or ``x``,
            ``gamma`` or ``beta`` is not a Tensor.
        ValueError: If ``gamma`` or ``beta`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0, 3.0]])
        >>> print(*ops.LayerNorm()(x, ops.ones((3,)), ops.zeros((3,))), sep="\n")
        [[-1.2247448  0.         1.2247448]]
        [[2.]]
        [[0.6666667]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-7) -> None:
        for name, value in (("begin_norm_axis", begin_norm_axis), ("begin_params_axis", begin_params_axis)):
            check_int(self.name, name, value)
            self.add_prim_attr(name, value)
        self.add_prim_attr("epsilon", epsilon)

    def infer(self, x, gamma, beta):
        check_float(self, "input_x", x)
        rank = len(x.shape)
        if not (-rank <= self.begin_norm_axis < rank and -rank <= self.begin_params_axis < rank):
            got = f"{self.begin_norm_axis} and {self.begin_params_axis}"
            expected = f"the 'begin_norm_axis' and 'begin_params_axis' must be in [-{rank}, {rank})"
            raise value_error(self.name, expected, got)
        begin, first = self.begin_norm_axis % rank, self.begin_params_axis % rank
        check_shape(self, "gamma", gamma, x.shape[first:])
        check_shape(self, "beta", beta, x.shape[first:])
        statistic = Spec(x.shape[:begin] + (1,) * (rank - begin), _wide(x.dtype))
        return Spec(x.shape, x.dtype), statistic, statistic

    def compute(self, xp, x, gamma, beta):
        wide, gamma, beta = widen(xp, x), widen(xp, gamma), widen(xp, beta)
        begin = self.begin_norm_axis % x.ndim
        if self.like_rows(x.ndim):
            y, mean, variance = layer_norm(xp, wide, gamma, beta, begin, self.epsilon)
        else:
            ones = xp.ones(x.shape[begin:], wide.dtype)
            y, mean, variance = layer_norm(xp, wide, ones, xp.zeros_like(ones), begin, self.epsilon)
            y = y * gamma + beta
        return narrow(xp, y, x.dtype), mean, variance

    def like_rows(self, rank):
        """True if gamma and beta have the shape of the normalized axes."""
        return self.begin_norm_axis % rank == self.begin_params_axis % rank

    def bprop(self, x, gamma, beta, out, dout):
        grad = self.cached_primitive(LayerNormGrad, self.begin_norm_axis, self.epsilon)
        if self.like_rows(x.ndim):
            return grad(dout[0], x, gamma, out[1], out[2])
        wide, dy = cast(x, _wide(x.array.dtype)), cast(dout[0], _wide(x.array.dtype))
        ones = Tensor(np.ones(x.shape[self.begin_norm_axis % x.ndim :], wide.array.dtype))
        plain = self.cached_primitive(LayerNorm, self.begin_norm_axis, self.begin_norm_axis, self.epsilon)
        normal = plain(wide, ones, ones * 0)[0]
        return (
            cast(grad(dy * gamma, wide, ones, out[1], out[2])[0], x.array.dtype) if needs_grad(x) else None,
            cast(sum_to(dy * normal, gamma.shape), gamma.array.dtype) if needs_grad(gamma) else None,
            cast(sum_to(dy, beta.shape), beta.array.dtype) if needs_grad(beta) else None,
        )


class LayerNormGrad(Primitive):
    """The gradient of LayerNorm: ``(dx, dgamma, dbeta)``, from the rows' means and biased variances.

    Shapes: ``x`` and ``dy`` any, kept; the gradients of the scale and the offset have the axes from
    ``begin_params_axis`` on. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``begin_norm_axis`` is not an int, ``epsilon`` is not a number, or an argument is not a Tensor.
        ValueError: If an argument has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, ones = ms.Tensor([[1.0, 3.0]]), ms.Tensor([1.0, 1.0])
        >>> mean, variance = ms.Tensor([[2.0]]), ms.Tensor([[1.0]])
        >>> dx, dgamma, dbeta = ops.LayerNormGrad()(ms.Tensor([[1.0, 2.0]]), x, ones, mean, variance)
        >>> print(dgamma, dbeta)
        [-1.  2.] [1. 2.]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, begin_norm_axis=1, epsilon=1e-7) -> None:
        self.add_prim_attr("begin_norm_axis", begin_norm_axis)
        self.add_prim_attr("epsilon", epsilon)

    def infer(self, dy, x, gamma, mean, variance):
        check_float(self, "x", x)
        check_shape(self, "dy", dy, x.shape)
        rank = len(x.shape)
        if not -rank <= self.begin_norm_axis < rank:
            raise value_error(self.name, f"the 'begin_norm_axis' must be in [-{rank}, {rank})", self.begin_norm_axis)
        begin = self.begin_norm_axis % rank
        check_shape(self, "gamma", gamma, x.shape[begin:])
        for name, y in (("mean", mean), ("variance", variance)):
            check_shape(self, name, y, x.shape[:begin] + (1,) * (rank - begin))
        return Spec(x.shape, x.dtype), gamma, gamma

    def compute(self, xp, dy, x, gamma, mean, variance):
        wide = widen(xp, dy), widen(xp, x), widen(xp, gamma)
        dx, dgamma, dbeta = layer_norm_grad(xp, *wide, mean, variance, self.begin_norm_axis % x.ndim, self.epsilon)
        return narrow(xp, dx, x.dtype), narrow(xp, dgamma, gamma.dtype), narrow(xp, dbeta, gamma.dtype)

    def bprop(self, dy, x, gamma, mean, variance, out, dout):
        return *pulled_back(self._composed, (dy, x, gamma), dout), None, None

    def _composed(self, dy, x, gamma):
        begin = self.begin_norm_axis % x.ndim
        axes, rows = tuple(range(begin, x.ndim)), tuple(range(begin))
        centred = x - x.mean(axes, keep_dims=True)
        rstd = (centred.square().mean(axes, keep_dims=True) + self.epsilon).rsqrt()
        normal, scaled = centred * rstd, dy * gamma
        inner = scaled - scaled.mean(axes, keep_dims=True) - normal * (scaled * normal).mean(axes, keep_dims=True)
        return inner * rstd, (dy * normal).sum(rows) if rows else dy * normal, dy.sum(rows) if rows else dy * 1
