"""Planes read at real positions: crops of boxes, and the sampling under grids and deformed convolutions.

A position between pixels is the mean of the four around it, weighted by its nearness. Gradients pass to the pixels and,
where MindSpore has them do so, to the positions.
"""

from __future__ import annotations

import math

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_choice, check_int, check_positive_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor, wrap
from minispore.ops.casting import cast
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.joining import Concat
from minispore.ops.operations.gradient_flow import StopGradient
from minispore.ops.operations.math.select import Select

__all__ = ["CropAndResize", "ROIAlign"]

_FLOAT32, _INT64 = np.dtype(np.float32), np.dtype(np.int64)
_concat, _gather, _stop_gradient = Concat(0), Gather(), StopGradient()
_select, _zeros_like = Select(), ZerosLike()


def check_tensor_of(op_name, argument, x, axes):
    """Raise unless ``x`` is a Tensor of ``axes`` axes."""
    if not isinstance(x, Tensor):
        raise type_error(op_name, f"the '{argument}' must be a Tensor", type(x).__name__)
    if x.ndim != axes:
        raise value_error(op_name, f"the '{argument}' must have {axes} axes", f"shape {x.shape}")


def count_to(n):
    """0 to n - 1 in float32, where the other arrays are."""
    return wrap(backend.from_host(np.arange(n, dtype=np.float32)))


class Planes:
    """Planes or volumes ``(N, C, *lengths)`` as rows of channels, one a pixel, to be read at positions."""

    def __init__(self, x, channels_last=False):
        n = x.ndim - 1
        rows = x if channels_last else x.transpose((0, *range(2, n + 1), 1))
        wide = rows if rows.array.dtype in (_FLOAT32, np.float64) else cast(rows, _FLOAT32)
        self.lengths = rows.shape[1:-1]
        self.rows = wide.reshape((-1, rows.shape[-1]))

    def nearest(self, batch, places):
        """The pixels at whole ``places``, one Tensor an axis; 0 outside of the planes."""
        index, inside = batch, None
        for place, length in zip(places, self.lengths, strict=True):
            within = (place >= 0).logical_and(place <= length - 1)
            inside = within if inside is None else inside.logical_and(within)
            index = index * length + cast(place.clip(0, length - 1), _INT64)
        values = _gather(self.rows, index, 0)
        return _select(inside.expand_dims(-1).broadcast_to(values.shape), values, _zeros_like(values))

    def linear(self, batch, places):
        """The means of the pixels around real ``places``, weighted by nearness; pixels outside count as 0."""
        lows = [_stop_gradient(place.floor()) for place in places]
        parts = [place - low for place, low in zip(places, lows, strict=True)]
        total = None
        for corner in np.ndindex(*(2,) * len(places)):
            weight = math.prod(part if side else 1 - part for part, side in zip(parts, corner, strict=True))
            at = [low + side for low, side in zip(lows, corner, strict=True)]
            term = self.nearest(batch, at) * weight.astype(self.rows.dtype).expand_dims(-1)
            total = term if total is None else total + term
        return total


def channels_second(values):
    """``(N, *lengths, C)`` as ``(N, C, *lengths)``."""
    return values.transpose((0, values.ndim - 1, *range(1, values.ndim - 1)))


