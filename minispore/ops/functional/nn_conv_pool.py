"""Functional wrappers of convolution and pooling."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_int, check_positive_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.linalg_matmul import bias_add
from minispore.ops.operations.nn import adaptive_pool, conv
from minispore.ops.operations.nn import pool as pooling
from minispore.ops.windows import as_lengths

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "avg_pool1d",
    "avg_pool2d",
    "conv1d",
    "conv2d",
    "conv3d",
    "max_pool2d",
]


def both_sides(operation, padding, axes):
    """``padding`` of one length, or of one for each axis, as lengths before and after each axis."""
    if isinstance(padding, (tuple, list)) and len(padding) != axes:
        raise value_error(operation, f"the 'padding' must be an int or a tuple of length {axes}", padding)
    lengths = as_lengths(operation, "padding", padding, axes) if axes > 1 else _one_length(operation, padding)
    return tuple(n for length in lengths for n in (length, length))


def _one_length(operation, padding):
    length = padding[0] if isinstance(padding, (tuple, list)) else padding
    if not is_int(length):
        raise type_error(operation, "the 'padding' must be an int", shown(padding))
    if length < 0:
        raise value_error(operation, "the 'padding' must be at least 0", padding)
    return (length,)


def check_axes(operation, x, axes, argument="input"):
    """Raise TypeError unless ``x`` is a Tensor, and ValueError unless it has ``axes`` axes."""
    check_tensors(operation, **{argument: x})
    if x.ndim != axes:
        raise value_error(operation, f"the '{argument}' must have {axes} axes", f"shape {x.shape}")


# Convolution


def _biased(out, bias):
    return out if bias is None else bias_add(out, bias)


def conv1d(
    input: Tensor, weight: Tensor, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1
) -> Tensor:
    """1-D convolution of ``(N, C, L)`` with ``(O, C / groups, K)``, as ``Conv2D`` of planes, and the bias added.

    Shapes: ``(N, C, L)`` gives ``(N, O, length)``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or the dtypes differ.
        ValueError: If shapes do not fit, the pad_mode is unknown, or there is padding in another mode than "pad".

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.conv1d(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]]), ms.Tensor([[[1.0, -1.0]]])))
        [[[-1. -1. -1.]]]
    """
    check_axes("conv1d", input, 3)
    check_axes("conv1d", weight, 3, "weight")
    stride, dilation = (check_positive_int("conv1d", n, v) for n, v in (("stride", stride), ("dilation", dilation)))
    pads = (0, 0, *both_sides("conv1d", padding, 1))
    arguments = (weight.shape[0], (1, weight.shape[2]), 1, pad_mode, pads, (1, stride), (1, dilation), groups)
    out = make(conv.Conv2D, *arguments)(input.expand_dims(2), weight.expand_dims(2)).squeeze(2)
    return _biased(out, bias)


def conv2d(
    input: Tensor, weight: Tensor, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1
) -> Tensor:
    """2-D convolution of ``(N, C, H, W)`` with ``(O, C / groups, KH, KW)``: ``Conv2D``, and the bias added.

    ``padding`` has one length, or one for the height and one for the width; errors as in :func:`conv1d`.

    Shapes: ``(N, C, H, W)`` gives ``(N, O, height, width)``. Dtypes: float32, kept; TypeError for float16, float64,
    ints, bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor, ``weight`` and ``input`` differ in dtype, or ``stride``, ``dilation``
            or ``groups`` is not an int. Also if ``pad_mode`` is not a str or an int.
        ValueError: If ``input`` or ``weight`` does not have 4 axes, or the kernel is larger than the padded input. Also
            if an argument is not above 0, or ``pad_mode`` is not "same", "valid" or "pad".

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]])
        >>> print(ops.conv2d(x, ops.ones((1, 1, 2, 2))))  # sums of windows
        [[[[12. 16.]
           [24. 28.]]]]
    """
    check_axes("conv2d", input, 4)
    check_axes("conv2d", weight, 4, "weight")
    pads = both_sides("conv2d", padding, 2)
    arguments = (weight.shape[0], tuple(weight.shape[2:]), 1, pad_mode, pads, stride, dilation, groups)
    return _biased(make(conv.Conv2D, *arguments)(input, weight), bias)


def conv3d(
    input: Tensor, weight: Tensor, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1
) -> Tensor:
    """3-D convolution of ``(N, C, D, H, W)`` with ``(O, C / groups, KD, KH, KW)``: ``Conv3D``, and the bias added.

    ``padding`` has one length, or one for each axis; errors as in :func:`conv1d`.

    Shapes: ``(N, C, D, H, W)`` gives ``(N, O, depth, height, width)``.

    Raises:
        TypeError: If ``input``, ``weight`` or ``bias`` is not a Tensor, an input is complex, or ``input`` is not a
            floating Tensor. Also if ``weight`` and ``input`` differ in dtype.
        ValueError: If ``input`` or ``weight`` does not have 5 axes, or the kernel is larger than the padded input. Also
            if an argument is not above 0, or ``pad_mode`` is not "same", "valid" or "pad".

    Examples:
        >>> from minispore import ops
        >>> print(ops.conv3d(ops.ones((1, 1, 2, 2, 3)), ops.ones((1, 1, 2, 2, 2))).ravel())
        [8. 8.]
    """
    check_axes("conv3d", input, 5)
    check_axes("conv3d", weight, 5, "weight")
    pads = both_sides("conv3d", padding, 3)
    arguments = (weight.shape[0], tuple(weight.shape[2:]), 1, pad_mode, pads, stride, dilation, groups)
    return _biased(make(conv.Conv3D, *arguments)(input, weight), bias)


# Pooling


def max_pool2d(
    x: Tensor, kernel_size, stride=None, padding=0, dilation=1, return_indices: bool = False, ceil_mode: bool = False
) -> Any:
    """Largest of each window of ``(N, C, H, W)``: ``MaxPool``; with ``return_indices`` also its place.

    ``padding`` has one length or two, at most half a window; the indices are int64 and count row by row.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0, 5.0, 3.0], [4.0, 0.0, 1.0, 1.0]]]])
        >>> values, places = ops.max_pool2d(x, 2, 2, return_indices=True)
        >>> print(places)
        [[[[4 2]]]]
        >>> print(ops.max_pool2d(x, 2, 2))
        [[[[4. 5.]]]]
    """
    stride = kernel_size if stride is None else stride
    pads = both_sides("max_pool2d", padding, 2)
    pool = make(pooling.MaxPool, kernel_size, stride, "pad", "NCHW", pads, ceil_mode, dilation)
    out = pool(x)
    check_bool("max_pool2d", "return_indices", return_indices)
    return (out, pool.like(pooling.MaxPoolArgmax)(x, out)) if return_indices else out


def check_divisor(operation, divisor_override):
    """The divisor, None for MindSpore's 0."""
    check_int(operation, "divisor_override", divisor_override)
    if divisor_override < 0:
        raise value_error(operation, "the 'divisor_override' must be at least 0", divisor_override)
    return divisor_override or None


