"""Transforms of an image with its bounding boxes, float32 rows that begin with x, y, width and height."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.errors import runtime_error, shown, type_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import TensorOperation, as_array, name_of
from minispore.data.dataset.vision.base import check_probability, check_size, happens
from minispore.data.dataset.vision.enums import Inter
from minispore.data.dataset.vision.geometry import flipped
from minispore.data.dataset.vision.sizes import RandomCrop, RandomResizedCrop, Resize, cropped
from minispore.ops.number_checks import check_real

__all__ = [
    "BoundingBoxAugment",
    "RandomCropWithBBox",
    "RandomHorizontalFlipWithBBox",
    "RandomResizeWithBBox",
    "RandomResizedCropWithBBox",
    "RandomVerticalFlipWithBBox",
    "ResizeWithBBox",
]


class _WithBoxes(TensorOperation):
    """Base of transforms of (image, boxes)."""

    def __call__(self, *columns) -> Any:
        if len(columns) != 2:
            raise runtime_error(name_of(self), "there must be two input columns, image and boxes", len(columns))
        image, boxes = (as_array(name_of(self), column) for column in columns)
        if image.ndim not in (2, 3):
            raise runtime_error(name_of(self), "the rank of the image must be 2 or 3", f"shape {image.shape}")
        self._check_boxes(image, boxes)
        return self._both(image, boxes.copy())

    def _check_boxes(self, image, boxes):
        name = name_of(self)
        if boxes.ndim != 2 or boxes.shape[1] < 4 or boxes.dtype != np.float32:
            expected = "the boxes must be float32 rows of at least 4 numbers"
            raise runtime_error(name, expected, f"{boxes.dtype}{boxes.shape}")
        x, y, width, height = boxes[:, :4].T
        inside = (x >= 0) & (y >= 0) & (x + width <= image.shape[1]) & (y + height <= image.shape[0])
        if not (inside & (width > 0) & (height > 0)).all():
            raise runtime_error(name, "the boxes must be within the image", f"{shown(boxes.tolist())}")

    def _both(self, image, boxes):
        raise NotImplementedError


def _scaled_boxes(boxes, before, after):
    boxes[:, [0, 2]] *= np.float32(after[1] / before[1])
    boxes[:, [1, 3]] *= np.float32(after[0] / before[0])
    return boxes


def _cropped_boxes(boxes, top, left, height, width):
    """The boxes' parts within a rectangle; rows of zeros for those outside, at least one row."""
    low = np.maximum(boxes[:, :2], np.float32([left, top]))
    high = np.minimum(boxes[:, :2] + boxes[:, 2:4], np.float32([left + width, top + height]))
    kept = (high > low).all(1)
    boxes[:, :2], boxes[:, 2:4] = low - np.float32([left, top]), high - low
    return boxes[kept] if kept.any() else np.zeros_like(boxes[:1])


class ResizeWithBBox(_WithBoxes):
    """The image at another size, with its boxes.

    Shapes: (H, W) gives (h, w), (H, W, C) gives (h, w, C); boxes (N, 4) or wider. A box is (left, top, width, height,
    ...). Dtypes: float32, float64, int16, uint8 and uint16, kept; boxes are float32.

    Args:
        size (object): (height, width), or an int, the length of the shorter side.
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.

    Raises:
        RuntimeError: When called, if the input is not an image with boxes within it.
        TypeError: If ``size`` is not an int or a pair of ints, (height, width), or ``interpolation`` is not an Inter.
            When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``size`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 1, 2]], np.float32)
        >>> image, boxes = vision.ResizeWithBBox((8, 8))(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[0. 0. 2. 4.]]
    """

    def __init__(self, size: object, interpolation=Inter.BILINEAR) -> None:
        self._resize = Resize(size, interpolation)

    def _both(self, image, boxes):
        out = self._resize(image)
        return out, _scaled_boxes(boxes, image.shape, out.shape)


