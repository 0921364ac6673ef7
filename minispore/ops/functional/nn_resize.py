"""Functional wrappers of resizing, padding and pixel shuffling."""

from __future__ import annotations

import math

from minispore.core.checks import check_positive_int, check_text, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.nn_pool3d import adaptive_avg_pool3d
from minispore.ops.operations.nn import resize
from minispore.ops.operations.nn.adaptive_pool import AdaptiveAvgPool2D
from minispore.ops.operations.nn.padding import BorderPad, ConstantPad

__all__ = ["interpolate", "pad", "pixel_shuffle", "pixel_unshuffle", "upsample"]

_RANKS = {  # the axes that x may have, and the mode of Resize
    "nearest": ((3, 4), "nearest"),
    "nearest-exact": ((3, 4), "nearest"),
    "linear": ((3,), "linear"),
    "bilinear": ((4,), "linear"),
    "bicubic": ((4,), "cubic"),
    "area": ((3, 4, 5), None),
}
_ALIGNED = ("linear", "bilinear", "bicubic")


def _lengths(values, argument, rank):
    """One for each axis after the channels, from a number or as many."""
    if isinstance(values, (tuple, list)):
        if len(values) != rank:
            raise value_error("interpolate", f"the '{argument}' must have {rank} numbers", values)
        return tuple(values)
    return (values,) * rank


def _scaled(shape, scale_factor, by_lengths):
    """The lengths by the scale; they must be whole, unless positions follow the lengths (``by_lengths``)."""
    scales = _lengths(scale_factor, "scale_factor", len(shape))
    for scale in scales:
        if not isinstance(scale, float):
            raise type_error("interpolate", "the 'scale_factor' must be a float or floats", shown(scale_factor))
        if not scale > 0:
            raise value_error("interpolate", "the 'scale_factor' must be above 0", scale_factor)
    lengths = tuple(math.floor(n * s) for n, s in zip(shape, scales, strict=True))
    if not by_lengths and any(m != n * s for m, n, s in zip(lengths, shape, scales, strict=True)):
        expected = f"the 'scale_factor' must give whole lengths from {shape} without 'recompute_scale_factor'"
        raise value_error("interpolate", expected, scale_factor)
    if any(n < 1 for n in lengths):
        raise value_error(
            "interpolate", f"the 'scale_factor' must give lengths of at least 1 from {shape}", scale_factor
        )
    return lengths


def _target(input, size, scale_factor, by_lengths):
    """The new lengths of the axes after the channels."""
    if (size is None) == (scale_factor is None):
        expected = "either the 'size' or the 'scale_factor' must be given"
        raise value_error("interpolate", expected, f"{size} and {scale_factor}")
    if size is None:
        return _scaled(input.shape[2:], scale_factor, by_lengths)
    lengths = _lengths(size, "size", input.ndim - 2)
    return tuple(check_positive_int("interpolate", "size", n) for n in lengths)


def interpolate(
    input: Tensor, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None
) -> Tensor:
    """Rows, planes or volumes resampled to other lengths.

    ``(N, C, L)``, ``(N, C, H, W)`` or ``(N, C, D, H, W)``, resized to ``size``, or by ``scale_factor``.

    The mode is "nearest" (the element before or at ``i * length / n``) or "nearest-exact" (at
    ``(i + 0.5) * length / n``). Rows have "linear", planes "bilinear" and "bicubic". "area" takes means, of volumes
    too. Linear and cubic ones have output i at ``(i + 0.5) * length / n - 0.5``, with ``align_corners`` at
    ``i * (length - 1) / (n - 1)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If x is not a Tensor, the size not ints or the scale not floats.
        ValueError: If both or none of size and scale are given, or their count is wrong. If the mode is unknown, not
            for x's axes, or has no ``align_corners``. If a scale without ``recompute_scale_factor`` does not give whole
            lengths; "area" rounds them down.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[1.0, 3.0]]])
        >>> print(ops.interpolate(x, size=4))
        [[[1. 1. 3. 3.]]]
        >>> print(ops.interpolate(x, size=4, mode="linear"))
        [[[1.  1.5 2.5 3. ]]]
    """
    if not isinstance(input, Tensor):
        raise type_error("interpolate", "the 'input' must be a Tensor", type(input).__name__)
    if not isinstance(mode, str) or mode not in _RANKS:
        raise value_error("interpolate", f"the 'mode' must be one of {list(_RANKS)}", shown(mode))
    ranks, how = _RANKS[mode]
    if input.ndim not in ranks:
        expected = f"the 'input' must have {' or '.join(map(str, ranks))} axes in mode '{mode}'"
        raise value_error("interpolate", expected, f"shape {input.shape}")
    if align_corners is not None and mode not in _ALIGNED:
        raise value_error("interpolate", f"the 'align_corners' must be None in mode '{mode}'", align_corners)
    lengths = _target(input, size, scale_factor, recompute_scale_factor or mode == "area")
    if mode == "area":
        return _mean_of_areas(input, lengths)
    aligned, exact = bool(align_corners), mode == "nearest-exact"
    return make(resize.Resize, lengths, how, aligned, exact or (how != "nearest" and not aligned))(input)


def _mean_of_areas(x, lengths):
    if x.ndim == 5:
        return adaptive_avg_pool3d(x, lengths)
    if x.ndim == 4:
        return make(AdaptiveAvgPool2D, lengths)(x)
    return make(AdaptiveAvgPool2D, (1, *lengths))(x.expand_dims(2)).squeeze(2)


