"""Functional wrappers of the normalizations."""

from __future__ import annotations

from functools import reduce

import numpy as np

from minispore.core.checks import check_positive_int
from minispore.core.dtype import NARROW_FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.dtype_promotion import promote
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.nn.composed import LRN
from minispore.ops.operations.nn.normalization import BatchNorm, LayerNorm
from minispore.ops.promotion import lowered_dtype

__all__ = ["batch_norm", "group_norm", "layer_norm", "lrn"]


def _filled(value, shape, like):
    return Tensor(np.full(shape, value, np.float64 if like.array.dtype == np.float64 else np.float32))


def batch_norm(
    input_x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor,
    bias: Tensor,
    training: bool = False,
    momentum=0.1,
    eps=1e-5,
) -> Tensor:
    """Normalization of each channel over the batch.

    ``(x - mean) / sqrt(var + eps) * weight + bias`` per channel: the first output of ``BatchNorm``.

    In training the running statistics, which must be Parameters to be kept, become ``(1 - momentum) * running +
    momentum * batch``.

    Shapes: (N, C, *), kept; all others are (C,). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor, ``training`` is not a bool, or ``momentum`` or ``eps`` is not a
            number.
        ValueError: If ``input_x`` does not have 2 to 5 axes, or an argument has a shape that does not fit. Also if
            ``input_x`` has no elements in each channel.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 10.0], [3.0, 30.0]])
        >>> zeros, ones = ops.zeros((2,)), ops.ones((2,))
        >>> print(ops.batch_norm(x, zeros, ones, ones, zeros))  # by the running statistics: nearly x
        [[ 0.999995  9.99995 ]
         [ 2.999985 29.99985 ]]
        >>> print(ops.batch_norm(x, zeros, ones, ones, zeros, training=True))  # by those of the batch
        [[-0.999995 -1.      ]
         [ 0.999995  1.      ]]
    """
    return make(BatchNorm, training, eps, momentum)(input_x, weight, bias, running_mean, running_var)[0]


def layer_norm(input: Tensor, normalized_shape, weight=None, bias=None, eps=1e-5) -> Tensor:
    """Normalization of each sample over its last axes.

    ``(x - mean) / sqrt(var + eps) * weight + bias`` over the last axes, whose lengths are ``normalized_shape``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``normalized_shape`` is no tuple, list or int.
        ValueError: If x does not end in ``normalized_shape``, or the shape of weight or bias is another.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.layer_norm(ms.Tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (3,)))
        [[-1.2247356  0.         1.2247356]
         [-1.2247448  0.         1.2247448]]
    """
    check_tensors("layer_norm", input=input)
    if isinstance(normalized_shape, int):
        normalized_shape = (normalized_shape,)
    if not isinstance(normalized_shape, (tuple, list)):
        got = type(normalized_shape).__name__
        raise type_error("layer_norm", "the 'normalized_shape' must be a tuple, a list or an int", got)
    shape = tuple(normalized_shape)
    if not shape or input.shape[-len(shape) :] != shape:
        raise value_error("layer_norm", f"the 'input' must end in the axes {shown(shape)}", f"shape {input.shape}")
    weight = _filled(1, shape, input) if weight is None else weight
    bias = _filled(0, shape, input) if bias is None else bias
    return make(LayerNorm, -len(shape), -len(shape), eps)(input, weight, bias)[0]


def group_norm(input: Tensor, num_groups, weight=None, bias=None, eps=1e-5) -> Tensor:
    """Normalization of groups of channels of each sample.

    ``(x - mean) / sqrt(var + eps) * weight + bias``, mean and variance over each group of channels of a sample.

    x is ``(N, C, *)``; weight and bias, of shape ``(C,)``, are ones and zeros by default. The output has the dtype that
    x and weight promote to.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``num_groups`` is not an int.
        ValueError: If ``num_groups`` does not divide the channels, or x has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.group_norm(ms.Tensor([[[1.0], [3.0], [10.0], [30.0]]]), 2).ravel())
        [-0.999995  0.999995 -1.        1.      ]
    """
    check_tensors("group_norm", input=input)
    groups = check_positive_int("group_norm", "num_groups", num_groups)
    if input.ndim < 2 or input.shape[1] % groups:
        expected = f"the 'input' must have a channel axis of a length that 'num_groups', {groups}, divides"
        raise value_error("group_norm", expected, f"shape {input.shape}")
    wide = input if input.array.dtype == np.float64 else cast(input, np.dtype(np.float32))  # as sums of float32 are
    rows = wide.reshape((input.shape[0] * groups, -1))
    normal = layer_norm(rows, rows.shape[1:], eps=eps).reshape(input.shape)
    laid = (-1,) + (1,) * (input.ndim - 2)
    check_tensors("group_norm", **{n: x for n, x in (("weight", weight), ("bias", bias)) if x is not None})
    if weight is None and bias is None:
        return cast(normal, lowered_dtype(input))
    out = normal if weight is None else normal * weight.reshape(laid)
    out = out if bias is None else out + bias.reshape(laid)
    kind = reduce(promote, (lowered_dtype(x) for x in (input, weight, bias) if x is not None))
    return cast(out, kind) if kind in NARROW_FLOATS else out


def lrn(x: Tensor, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS") -> Tensor:
    """Each element over a power of its neighbours among the channels: ``LRN(depth_radius, ...)(x)``.

    Shapes: (N, C, H, W), kept. Dtypes: floats and complex, kept; ints give float32; TypeError for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``depth_radius`` is not an int, or ``bias`` is not a float. Also if
            ``alpha`` or ``beta`` is not a number.
        ValueError: If ``x`` does not have 4 axes, ``depth_radius`` is below 0, ``bias``, ``alpha`` or ``beta`` is not
            finite, or ``norm_region`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lrn(ms.Tensor([[[[3.0]], [[4.0]]]]), depth_radius=1).ravel())  # 3 / sqrt(26), 4 / sqrt(26)
        [0.5883484  0.78446454]
    """
    return make(LRN, depth_radius, bias, alpha, beta, norm_region)(x)
