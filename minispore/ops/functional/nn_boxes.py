"""Functional wrappers of operations on boxes of detection."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import make
from minispore.ops.operations.nn import boxes, sampling

__all__ = ["bounding_box_decode", "bounding_box_encode", "check_valid", "crop_and_resize", "iou"]


def iou(anchor_boxes, gt_boxes, mode="iou") -> Tensor:
    """Overlap of every pair of boxes: ``IOU(mode)(anchor_boxes, gt_boxes)``."""
    return make(boxes.IOU, mode)(anchor_boxes, gt_boxes)


def bounding_box_encode(anchor_box, groundtruth_box, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)) -> Tensor:
    """Offsets of boxes from anchors: ``BoundingBoxEncode(means, stds)(anchor_box, groundtruth_box)``."""
    return make(boxes.BoundingBoxEncode, means, stds)(anchor_box, groundtruth_box)


def bounding_box_decode(
    anchor_box, deltas, max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016
) -> Tensor:
    """Boxes from offsets: ``BoundingBoxDecode(max_shape, means, stds, wh_ratio_clip)(anchor_box, deltas)``."""
    return make(boxes.BoundingBoxDecode, max_shape, means, stds, wh_ratio_clip)(anchor_box, deltas)


def check_valid(bboxes, img_metas) -> Tensor:
    """True for each box that lies in its image: ``CheckValid()(bboxes, img_metas)``."""
    return make(boxes.CheckValid)(bboxes, img_metas)


def crop_and_resize(image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0) -> Tensor:
    """Crops of images ``(N, H, W, C)``: ``CropAndResize(method, extrapolation_value)(image, boxes, ...)``."""
    return make(sampling.CropAndResize, method, extrapolation_value)(image, boxes, box_indices, crop_size)