def avg_pool1d(
    input_x: Tensor, kernel_size=1, stride=1, padding=0, ceil_mode: bool = False, count_include_pad: bool = True
) -> Tensor:
    """Mean of each window of ``(N, C, L)``; ``padding`` is one length, or two (before, after).

    Shapes: ``(N, C, L)`` gives ``(N, C, windows)``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 3 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.avg_pool1d(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2, 2))
        [[[2. 6.]]]
    """
    check_axes("avg_pool1d", input_x, 3, "input_x")
    kernel_size = check_positive_int("avg_pool1d", "kernel_size", kernel_size)
    stride = check_positive_int("avg_pool1d", "stride", stride)
    pads = (0, 0, *as_lengths("avg_pool1d", "padding", padding, 2))
    rest = "pad", "NCHW", pads, ceil_mode, count_include_pad
    return make(pooling.AvgPool, (1, kernel_size), (1, stride), *rest)(input_x.expand_dims(2)).squeeze(2)


def avg_pool2d(
    input_x: Tensor,
    kernel_size=1,
    stride=1,
    padding=0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override=0,
) -> Tensor:
    """Mean of each window of ``(N, C, H, W)``: ``AvgPool``; ``padding`` is a length, or four: top, bottom, left, right.

    Shapes: ``(N, C, H, W)`` gives ``(N, C, h, w)``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or x has not 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.avg_pool2d(ms.Tensor([[[[1.0, 2.0], [3.0, 6.0]]]]), 2, 1))
        [[[[3.]]]]
    """
    check_axes("avg_pool2d", input_x, 4, "input_x")
    pads, divisor = as_lengths("avg_pool2d", "padding", padding, 4), check_divisor("avg_pool2d", divisor_override)
    rest = "pad", "NCHW", pads, ceil_mode, count_include_pad, divisor
    return make(pooling.AvgPool, kernel_size, stride, *rest)(input_x)