class ROIAlign(Primitive):
    """Regions of planes ``(N, C, H, W)`` pooled to one size: each bin is the mean of samples between pixels.

    Called with the planes and with rows ``(place in the batch, x1, y1, x2, y2)``, it gives
    ``(regions, C, pooled_height, pooled_width)``. A sample more than one pixel outside of the plane is 0. No gradient
    passes to the regions. Source: He et al., 2017.

    Dtypes: any, kept.

    Args:
        pooled_height (int): The height of the result.
        pooled_width (int): The width of the result.
        spatial_scale (float): The planes' size over the size of the image that the regions refer to.
        sample_num (int): How many samples a bin has along each axis; 0 for the bin's length, rounded up. Default: 2.
        roi_end_mode (int): 1 where a region holds its last pixel, otherwise 0. Default: 1.

    Raises:
        TypeError: If an argument is not an int, ``spatial_scale`` is not a float, or ``features`` or ``rois`` is not a
            Tensor.
        ValueError: If ``pooled_height`` or ``pooled_width`` is not above 0, ``spatial_scale`` is not finite, or
            ``sample_num`` is below 0. Also if ``roi_end_mode`` is not 0 or 1, or a region's picture is none of the
            batch.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> plane = ms.Tensor(np.arange(16.0, dtype=np.float32).reshape(1, 1, 4, 4))
        >>> print(ops.ROIAlign(1, 1, 1.0)(plane, ms.Tensor([[0.0, 0.0, 0.0, 2.0, 2.0]])))
        [[[[7.5]]]]
    """

    def __init__(
        self, pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int = 2, roi_end_mode: int = 1
    ) -> None:
        self.add_prim_attr("pooled_height", check_positive_int(self.name, "pooled_height", pooled_height))
        self.add_prim_attr("pooled_width", check_positive_int(self.name, "pooled_width", pooled_width))
        self.add_prim_attr("spatial_scale", check_python_float(self.name, "spatial_scale", spatial_scale))
        self.add_prim_attr("sample_num", check_int(self.name, "sample_num", sample_num, 0))
        self.add_prim_attr("roi_end_mode", check_int(self.name, "roi_end_mode", roi_end_mode, 0, 2))

    def __call__(self, features, rois):
        """The pooled regions."""
        check_tensor_of(self.name, "features", features, 4)
        check_tensor_of(self.name, "rois", rois, 2)
        if rois.shape[1] != 5:
            raise value_error(self.name, "the 'rois' must have rows of 5 numbers", f"shape {rois.shape}")
        planes, rois = Planes(features), cast(_stop_gradient(rois), _FLOAT32)
        if self.sample_num or not rois.shape[0]:
            pooled = self._pooled(planes, rois, (self.sample_num or 1,) * 2)
        else:
            each = [rois[i : i + 1] for i in range(rois.shape[0])]
            pooled = _concat([self._pooled(planes, roi, self._own_counts(roi)) for roi in each])
        return channels_second(pooled).astype(features.dtype)

    def _sides(self, rois, axis):
        """Starts of the regions along the height (0) or the width (1), and their lengths there."""
        start = rois[:, 2 - axis] * self.spatial_scale
        end = (rois[:, 4 - axis] + self.roi_end_mode) * self.spatial_scale
        return start, (end - start) if self.roi_end_mode else (end - start).clip(1, None)

    def _own_counts(self, roi):
        """The samples that one region's bins have along each axis: their lengths, rounded up."""
        bins = self.pooled_height, self.pooled_width
        return [max(math.ceil(float(self._sides(roi, i)[1][0]) / n), 1) for i, n in enumerate(bins)]

    def _pooled(self, planes, rois, counts):
        """``(regions, pooled_height, pooled_width, C)`` by ``counts`` samples a bin."""
        bins, places, inside = (self.pooled_height, self.pooled_width), [], 1.0
        for axis, (bin_count, samples, length) in enumerate(zip(bins, counts, planes.lengths, strict=True)):
            start, side = self._sides(rois, axis)
            steps = (count_to(bin_count * samples) + 0.5) / (bin_count * samples)
            place = (start.expand_dims(1) + side.expand_dims(1) * steps).expand_dims(2 - axis)
            inside = inside * cast((place >= -1).logical_and(place <= length), _FLOAT32)
            places.append(place.clip(0, length - 1))
        batch = cast(rois[:, 0], _INT64).reshape((-1, 1, 1))
        values = planes.linear(batch, places) * inside.expand_dims(-1)
        shape = (rois.shape[0], bins[0], counts[0], bins[1], counts[1], values.shape[-1])
        return values.reshape(shape).mean((2, 4))


