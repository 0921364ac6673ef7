"""Transforms that cover part of an image: a rectangle given, drawn, or several squares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_positive_int, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import PyTensorOperation
from minispore.data.dataset.vision.base import (
    LARGEST,
    ImageTensorOperation,
    check_fill,
    check_pair,
    check_probability,
    fill_for,
    happens,
)
from minispore.ops.number_checks import check_number, is_real

__all__ = ["CutOut", "Erase", "RandomErasing"]


class Erase(ImageTensorOperation):
    """The image with one rectangle of ``value``.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: any, kept.

    Args:
        top (int): Its first row.
        left (int): Its first column.
        height (int): Its height.
        width (int): Its width.
        value (object): An int, or (r, g, b). Default: 0.
        inplace (bool): True to write into the input. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: When called, if the rectangle is not within the image.
        ValueError: If ``top`` or ``left`` is below 0, ``height`` or ``width`` is not above 0, or ``value`` is out of
            range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Erase(0, 0, 1, 1, value=7)(image)[0])
        [[7 7 7]
         [3 4 5]]
    """

    ranks, channels = (3,), (3,)

    def __init__(self, top: int, left: int, height: int, width: int, value=0, inplace: bool = False) -> None:
        self.top, self.left = check_int("Erase", "top", top, 0), check_int("Erase", "left", left, 0)
        self.height = check_positive_int("Erase", "height", height)
        self.width = check_positive_int("Erase", "width", width)
        self.value = check_fill("Erase", value)
        self.inplace = check_bool("Erase", "inplace", inplace)

    def _array(self, x):
        bottom, right = self.top + self.height, self.left + self.width
        if bottom > x.shape[0] or right > x.shape[1]:
            raise runtime_error("Erase", "the rectangle must be within the image", f"shape {x.shape}")
        out = x if self.inplace else x.copy()
        out[self.top : bottom, self.left : right] = fill_for(x, self.value)
        return out

    def _strided(self, *images):
        return self(*map(np.array, images)) if self.inplace else self(*images)  # a view may be of the data set itself


class CutOut(ImageTensorOperation):
    """The image with ``num_patches`` squares of zeros at random places.

    Shapes: (H, W, C), kept; RuntimeError for others. Dtypes: any, kept.

    Args:
        length (int): The side of a square.
        num_patches (int): How many. Default: 1.
        is_hwc (bool): If True, channels are the last axis; else the first. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``length`` or ``num_patches`` is below 1.
        RuntimeError: When called, if the square is larger than the image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.CutOut(2, is_hwc=True)(np.full((2, 2, 3), 9, np.uint8)).shape)
        (2, 2, 3)
        >>> print(vision.CutOut(2, is_hwc=True)(np.full((2, 2, 3), 9, np.uint8)).min())
        0
    """

    ranks = (3,)

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        self.length = check_int("CutOut", "length", length, 1, LARGEST + 1)
        self.num_patches = check_int("CutOut", "num_patches", num_patches, 1, LARGEST + 1)
        self.is_hwc = check_bool("CutOut", "is_hwc", is_hwc)

    def _array(self, x):
        out = x.copy()
        view = out if self.is_hwc else out.transpose(1, 2, 0)
        height, width = view.shape[:2]
        if self.length > min(height, width):
            raise runtime_error("CutOut", f"the 'length' must be at most {min(height, width)}", self.length)
        for _ in range(self.num_patches):
            top, left = (generator().integers(n - self.length + 1) for n in (height, width))
            view[top : top + self.length, left : left + self.length] = 0
        return out


class RandomErasing(PyTensorOperation):
    """The array (C, H, W), or with the probability ``prob`` the array with a random rectangle of ``value``.

    Shapes: (H, W, C), kept; ValueError for others. Dtypes: any, kept.

    Args:
        prob (float): In [0, 1]. Default: 0.5.
        scale (tuple): The least and largest share of the area. Default: (0.02, 0.33).
        ratio (tuple): The least and largest height / width. Default: (0.3, 3.3).
        value (object): A number, three of them, or "random". Default: 0.
        inplace (bool): True to write into the input. Default: False.
        max_attempts (int): How many draws there are for a rectangle that fits. Default: 10.

    Raises:
        TypeError: If an argument is of a wrong kind; when called, if the input is not an array.
        ValueError: If an argument is out of its range; when called, if the rank is not 3.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(
        ...     vision.RandomErasing(prob=1.0, scale=(0.9, 1.0), ratio=(1.0, 1.0))(np.full((2, 2, 3), 9, np.uint8))[0]
        ... )
        [[9 9 9]
         [9 9 9]]
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: tuple[Any, ...] = (0.02, 0.33),
        ratio: tuple[Any, ...] = (0.3, 3.3),
        value=0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        self.prob = check_probability("RandomErasing", prob)
        self.scale = check_pair("RandomErasing", "scale", scale, 0)
        self.ratio = check_pair("RandomErasing", "ratio", ratio, 0, above=True)
        self.value = self._checked_value(value)
        self.inplace = check_bool("RandomErasing", "inplace", inplace)
        self.max_attempts = check_int("RandomErasing", "max_attempts", max_attempts, 1, LARGEST + 1)

    @staticmethod
    def _checked_value(value):
        parts = value if isinstance(value, (tuple, list)) else (value,)
        if not isinstance(value, str) and not all(map(is_int, parts)) and not all(map(is_real, parts)):
            raise type_error("RandomErasing", "the 'value' must be a number, three, or 'random'", shown(value))
        if value != "random" and (isinstance(value, str) or len(parts) not in (1, 3)):
            raise value_error("RandomErasing", "the 'value' must be a number, three, or 'random'", shown(value))
        for part in () if isinstance(value, str) else parts:
            check_number("RandomErasing", "value", part)
        return value

    def _execute_py(self, image):
        if not isinstance(image, np.ndarray):
            raise type_error("RandomErasing", "the input must be a NumPy array", shown(type(image).__name__, str))
        if image.ndim != 3:
            raise value_error("RandomErasing", "the input must have the shape (C, H, W)", f"shape {image.shape}")
        found = self._rectangle(*image.shape[1:]) if happens(self.prob) else None
        if found is None:
            return image
        top, left, height, width = found
        out = image if self.inplace else image.copy()
        out[:, top : top + height, left : left + width] = self._values(image, height, width)
        return out

    def _rectangle(self, height, width):
        random, low, high = generator(), math.log(self.ratio[0]), math.log(self.ratio[1])
        for _ in range(self.max_attempts):
            area = random.uniform(*self.scale) * height * width
            ratio = math.exp(random.uniform(low, high))
            tall, wide = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < tall < height and 0 < wide < width:
                return int(random.integers(height - tall + 1)), int(random.integers(width - wide + 1)), tall, wide
        return None

    def _values(self, image, height, width):
        if self.value == "random":
            return generator().standard_normal((image.shape[0], height, width))
        return np.asarray(self.value).reshape(-1, 1, 1)