# Pooling to a given size


def _even_rows(operation, x, output_size):
    """The rows as planes of height 1, after a look at their length."""
    output_size = check_positive_int(operation, "output_size", output_size)
    check_axes(operation, x, 3)
    if x.shape[2] % output_size:
        expected = f"the length of 'input' must be divisible by 'output_size', {output_size}"
        raise value_error(operation, expected, x.shape[2])
    return x.expand_dims(2), (1, output_size)


def adaptive_avg_pool1d(input: Tensor, output_size) -> Tensor:
    """Means of ``output_size`` windows of ``(N, C, L)``, which must divide L.

    Shapes: ``(N, C, L)`` gives ``(N, C, output_size)``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a floating Tensor, or ``output_size`` is not an int.
        ValueError: If ``input`` does not have 3 axes, the length of ``input`` is not divisible by ``output_size``, or
            ``output_size`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_avg_pool1d(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
        [[[2. 6.]]]
    """
    rows, size = _even_rows("adaptive_avg_pool1d", input, output_size)
    return make(adaptive_pool.AdaptiveAvgPool2D, size)(rows).squeeze(2)


def adaptive_max_pool1d(input: Tensor, output_size) -> Tensor:
    """The largest of ``output_size`` windows of ``(N, C, L)``, which must divide L.

    Shapes: ``(N, C, L)`` gives ``(N, C, output_size)``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a floating Tensor, or ``output_size`` is not an int.
        ValueError: If ``input`` does not have 3 axes, the length of ``input`` is not divisible by ``output_size``, or
            ``output_size`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_max_pool1d(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
        [[[3. 7.]]]
    """
    check_tensors("adaptive_max_pool1d", input=input)
    rows, size = _even_rows("adaptive_max_pool1d", input, output_size)
    return make(adaptive_pool.AdaptiveMaxPool2D, size)(rows)[0].squeeze(2)


def _hashable(size):
    return tuple(size) if isinstance(size, list) else size


def adaptive_avg_pool2d(input: Tensor, output_size) -> Tensor:
    """Means of windows that share each plane evenly: ``AdaptiveAvgPool2D(output_size)(input)``.

    Shapes: ``(N, C, H, W)`` or ``(C, H, W)``; None in the size keeps a length. Dtypes: floats, kept; TypeError for
    ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``output_size`` is not an int or two ints or None.
        ValueError: If ``input`` does not have 3 or 4 axes, or ``output_size`` is not two ints of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_avg_pool2d(ms.Tensor([[[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]]), (1, 3)))
        [[[3. 4. 5.]]]
    """
    return make(adaptive_pool.AdaptiveAvgPool2D, _hashable(output_size))(input)


def adaptive_max_pool2d(input: Tensor, output_size, return_indices: bool = False) -> Any:
    """The largest of windows that share each plane evenly; with ``return_indices`` also their positions.

    Shapes: ``(N, C, H, W)`` or ``(C, H, W)``; None in the size keeps a length. Dtypes: floats, kept; TypeError for
    ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``output_size`` is not an int or two ints or None, or
            ``return_indices`` is not a bool.
        ValueError: If ``input`` does not have 3 or 4 axes, or ``output_size`` is not two ints of at least 1.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adaptive_max_pool2d(ms.Tensor([[[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]]), (1, 3)))
        [[[5. 6. 7.]]]
    """
    check_bool("adaptive_max_pool2d", "return_indices", return_indices)
    out = make(adaptive_pool.AdaptiveMaxPool2D, _hashable(output_size))(input)
    return out if return_indices else out[0]
