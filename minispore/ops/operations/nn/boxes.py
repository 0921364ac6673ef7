"""Boxes of detection, rows ``(x1, y1, x2, y2)``: overlaps, offsets from anchors, validity, suppression."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_choice
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.select import select
from minispore.ops.number_checks import check_python_float
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["IOU", "BoundingBoxDecode", "BoundingBoxEncode", "CheckValid", "NMSWithMask"]

_BOOL, _INT32 = np.dtype(np.bool_), np.dtype(np.int32)


def _check_boxes(op, argument, x, widths=(4,)):
    """Raise unless x is rows of as many numbers as one of ``widths``, in a floating type."""
    check_float(op, argument, x)
    check_rank(op, argument, x, (2,))
    if x.shape[1] not in widths:
        expected = " or ".join(map(str, widths))
        raise value_error(op.name, f"the '{argument}' must have rows of {expected} numbers", f"shape {x.shape}")


def _four(op, argument, values):
    """``values``, four floats."""
    if not isinstance(values, (tuple, list)) or not all(isinstance(v, float) for v in values):
        raise type_error(op.name, f"the '{argument}' must be a tuple of four floats", shown(values))
    if len(values) != 4:
        raise value_error(op.name, f"the '{argument}' must have four floats", len(values))
    return tuple(values)


def _areas(xp, box, extra):
    return (box[..., 2] - box[..., 0] + extra) * (box[..., 3] - box[..., 1] + extra)


def _shared(xp, x, y, extra):
    """The areas that boxes have in common, with broadcasting; ``extra`` is 1 where a box holds its last pixel."""
    low, high = xp.maximum(x[..., :2], y[..., :2]), xp.minimum(x[..., 2:4], y[..., 2:4])
    sides = xp.maximum(high - low + extra, 0)
    return sides[..., 0] * sides[..., 1]


class IOU(Primitive):
    """Overlap of every pair of boxes, ``out[i, j]`` of ``gt_boxes[i]`` and ``anchor_boxes[j]``: shared area over union.

    With the mode "iof" it is the shared area over the ground truth's area. A box holds its last row and column.

    Shapes: (N, 4) and (M, 4) give (M, N). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``mode`` is not a str or an int, or ``anchor_boxes`` or ``gt_boxes`` is not a Tensor. Also if
            ``gt_boxes`` and ``anchor_boxes`` differ in dtype.
        ValueError: If ``mode`` is unknown, or ``anchor_boxes`` or ``gt_boxes`` does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.IOU()(ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), ms.Tensor([[0.0, 0.0, 9.0, 4.0]])))
        [[0.5]]
    """

    differentiable = False

    def __init__(self, mode="iou") -> None:
        self.add_prim_attr("mode", check_choice(self.name, "mode", mode, ("iou", "iof")))

    def infer(self, anchor_boxes, gt_boxes):
        _check_boxes(self, "anchor_boxes", anchor_boxes)
        check_same_type(self, anchor_boxes=anchor_boxes, gt_boxes=gt_boxes)
        _check_boxes(self, "gt_boxes", gt_boxes)
        return Spec((gt_boxes.shape[0], anchor_boxes.shape[0]), anchor_boxes.dtype)

    def compute(self, xp, anchor_boxes, gt_boxes):
        anchors, truths = widen(xp, anchor_boxes)[None], widen(xp, gt_boxes)[:, None]
        shared, whole = _shared(xp, anchors, truths, 1), _areas(xp, truths, 1)
        if self.mode == "iou":
            whole = whole + _areas(xp, anchors, 1) - shared
        empty = whole + 0 * shared <= 0
        share = select(xp, empty, 0, shared / select(xp, empty, 1, whole))
        return narrow(xp, share.astype(shared.dtype), anchor_boxes.dtype)


def _centres(xp, box):
    """``(centre, side)`` of boxes, as arrays of two columns."""
    return (box[:, :2] + box[:, 2:]) / 2, box[:, 2:] - box[:, :2] + 1


class _Offsets(Primitive):
    """Base of operations on offsets from anchors, which are scaled: ``(offset - means) / stds``."""

    differentiable = False

    def infer(self, anchor_box, other):
        _check_boxes(self, "anchor_box", anchor_box)
        check_same_type(self, **{"anchor_box": anchor_box, self.second: other})
        check_shape(self, self.second, other, anchor_box.shape)
        return anchor_box


def _row(xp, numbers, kind):
    return backend.constant(xp, np.asarray(numbers, kind))


class BoundingBoxEncode(_Offsets):
    """Offsets of boxes from anchors: of the centres in sides of the anchor, and the logarithms of the sides' ratios.

    Shapes: (N, 4) twice gives (N, 4). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        means (tuple[float]): The numbers subtracted from the four. Default: zeros.
        stds (tuple[float]): The divisors of the four after that. Default: ones.

    Raises:
        TypeError: If ``means`` or ``stds`` is not a tuple of four floats, or ``anchor_box`` or ``other`` is not a
            Tensor. Also if ``other`` and ``anchor_box`` differ in dtype.
        ValueError: If ``means`` or ``stds`` does not have four floats, or ``anchor_box`` does not have 2 axes. Also if
            ``other`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BoundingBoxEncode()(ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), ms.Tensor([[5.0, 0.0, 14.0, 9.0]])))
        [[0.5 0.  0.  0. ]]
    """

    second = "groundtruth_box"

    def __init__(
        self, means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0), stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
    ) -> None:
        self.add_prim_attr("means", _four(self, "means", means))
        self.add_prim_attr("stds", _four(self, "stds", stds))

    def compute(self, xp, anchor_box, groundtruth_box):
        (p, size), (g, goal) = _centres(xp, widen(xp, anchor_box)), _centres(xp, widen(xp, groundtruth_box))
        offsets = xp.concatenate([(g - p) / size, xp.log(goal / size)], axis=1)
        kind = offsets.dtype.type
        scaled = (offsets - _row(xp, self.means, kind)) / _row(xp, self.stds, kind)
        return narrow(xp, scaled, anchor_box.dtype)


class BoundingBoxDecode(_Offsets):
    """Boxes from offsets of anchors, as BoundingBoxEncode gives them, cut to an image.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        max_shape (tuple[int]): The image's height and width.
        means (tuple[float]): The numbers that were subtracted from the offsets. Default: zeros.
        stds (tuple[float]): The divisors that were used. Default: ones.
        wh_ratio_clip (float): The least ratio of a side to the anchor's, whose inverse is the largest. Default: 0.016.

    Raises:
        TypeError: If ``max_shape`` is not a tuple of two ints, or ``means`` or ``stds`` is not a tuple of four floats.
            Also if ``wh_ratio_clip`` is not a float, or ``anchor_box`` or ``other`` is not a Tensor.
        ValueError: If ``max_shape`` does not have two ints, or ``means`` or ``stds`` does not have four floats. Also if
            ``wh_ratio_clip`` is not finite and above 0, or ``anchor_box`` does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> anchor, deltas = ms.Tensor([[0.0, 0.0, 9.0, 9.0]]), ms.Tensor([[0.5, 0.0, 0.0, 0.0]])
        >>> print(ops.BoundingBoxDecode((20, 20))(anchor, deltas))
        [[ 5.  0. 14.  9.]]
    """

    second = "deltas"

    def __init__(
        self,
        max_shape: tuple[int, ...],
        means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
        stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
        wh_ratio_clip: float = 0.016,
    ) -> None:
        if not isinstance(max_shape, tuple) or not all(type(n) is int for n in max_shape):
            raise type_error(self.name, "the 'max_shape' must be a tuple of two ints", shown(max_shape))
        if len(max_shape) != 2:
            raise value_error(self.name, "the 'max_shape' must have two ints", len(max_shape))
        self.add_prim_attr("max_shape", max_shape)
        self.add_prim_attr("means", _four(self, "means", means))
        self.add_prim_attr("stds", _four(self, "stds", stds))
        ratio = check_python_float(self.name, "wh_ratio_clip", wh_ratio_clip, 0, above=True)
        self.add_prim_attr("wh_ratio_clip", ratio)

    def compute(self, xp, anchor_box, deltas):
        (p, size), deltas = _centres(xp, widen(xp, anchor_box)), widen(xp, deltas)
        kind = deltas.dtype.type
        offsets = deltas * _row(xp, self.stds, kind) + _row(xp, self.means, kind)
        most = kind(abs(math.log(self.wh_ratio_clip)))
        centre, side = p + size * offsets[:, :2], size * xp.exp(xp.clip(offsets[:, 2:], -most, most))
        half = side / 2 - kind(0.5)
        edge = _row(xp, self.max_shape[::-1], kind)
        corners = [xp.minimum(xp.maximum(corner, kind(0)), edge) for corner in (centre - half, centre + half)]
        return narrow(xp, xp.concatenate(corners, axis=1), anchor_box.dtype)


class CheckValid(Primitive):
    """True for each box in an image of ``img_metas = (height, width, ratio)``, both lengths times the ratio.

    Shapes: (N, 4) and (3,) give (N,). Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``bboxes`` or ``img_metas`` is not a Tensor, or ``img_metas`` and ``bboxes`` differ in dtype.
        ValueError: If ``bboxes`` does not have 2 axes, or ``img_metas`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> boxes = ms.Tensor([[0.0, 0.0, 9.0, 9.0], [5.0, 5.0, 30.0, 9.0]])
        >>> print(ops.CheckValid()(boxes, ms.Tensor([20.0, 20.0, 1.0])))
        [ True False]
    """

    differentiable = False

    def infer(self, bboxes, img_metas):
        _check_boxes(self, "bboxes", bboxes)
        check_same_type(self, bboxes=bboxes, img_metas=img_metas)
        check_shape(self, "img_metas", img_metas, (3,))
        return Spec(bboxes.shape[:1], _BOOL)

    def compute(self, xp, bboxes, img_metas):
        boxes, metas = widen(xp, bboxes), widen(xp, img_metas)
        edge = xp.stack([metas[1], metas[0]]) * metas[2] - 1
        return (boxes[:, :2] >= 0).all(1) & (boxes[:, 2:] <= edge).all(1)


class NMSWithMask(Primitive):
    """Boxes ``(x1, y1, x2, y2, score)`` from the highest score on, their numbers, and which of them stay.

    A box is left out if it overlaps a kept box of a higher score by more than ``iou_threshold``. An overlap is the
    shared area over the united; the area of a box with either x2 < x1 or y2 < y1 is negative.

    Shapes: (N, 5) gives (N, 5), (N,) and (N,). Dtypes: floats; the answer is bool; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``iou_threshold`` is not a float, or ``bboxes`` is not a Tensor.
        ValueError: If ``iou_threshold`` is not finite, or ``bboxes`` does not have 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> boxes = ms.Tensor([[0.0, 0.0, 9.0, 9.0, 0.7], [0.0, 0.0, 9.0, 8.0, 0.9]])
        >>> kept, numbers, stays = ops.NMSWithMask(0.5)(boxes)
        >>> print(stays)  # in the order of the scores
        [ True False]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    differentiable = False

    def __init__(self, iou_threshold=0.5) -> None:
        self.add_prim_attr("iou_threshold", check_python_float(self.name, "iou_threshold", iou_threshold))

    def infer(self, bboxes):
        _check_boxes(self, "bboxes", bboxes, (5, 8))
        return bboxes, Spec(bboxes.shape[:1], _INT32), Spec(bboxes.shape[:1], _BOOL)

    def compute(self, xp, bboxes):
        boxes = bboxes[xp.argsort(-widen(xp, bboxes)[:, 4], kind="stable")]
        wide = widen(xp, boxes)
        areas = _areas(xp, wide, 0)
        shared = _shared(xp, wide[None], wide[:, None], 0)
        with np.errstate(divide="ignore", invalid="ignore"):  # the overlap of two boxes without an area is nan
            over = shared / (areas[None] + areas[:, None] - shared) > wide.dtype.type(self.iou_threshold)
        stays = xp.ones(len(boxes), bool)
        for i in range(len(boxes)):
            stays[i + 1 :] &= ~(over[i, i + 1 :] & stays[i])
        return boxes, xp.arange(len(boxes), dtype=np.int32), stays
