"""Functional wrappers of operations on boxes of detection."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import make
from minispore.ops.operations.nn import boxes, sampling

__all__ = ["bounding_box_decode", "bounding_box_encode", "check_valid", "crop_and_resize", "iou"]


def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode="iou") -> Tensor:
    """Overlap of every pair of boxes: ``IOU(mode)(anchor_boxes, gt_boxes)``.

    Shapes: (N, 4) and (M, 4) give (M, N). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``anchor_boxes`` or ``gt_boxes`` is not a Tensor, or ``gt_boxes`` and ``anchor_boxes`` differ in
            dtype. Also if ``mode`` is not a str or an int.
        ValueError: If ``anchor_boxes`` or ``gt_boxes`` does not have 2 axes, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> boxes = ms.Tensor([[0.0, 0.0, 9.0, 4.0], [20.0, 20.0, 29.0, 29.0]])  # x1, y1, x2, y2
        >>> print(ops.iou(ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), boxes))
        [[0.5]
         [0. ]]
    """
    return make(boxes.IOU, mode)(anchor_boxes, gt_boxes)


def bounding_box_encode(
    anchor_box: Tensor, groundtruth_box: Tensor, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)
) -> Tensor:
    """Offsets of boxes from anchors: ``BoundingBoxEncode(means, stds)(anchor_box, groundtruth_box)``.

    Shapes: (N, 4) for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``anchor_box`` or ``groundtruth_box`` is not a Tensor, or ``groundtruth_box`` and ``anchor_box``
            differ in dtype. Also if ``means`` or ``stds`` is not a tuple of four floats.
        ValueError: If ``anchor_box`` does not have 2 axes, or ``groundtruth_box`` has a shape that does not fit. Also
            if ``means`` or ``stds`` does not have four floats.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bounding_box_encode(ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), ms.Tensor([[5.0, 0.0, 14.0, 9.0]])))
        [[0.5 0.  0.  0. ]]
    """
    return make(boxes.BoundingBoxEncode, means, stds)(anchor_box, groundtruth_box)


def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape,
    means=(0.0, 0.0, 0.0, 0.0),
    stds=(1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip=0.016,
) -> Tensor:
    """Boxes from offsets: ``BoundingBoxDecode(max_shape, means, stds, wh_ratio_clip)(anchor_box, deltas)``.

    Shapes: (N, 4) for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``anchor_box`` or ``deltas`` is not a Tensor, or ``deltas`` and ``anchor_box`` differ in dtype.
            Also if ``max_shape`` is not a tuple of two ints, or ``means`` or ``stds`` is not a tuple of four floats.
        ValueError: If ``anchor_box`` does not have 2 axes, ``deltas`` has a shape that does not fit, or ``max_shape``
            does not have two ints. Also if ``means`` or ``stds`` does not have four floats.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> anchor, deltas = ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), ms.Tensor([[0.5, 0.0, 0.0, 0.0]])
        >>> print(ops.bounding_box_decode(anchor, deltas, max_shape=(20, 20)))
        [[ 5.  0. 14.  9.]]
    """
    return make(boxes.BoundingBoxDecode, max_shape, means, stds, wh_ratio_clip)(anchor_box, deltas)


def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """True for each box that lies in its image: ``CheckValid()(bboxes, img_metas)``.

    Shapes: (N, 4) and (3,), height, width and ratio, give (N,). Dtypes: floats; the answer is bool; TypeError for ints,
    bools and complex.

    Raises:
        TypeError: If ``bboxes`` or ``img_metas`` is not a Tensor, or ``img_metas`` and ``bboxes`` differ in dtype.
        ValueError: If ``bboxes`` does not have 2 axes, or ``img_metas`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> boxes = ms.Tensor([[0.0, 0.0, 9.0, 9.0], [5.0, 5.0, 30.0, 9.0]])
        >>> print(ops.check_valid(boxes, ms.Tensor([20.0, 20.0, 1.0])))
        [ True False]
    """
    return make(boxes.CheckValid)(bboxes, img_metas)


def crop_and_resize(
    image: Tensor, boxes: Tensor, box_indices: Tensor, crop_size, method="bilinear", extrapolation_value=0.0
) -> Tensor:
    """Crops of images ``(N, H, W, C)``: ``CropAndResize(method, extrapolation_value)(image, boxes, ...)``.

    Shapes: (N, H, W, C) and (boxes, 4) give (boxes, crop height, crop width, C). Dtypes: floats and ints; the answer is
    float32; TypeError for bools and complex.

    Raises:
        TypeError: If ``image``, ``boxes`` or ``box_indices`` is not a Tensor, or ``crop_size`` is not a tuple of two
            ints. Also if ``extrapolation_value`` is not a float.
        ValueError: If ``image`` does not have 4 axes, ``box_indices`` is out of range, or ``boxes`` does not have 2
            axes. Also if ``box_indices`` does not have one axis.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> image = ms.Tensor(np.arange(9.0, dtype=np.float32).reshape(1, 3, 3, 1))
        >>> corner = ms.Tensor([[0.0, 0.0, 0.5, 0.5]])  # y1, x1, y2, x2, as parts of the image
        >>> print(ops.crop_and_resize(image, corner, ms.Tensor([0], ms.int32), (2, 2)).reshape(2, 2))
        [[0. 1.]
         [3. 4.]]
    """
    return make(sampling.CropAndResize, method, extrapolation_value)(image, boxes, box_indices, crop_size)