upsample = interpolate

_BORDERS = {"reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap"}


def _pairs(padding, rank):
    """A pair of lengths for each axis, from the flat form that begins with the last axis."""
    padding = padding.asnumpy().tolist() if isinstance(padding, Tensor) else padding
    if not isinstance(padding, (tuple, list)) or any(not is_int(n) for n in padding):
        raise type_error("pad", "the 'padding' must be a tuple, a list or a Tensor of ints", shown(padding))
    if len(padding) % 2 or len(padding) > 2 * rank:
        raise value_error("pad", f"the 'padding' must have an even count of at most {2 * rank} ints", padding)
    pairs = list(zip(padding[::2], padding[1::2], strict=True))[::-1]
    return ((0, 0),) * (rank - len(pairs)) + tuple(pairs)


def pad(input_x: Tensor, padding, mode="constant", value=None) -> Tensor:
    """Padding around ``input_x``: (before, after) of the last axis, then of the axis before it, and so on.

    The mode "constant" fills with ``value``, 0 by default; "reflect" mirrors at the border, "replicate" (or "edge")
    repeats the last element, "circular" goes round. A negative length cuts.

    Shapes: each padded length grows by its pair. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If x is not a Tensor, the padding not ints, or ``value`` not a number.
        ValueError: If the count of ints is odd or too large, the mode is unknown, or ``value`` is given in another mode
            than "constant". Also if a length is too large for the mode, or nothing is left.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0, 3.0]])
        >>> print(ops.pad(x, (1, 2)))
        [[0. 1. 2. 3. 0. 0.]]
        >>> print(ops.pad(x, (1, 2), mode="circular"))
        [[3. 1. 2. 3. 1. 2.]]
    """
    if not isinstance(input_x, Tensor):
        raise type_error("pad", "the 'input_x' must be a Tensor", type(input_x).__name__)
    check_text("pad", "mode", mode)
    pairs = _pairs(padding, input_x.ndim)
    if mode == "constant":
        if value is not None and not isinstance(value, (int, float)):
            raise type_error("pad", "the 'value' must be a number", shown(value))
        return make(ConstantPad, pairs, 0 if value is None else value)(input_x)
    if mode not in _BORDERS:
        raise value_error("pad", f"the 'mode' must be one of {['constant', *_BORDERS]}", shown(mode))
    if value is not None:
        raise value_error("pad", f"the 'value' must be None in mode '{mode}'", value)
    added = tuple((max(a, 0), max(b, 0)) for a, b in pairs)
    if added != pairs:
        input_x = make(ConstantPad, tuple((min(a, 0), min(b, 0)) for a, b in pairs))(input_x)
    return make(BorderPad, _BORDERS[mode], added)(input_x)


def _check_planes(operation, x):
    if x.ndim < 3:
        raise value_error(operation, "the 'input' must have at least 3 axes", f"shape {x.shape}")


def pixel_shuffle(input: Tensor, upscale_factor) -> Tensor:
    """Channels turned into pixels.

    ``(*, C * r * r, H, W)`` as ``(*, C, H * r, W * r)``: the r * r channels become the pixels of a tile.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``upscale_factor`` is not an int.
        ValueError: If it is below 1, its square does not divide the channels, or x has fewer than 3 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.pixel_shuffle(ms.Tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]]), 2))
        [[[1. 2.]
          [3. 4.]]]
    """
    check_tensors("pixel_shuffle", input=input)
    r = check_positive_int("pixel_shuffle", "upscale_factor", upscale_factor)
    _check_planes("pixel_shuffle", input)
    *lead, channels, height, width = input.shape
    if channels % (r * r):
        expected = f"the channels of 'input' must be divisible by {r * r}, the 'upscale_factor' squared"
        raise value_error("pixel_shuffle", expected, channels)
    n, made = len(lead), channels // (r * r)
    tiles = input.reshape((*lead, made, r, r, height, width))
    order = (*range(n + 1), n + 3, n + 1, n + 4, n + 2)
    return tiles.transpose(order).reshape((*lead, made, height * r, width * r))


def pixel_unshuffle(input: Tensor, downscale_factor) -> Tensor:
    """Pixels turned into channels.

    ``(*, C, H * r, W * r)`` as ``(*, C * r * r, H, W)``: the inverse of :func:`pixel_shuffle`.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``downscale_factor`` is not an int.
        ValueError: If it is below 1 or does not divide height and width, or x has fewer than 3 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.pixel_unshuffle(ms.Tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2).ravel())
        [1. 2. 3. 4.]
    """
    check_tensors("pixel_unshuffle", input=input)
    r = check_positive_int("pixel_unshuffle", "downscale_factor", downscale_factor)
    _check_planes("pixel_unshuffle", input)
    *lead, channels, height, width = input.shape
    if height % r or width % r:
        expected = f"the height and width of 'input' must be divisible by 'downscale_factor', {r}"
        raise value_error("pixel_unshuffle", expected, f"shape {input.shape}")
    n = len(lead)
    tiles = input.reshape((*lead, channels, height // r, r, width // r, r))
    order = (*range(n + 1), n + 2, n + 4, n + 1, n + 3)
    return tiles.transpose(order).reshape((*lead, channels * r * r, height // r, width // r))