class RandomResizeWithBBox(_WithBoxes):
    """The image at another size, with an interpolation that is drawn, and its boxes.

    Shapes: (H, W) gives (h, w), (H, W, C) gives (h, w, C); boxes (N, 4) or wider. A box is (left, top, width, height,
    ...). Dtypes: float32, float64, int16, uint8 and uint16, kept; boxes are float32.

    Args:
        size (object): (height, width), or an int, the length of the shorter side.

    Raises:
        TypeError: If ``size`` is not an int or a pair of ints, (height, width). When called, if the input is neither an
            array nor an image of Pillow.
        ValueError: If ``size`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 1, 2]], np.float32)
        >>> image, boxes = vision.RandomResizeWithBBox((8, 8))(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[0. 0. 2. 4.]]
    """

    def __init__(self, size: object) -> None:
        checked = check_size("RandomResizeWithBBox", size)
        self.size = checked if len(checked) == 2 else checked[0]

    def _both(self, image, boxes):
        kinds = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC, Inter.AREA)
        return ResizeWithBBox(self.size, kinds[generator().integers(len(kinds))])(image, boxes)


class RandomHorizontalFlipWithBBox(_WithBoxes):
    """The image and its boxes, or with the probability ``prob`` both with left and right exchanged.

    Shapes: an image (H, W) or (H, W, C) and boxes (N, 4) or wider, kept. A box is (left, top, width, height, ...).
    Dtypes: any, kept; boxes are float32.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 1, 2]], np.float32)
        >>> image, boxes = vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)
        >>> print(boxes)
        [[3. 0. 1. 2.]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomHorizontalFlipWithBBox", prob)

    def _both(self, image, boxes):
        if not happens(self.prob):
            return image, boxes
        boxes[:, 0] = image.shape[1] - boxes[:, 0] - boxes[:, 2]
        return flipped(image, 1), boxes


class RandomVerticalFlipWithBBox(_WithBoxes):
    """The image and its boxes, or with the probability ``prob`` both turned upside down.

    Shapes: an image (H, W) or (H, W, C) and boxes (N, 4) or wider, kept. A box is (left, top, width, height, ...).
    Dtypes: any, kept; boxes are float32.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 1, 2]], np.float32)
        >>> image, boxes = vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)
        >>> print(boxes)
        [[0. 2. 1. 2.]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomVerticalFlipWithBBox", prob)

    def _both(self, image, boxes):
        if not happens(self.prob):
            return image, boxes
        boxes[:, 1] = image.shape[0] - boxes[:, 1] - boxes[:, 3]
        return flipped(image, 0), boxes


class RandomCropWithBBox(_WithBoxes, RandomCrop):
    """As :class:`RandomCrop`, with the boxes' parts that are within the crop; one of zeros if no box is left.

    Shapes: (H, W) gives (h, w), (H, W, C) gives (h, w, C); boxes (N, 4) or wider. A box is (left, top, width, height,
    ...). Dtypes: any, kept; boxes are float32.

    Args:
        size (object): (height, width), or an int for a square.
        padding (object): How many pixels to add. Default: None.
        pad_if_needed (bool): True to pad an image that is smaller than the crop. Default: False.
        fill_value (object): The value of added pixels. Default: 0.
        padding_mode (Border): What stands there. Default: Border.CONSTANT.

    Raises:
        TypeError: If ``size`` is not an int or a pair of ints, (height, width). Also if ``padding`` is not an int, or
            two or four of them, or ``pad_if_needed`` is not a bool. Also if ``fill_value`` is not an int or a tuple of
            three. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``size``, ``padding`` or ``fill_value`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 1, 2]], np.float32)
        >>> image, boxes = vision.RandomCropWithBBox((4, 4))(image, boxes)
        >>> print(image.shape, boxes)
        (4, 4, 3) [[0. 0. 1. 2.]]
    """

    def _both(self, image, boxes):
        drawn = self._drawn(*image.shape[:2])
        boxes[:, :2] += np.float32(drawn.padding[:2])
        return drawn(image), _cropped_boxes(boxes, *drawn.rectangle)


class RandomResizedCropWithBBox(_WithBoxes, RandomResizedCrop):
    """As :class:`RandomResizedCrop`, with the boxes' parts that are within the crop, resized.

    Shapes: (H, W) gives (h, w), (H, W, C) gives (h, w, C); boxes (N, 4) or wider. A box is (left, top, width, height,
    ...). Dtypes: float32, float64, int16, uint8 and uint16, kept; boxes are float32.

    Args:
        size (object): (height, width), or an int for a square.
        scale (tuple): The least and largest share. Default: (0.08, 1.0).
        ratio (tuple): The least and largest width / height. Default: (3. / 4., 4. / 3.).
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.
        max_attempts (int): How many draws. Default: 10.

    Raises:
        TypeError: If ``size`` is not an int or a pair of ints, (height, width). Also if ``scale`` or ``ratio`` is not a
            pair (min, max), ``interpolation`` is not an Inter, or ``max_attempts`` is not an int. When called, if the
            input is neither an array nor an image of Pillow.
        ValueError: If ``size`` or ``max_attempts`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.zeros((4, 4, 3), np.uint8), np.array([[0, 0, 4, 4]], np.float32)
        >>> image, boxes = vision.RandomResizedCropWithBBox((8, 8), scale=(1.0, 1.0), ratio=(1.0, 1.0))(image, boxes)
        >>> print(image.shape, boxes)
        (8, 8, 3) [[0. 0. 8. 8.]]
    """

    def _both(self, image, boxes):
        rectangle = self._rectangle(*image.shape[:2])
        out = self._resize(cropped(image, *rectangle))
        return out, _scaled_boxes(_cropped_boxes(boxes, *rectangle), rectangle[2:], out.shape)


class BoundingBoxAugment(_WithBoxes):
    """The image in which a random share of the boxes' contents is transformed.

    Shapes: an image (H, W) or (H, W, C), kept, and boxes (N, 4) or wider. A box is (left, top, width, height, ...).
    Dtypes: those that ``transform`` takes; boxes are float32.

    Args:
        transform (object): A transform that keeps the size.
        ratio (float): The share, in [0, 1]. Default: 0.3.

    Raises:
        TypeError: If ``transform`` cannot be called.
        RuntimeError: When called, if ``transform`` changes the size.
        ValueError: If ``ratio`` is not in [0, 1].

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image, boxes = np.full((4, 4, 3), 9, np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> image, boxes = vision.BoundingBoxAugment(vision.Invert(), 1.0)(image, boxes)
        >>> print(image[:, :, 0], boxes)
        [[246 246   9   9]
         [246 246   9   9]
         [  9   9   9   9]
         [  9   9   9   9]] [[0. 0. 2. 2.]]
    """

    def __init__(self, transform: object, ratio: float = 0.3) -> None:
        if not callable(transform):
            raise type_error("BoundingBoxAugment", "the 'transform' must be a transform", shown(transform))
        self.transform, self.ratio = transform, check_real("BoundingBoxAugment", "ratio", ratio, 0, 1)

    def _both(self, image, boxes):
        image = image.copy()
        for i in generator().permutation(len(boxes))[: int(np.ceil(len(boxes) * self.ratio))]:
            left, top, width, height = (int(v) for v in boxes[i, :4])
            place = (slice(top, top + height), slice(left, left + width))
            image[place] = self._transformed(image[place])
        return image, boxes

    def _transformed(self, part):
        found = np.asarray(self.transform(part.copy()))
        if found.shape != part.shape:
            expected = f"the transform must keep the shape {part.shape}"
            raise runtime_error("BoundingBoxAugment", expected, str(found.shape))
        return found
