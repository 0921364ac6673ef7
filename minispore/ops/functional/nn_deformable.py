"""Deformable convolution: a convolution whose taps each stand at a place of their own."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.nn_conv_pool import conv2d
from minispore.ops.operations.nn.deformable import DeformableOffsets

__all__ = ["deformable_conv2d"]


def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size,
    strides,
    padding,
    bias: Tensor | None = None,
    dilations=(1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """2-D convolution with moved and weighted taps: ``out = conv(DeformableOffsets(x, offsets), weight) + bias``.

    Args:
        x (Tensor): (N, C, H, W).
        weight (Tensor): (O, C / groups, KH, KW).
        offsets (Tensor): (N, 3 * deformable_groups * KH * KW, h, w): see ``DeformableOffsets``.
        kernel_size (tuple(int)): (KH, KW).
        strides (tuple(int)): (1, 1, of the height, of the width).
        padding (tuple(int)): (top, bottom, left, right).
        bias (Tensor): (O,). Default: None, none.
        dilations (tuple(int)): (1, 1, of the height, of the width). Default: (1, 1, 1, 1).
        groups (int): The groups of channels that are convolved apart. Default: 1.
        deformable_groups (int): The groups of channels that move together. Default: 1.
        modulated (bool): True. Default: True.

    Returns:
        Tensor (N, O, h, w).

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If shapes do not fit.

    Source: Dai et al., "Deformable Convolutional Networks", 2017; Zhu et al., 2019, for the weights.

    Examples:
        >>> from minispore import ops
        >>> x, weight = ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 1, 1))
        >>> offsets = ops.concat((ops.zeros((1, 2, 2, 2)), ops.full((1, 1, 2, 2), 0.5)), 1)  # each tap counts half
        >>> print(ops.deformable_conv2d(x, weight, offsets, (1, 1), (1, 1, 1, 1), (0, 0, 0, 0)))
        [[[[0.5 0.5]
           [0.5 0.5]]]]
    """
    check_tensors("deformable_conv2d", x=x, weight=weight, offsets=offsets)
    kind = (strides, padding, kernel_size, dilations, "NCHW", deformable_groups, modulated)
    pixels = make(DeformableOffsets, *kind)(x, offsets)
    return conv2d(pixels, weight, bias, tuple(kernel_size), "valid", 0, 1, groups)