class CropAndResize(Primitive):
    """Crops of images ``(N, H, W, C)``, each resized to one size: ``(boxes, crop height, crop width, C)`` in float32.

    The inputs are the images, the boxes as rows ``(y1, x1, y2, x2)``, each from 0 to 1, the index in the batch of each
    box's image, and the crops' height and width. A box may go from below to above, which mirrors it.

    Dtypes: floats and ints; the answer is float32; TypeError for bools and complex.

    Args:
        method (str): "bilinear", "nearest", or "bilinear_v2", which takes whole pixels of the image and reads between
            the centres of theirs. Default: "bilinear".
        extrapolation_value (float): What stands outside of the image. Default: 0.0.

    Raises:
        TypeError: If ``extrapolation_value`` is not a float, or ``x``, ``boxes`` or ``box_index`` is not a Tensor. Also
            if ``crop_size`` is not a tuple of two ints.
        ValueError: If ``method`` is unknown, ``extrapolation_value`` is not finite, ``x`` does not have 4 axes, or
            ``box_index`` is out of range.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> image = ms.Tensor(np.arange(9.0, dtype=np.float32).reshape(1, 3, 3, 1))
        >>> corner, first = ms.Tensor([[0.0, 0.0, 0.5, 0.5]]), ms.Tensor([0], ms.int32)
        >>> print(ops.CropAndResize()(image, corner, first, (2, 2)).reshape(2, 2))
        [[0. 1.]
         [3. 4.]]
    """

    def __init__(self, method: str = "bilinear", extrapolation_value: float = 0.0) -> None:
        choices = ("bilinear", "nearest", "bilinear_v2")
        self.add_prim_attr("method", check_choice(self.name, "method", method, choices))
        value = check_python_float(self.name, "extrapolation_value", extrapolation_value)
        self.add_prim_attr("extrapolation_value", value)

    def __call__(self, x, boxes, box_index, crop_size):
        """The crops."""
        check_tensor_of(self.name, "x", x, 4)
        check_tensor_of(self.name, "boxes", boxes, 2)
        check_tensor_of(self.name, "box_index", box_index, 1)
        self._check(x, boxes, box_index, crop_size)
        planes = Planes(x, channels_last=True)
        find = self._whole_pixels if self.method == "bilinear_v2" else self._fractions
        places, inside = [], 1.0
        for axis, (count, length) in enumerate(zip(crop_size, planes.lengths, strict=True)):
            place = find(boxes[:, axis], boxes[:, axis + 2], count, length).expand_dims(2 - axis)
            inside = inside * cast((place >= 0).logical_and(place <= length - 1), _FLOAT32)
            places.append(place)
        batch = cast(box_index, _INT64).reshape((-1, 1, 1))
        if self.method == "nearest":
            values = planes.nearest(batch, [(place + 0.5).floor() for place in places])
        else:
            values = planes.linear(batch, places)
        inside = inside.expand_dims(-1)
        return cast(values * inside + (1 - inside) * self.extrapolation_value, _FLOAT32)

    def _check(self, x, boxes, box_index, crop_size):
        if boxes.shape[1] != 4 or boxes.shape[0] != box_index.shape[0]:
            expected = "the 'boxes' must have rows of 4 numbers, as many as 'box_index'"
            raise value_error(self.name, expected, f"shapes {boxes.shape} and {box_index.shape}")
        if box_index.array.dtype.kind not in "iu":
            raise type_error(self.name, "the 'box_index' must be a Tensor of ints", box_index.dtype)
        if not isinstance(crop_size, tuple) or not all(map(is_int, crop_size)):
            raise type_error(self.name, "the 'crop_size' must be a tuple of two ints", shown(crop_size))
        if len(crop_size) != 2 or min(crop_size) < 1:
            raise value_error(self.name, "the 'crop_size' must be two ints above 0", crop_size)
        values = box_index.asnumpy()
        if values.size and not (values.min() >= 0 and values.max() < x.shape[0]):
            raise value_error(self.name, f"the 'box_index' must be in [0, {x.shape[0]})", values.tolist())

    def _fractions(self, first, last, count, length):
        """The positions of ``count`` pixels from ``first`` to ``last``, both included; of one, the middle."""
        span = (length - 1) * 1.0
        if count == 1:
            return ((first + last) * (span / 2)).expand_dims(1)
        step = (last - first) * (span / (count - 1))
        return (first * span).expand_dims(1) + step.expand_dims(1) * count_to(count)

    def _whole_pixels(self, first, last, count, length):
        """The centres of ``count`` parts of the pixels from ``first`` to ``last``, within the image."""
        first, last = (_stop_gradient((edge * length).trunc()) for edge in (first, last))
        size = (last - first + 1).clip(1, None).expand_dims(1)
        inner = (size * ((count_to(count) + 0.5) / count) - 0.5).clip(0, None)
        inner = inner - (inner - size + 1).clip(0, None)
        return (first.expand_dims(1) + inner).clip(0, length - 1)
