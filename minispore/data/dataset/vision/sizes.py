"""Transforms of an image's size: resized, cropped, padded, cut into patches; fixed or at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_positive_int, check_switch
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import is_pil, name_of, one_of
from minispore.data.dataset.vision.base import (
    ImageTensorOperation,
    PilOperation,
    RandomColumnsOperation,
    check_border,
    check_fill,
    check_interpolation,
    check_padding,
    check_pair,
    check_size,
    check_square,
    each_image,
    is_one_array,
    packed,
    pil_fill,
)
from minispore.data.dataset.vision.conversions import decoded
from minispore.data.dataset.vision.enums import Border, Inter, SliceMode
from minispore.data.dataset.vision.pillow import image_of, pillow, pillow_filter, with_fourth_channel
from minispore.data.dataset.vision.resampling import resized

__all__ = [
    "CenterCrop",
    "Crop",
    "FiveCrop",
    "Pad",
    "PadToSize",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomResize",
    "RandomResizedCrop",
    "Resize",
    "ResizedCrop",
    "SlicePatches",
    "TenCrop",
]

_RESIZABLE = ("uint8", "uint16", "int16", "float32", "float64")
_MOST_GROWTH = 1000


def cropped(x, top, left, height, width):
    """A copy of the rectangle of an array (..., H, W, C) or (H, W)."""
    rows, columns = slice(top, top + height), slice(left, left + width)
    return np.array(x[rows, columns] if x.ndim < 4 else x[..., rows, columns, :])


def pil_cropped(image, top, left, height, width):
    """The same of an image of Pillow."""
    return image.crop((left, top, left + width, top + height))


def padded(x, padding, mode, fill):
    """An array (..., H, W, C) or (H, W) with (left, top, right, bottom) more pixels."""
    left, top, right, bottom = padding
    sides = [(top, bottom), (left, right)]
    sides += [(0, 0)] * (x.ndim > 2)
    sides = [(0, 0)] * (x.ndim - len(sides)) + sides
    if mode != Border.CONSTANT:
        return np.pad(x, sides, mode.value)
    shape = [before + n + after for (before, after), n in zip(sides, x.shape, strict=True)]
    out = _filled(shape, x.dtype, fill) if any(fill) else np.zeros(shape, x.dtype)
    out[tuple(slice(before, before + n) for (before, _), n in zip(sides, x.shape, strict=True))] = x
    return out


def _filled(shape, dtype, fill):
    values = np.zeros(shape[-1] if len(shape) > 2 else 1, dtype)
    values[:3] = np.asarray(fill)[: len(values)].astype(dtype)
    out = np.empty(shape, dtype)
    out[...] = values if len(shape) > 2 else values[0]
    return out


def pil_padded(image, padding, mode, fill):
    """The same of an image of Pillow."""
    if mode == Border.CONSTANT:
        return pillow("ImageOps").expand(image, padding, pil_fill(image, fill))
    return image_of(padded(np.asarray(image), padding, mode, fill))


class Resize(ImageTensorOperation):
    """The image at another size.

    Shapes: (H, W) gives (h, w); (..., H, W, C) gives (..., h, w, C); RuntimeError for others. Dtypes: float32, float64,
    int16, uint8 and uint16, kept; RuntimeError for others.

    Args:
        size (object): (height, width), or an int, the length of the shorter side, which keeps the proportions.
        interpolation (Inter): Inter.ANTIALIAS takes images of Pillow alone, Inter.AREA and Inter.PILCUBIC arrays
            alone. Default: Inter.BILINEAR.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``size`` is below 1.
        RuntimeError: When called, if the input is not an image of uint8, uint16, int16, float32 or float64.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Resize((1, 2))(image))
        [[[3 4 5]
          [6 7 8]]]
    """

    ranks, types = 2, _RESIZABLE

    def __init__(self, size: object, interpolation=Inter.BILINEAR) -> None:
        self.size = check_size(name_of(self), size)
        self.interpolation = check_interpolation(name_of(self), interpolation)

    def _target(self, height, width):
        if len(self.size) == 2:
            return self.size
        short = self.size[0]
        if height < width:
            return short, _proportional(short, width, height)
        return _proportional(short, height, width), short

    def _array(self, x):
        size = self._checked_size(x)
        return each_image(lambda image: packed(resized(image, size, self.interpolation)), x)

    def _checked_size(self, x):
        """The size of the result; RuntimeError if the array cannot be resized so."""
        if self.interpolation == Inter.ANTIALIAS:
            raise type_error(name_of(self), "with Inter.ANTIALIAS the input must be an image of Pillow", "an array")
        if self.interpolation == Inter.PILCUBIC and (x.dtype != np.uint8 or x.ndim < 3 or x.shape[-1] != 3):
            raise runtime_error(name_of(self), "with Inter.PILCUBIC the image must be RGB of uint8", x.dtype.name)
        height, width = x.shape[:2] if x.ndim < 4 else x.shape[-3:-1]
        size = self._target(height, width)
        if size[0] > height * _MOST_GROWTH or size[1] > width * _MOST_GROWTH:
            expected = f"the size must be at most {_MOST_GROWTH} times that of the image, {(height, width)}"
            raise runtime_error(name_of(self), expected, str(size))
        return size

    def _strided(self, *images):
        if not is_one_array(*images):
            return self(*images)
        self._check(*images)
        return resized(*images, self._checked_size(*images), self.interpolation)

    def _image(self, image):
        kind = pillow_filter(name_of(self), self.interpolation)
        height, width = self._target(image.height, image.width)
        return image.resize((width, height), kind)


def _proportional(short, longer, shorter):
    return int(short * longer / shorter)


class CenterCrop(ImageTensorOperation):
    """The middle of the image; where it is smaller than the crop, zeros stand around it.

    Shapes: (H, W) gives (h, w); (..., H, W, C) gives (..., h, w, C); RuntimeError for others. Dtypes: any, kept.

    Args:
        size (object): (height, width), or an int for a square.

    Raises:
        TypeError: If ``size`` is not an int or a pair of ints.
        ValueError: If it is below 1.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.CenterCrop(1)(image))
        [[[0 1 2]]]
    """

    ranks = 2

    def __init__(self, size: object) -> None:
        self.size = check_square("CenterCrop", size)

    def _array(self, x):
        height, width = x.shape[:2] if x.ndim < 4 else x.shape[-3:-1]
        tall, wide = self.size
        top, left = max(tall - height, 0), max(wide - width, 0)
        if top or left:
            padding = (left // 2 + left % 2, top // 2 + top % 2, left // 2, top // 2)
            x = padded(x, padding, Border.CONSTANT, (0,))
        height, width = height + top, width + left
        return cropped(x, (height - tall) // 2, (width - wide) // 2, tall, wide)

    def _image(self, image):
        tall, wide = self.size
        return _pil_center(image, tall, wide)


def _pil_center(image, tall, wide):
    top, left = round((image.height - tall) / 2), round((image.width - wide) / 2)
    return pil_cropped(image, top, left, tall, wide)


class Crop(ImageTensorOperation):
    """The rectangle of ``size`` whose upper left corner stands at ``coordinates``.

    Shapes: (H, W) gives (h, w); (H, W, C) gives (h, w, C); RuntimeError for others. Dtypes: any, kept.

    Args:
        coordinates (tuple): (top, left).
        size (object): (height, width), or an int for a square.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: When called, if the rectangle is not within the image.
        ValueError: If ``coordinates`` or ``size`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Crop((0, 1), (2, 1))(image))
        [[[ 3  4  5]]
        <BLANKLINE>
         [[ 9 10 11]]]
    """

    def __init__(self, coordinates: tuple[Any, ...], size: object) -> None:
        if not isinstance(coordinates, (list, tuple)) or len(coordinates) != 2:
            raise type_error("Crop", "the 'coordinates' must be a pair (top, left)", shown(coordinates))
        self.coordinates = tuple(check_int("Crop", "coordinates", n, 0, 2**31) for n in coordinates)
        self.size = check_square("Crop", size)

    def _array(self, x):
        return _checked_crop("Crop", x, *self.coordinates, *self.size)


def _checked_crop(operation, x, top, left, height, width):
    if top + height > x.shape[0] or left + width > x.shape[1]:
        rectangle = f"a crop of {(height, width)} at {(top, left)} of shape {x.shape}"
        raise runtime_error(operation, "the crop must be within the image", rectangle)
    return cropped(x, top, left, height, width)


class ResizedCrop(ImageTensorOperation):
    """The rectangle at (top, left) of (height, width), resized.

    Shapes: (H, W) gives (h, w); (H, W, C) gives (h, w, C); RuntimeError for others. Dtypes: float32, float64, int16,
    uint8 and uint16, kept; RuntimeError for others.

    Args:
        top (int): The first row.
        left (int): The first column.
        height (int): How many rows.
        width (int): How many columns.
        size (object): (height, width) of the result, or an int for its shorter side.
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.

    Raises:
        TypeError: If an argument is not an int, or ``size`` is not an int or a pair of ints, (height, width). Also if
            ``interpolation`` is not an Inter. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``top``, ``left`` or ``size`` is out of range, or ``height`` or ``width`` is not above 0.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.ResizedCrop(0, 0, 1, 1, (2, 2))(image)[0])
        [[0 1 2]
         [0 1 2]]
    """

    types = _RESIZABLE

    def __init__(
        self, top: int, left: int, height: int, width: int, size: object, interpolation=Inter.BILINEAR
    ) -> None:
        self.top, self.left = (check_int("ResizedCrop", n, v, 0, 2**31) for n, v in (("top", top), ("left", left)))
        self.height = check_positive_int("ResizedCrop", "height", height)
        self.width = check_positive_int("ResizedCrop", "width", width)
        self.resize = Resize(size, interpolation)

    def _array(self, x):
        return self.resize(_checked_crop("ResizedCrop", x, self.top, self.left, self.height, self.width))


class Pad(ImageTensorOperation):
    """The image with more pixels around it.

    Shapes: (H, W) gives (h, w); (H, W, C) gives (h, w, C); RuntimeError for others. Dtypes: any, kept.

    Args:
        padding (object): How many: an int, (left and right, top and bottom), or (left, top, right, bottom).
        fill_value (object): With Border.CONSTANT their value, an int or (r, g, b). Default: 0.
        padding_mode (Border): What stands there. Default: Border.CONSTANT.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``padding`` is negative or has another length, or ``fill_value`` is outside [0, 255].
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Pad([1, 0, 0, 0], fill_value=7)(image)[0])
        [[7 7 7]
         [0 1 2]
         [3 4 5]]
    """

    def __init__(self, padding: object, fill_value=0, padding_mode=Border.CONSTANT) -> None:
        self.padding = check_padding("Pad", padding)
        self.fill_value = check_fill("Pad", fill_value)
        self.padding_mode = check_border("Pad", padding_mode)

    def _array(self, x):
        return padded(x, self.padding, self.padding_mode, self.fill_value)

    def _image(self, image):
        return pil_padded(image, self.padding, self.padding_mode, self.fill_value)


class PadToSize(ImageTensorOperation):
    """The image with pixels around it until it has ``size``.

    Shapes: (H, W) gives (h, w); (H, W, C) gives (h, w, C); RuntimeError for others. Dtypes: any, kept; RuntimeError for
    complex.

    Args:
        size (object): (height, width), or an int for a square.
        offset (object): (top, left) of the image in the result, or an int for both. Default: None, the middle.
        fill_value (object): With Border.CONSTANT the value of the new pixels, an int or (r, g, b). Default: 0.
        padding_mode (Border): What stands there. Default: Border.CONSTANT.

    Raises:
        RuntimeError: When called, if the image is larger, or with ``offset`` reaches out of the result.
        TypeError: If ``size`` is not an int or a pair of ints, (height, width). Also if ``fill_value`` is not an int or
            a tuple of three, ``offset`` is not an int, or ``padding_mode`` is not a Border. When called, if the input
            is neither an array nor an image of Pillow.
        ValueError: If ``size``, ``fill_value`` or ``offset`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.PadToSize((2, 3), fill_value=7)(image)[0])
        [[0 1 2]
         [3 4 5]
         [7 7 7]]
    """

    def __init__(self, size: object, offset: object | None = None, fill_value=0, padding_mode=Border.CONSTANT) -> None:
        self.size = check_square("PadToSize", size)
        self.offset = self._checked_offset(offset)
        self.fill_value = check_fill("PadToSize", fill_value)
        self.padding_mode = check_border("PadToSize", padding_mode)

    @staticmethod
    def _checked_offset(offset):
        if offset is None or (isinstance(offset, (tuple, list)) and not offset):
            return None
        many = offset if isinstance(offset, (tuple, list)) else [offset]
        if len(many) > 2:
            raise value_error("PadToSize", "the 'offset' must be an int or a pair", shown(offset))
        checked = tuple(check_int("PadToSize", "offset", n, 0, 2**31) for n in many)
        return checked if len(checked) == 2 else checked * 2

    def _array(self, x):
        more = [n - m for n, m in zip(self.size, x.shape, strict=False)]
        top, left = [n // 2 for n in more] if self.offset is None else self.offset
        if min(*more, more[0] - top, more[1] - left) < 0:
            raise runtime_error("PadToSize", f"the image must fit into {self.size}", f"shape {x.shape}")
        return padded(x, (left, top, more[1] - left, more[0] - top), self.padding_mode, self.fill_value)


class _CropAt:
    """Padding, and the crop at one place of it: what :class:`RandomCrop` draws."""

    def __init__(self, padding, mode, fill, rectangle):
        self.padding, self.mode, self.fill, self.rectangle = padding, mode, fill, rectangle

    def __call__(self, image):
        pad, crop = (pil_padded, pil_cropped) if is_pil(image) else (padded, cropped)
        image = pad(image, self.padding, self.mode, self.fill) if any(self.padding) else image
        return crop(image, *self.rectangle)

    def view(self, x):
        """The crop of an array of rank 2 or 3, not copied."""
        x = padded(x, self.padding, self.mode, self.fill) if any(self.padding) else x
        top, left, tall, wide = self.rectangle
        return x[top : top + tall, left : left + wide]


class RandomCrop(RandomColumnsOperation):
    """A rectangle of ``size`` at a random place of the image, which may be padded before.

    Shapes: (H, W) gives (h, w); (..., H, W, C) gives (..., h, w, C); RuntimeError for others. Dtypes: any, kept.

    Args:
        size (object): (height, width), or an int for a square.
        padding (object): How many pixels to add: an int, two or four of them, as in :class:`Pad`. Default: None.
        pad_if_needed (bool): True to pad an image that is smaller than the crop. Default: False.
        fill_value (object): The value of added pixels, an int or (r, g, b). Default: 0.
        padding_mode (Border): What stands there. Default: Border.CONSTANT.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the image is smaller than the crop.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomCrop((2, 2))(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    ranks = 2

    def __init__(
        self,
        size: object,
        padding: object | None = None,
        pad_if_needed: bool = False,
        fill_value=0,
        padding_mode=Border.CONSTANT,
    ) -> None:
        self.size = check_square(name_of(self), size)
        self.padding = check_padding(name_of(self), 0 if padding is None else padding)
        self.pad_if_needed = check_bool(name_of(self), "pad_if_needed", pad_if_needed)
        self.fill_value = check_fill(name_of(self), fill_value)
        self.padding_mode = check_border(name_of(self), padding_mode)

    def _drawn(self, height, width):
        left, top, right, bottom = self.padding
        tall, wide = self.size
        height, width = height + top + bottom, width + left + right
        if self.pad_if_needed:
            more = max(tall - height, 0), max(wide - width, 0)
            top, bottom, left, right = top + more[0], bottom + more[0], left + more[1], right + more[1]
            height, width = height + 2 * more[0], width + 2 * more[1]
        if tall > height or wide > width:
            expected = f"the size must be at most that of the padded image, {(height, width)}"
            raise runtime_error(name_of(self), expected, str(self.size))
        at = generator().integers(height - tall + 1), generator().integers(width - wide + 1)
        return _CropAt((left, top, right, bottom), self.padding_mode, self.fill_value, (*map(int, at), tall, wide))


class _CropAndResize:
    """A rectangle of an image, resized: what :class:`RandomResizedCrop` draws."""

    def __init__(self, rectangle, resize):
        self.rectangle, self.resize = rectangle, resize

    def __call__(self, image):
        return self.resize((pil_cropped if is_pil(image) else cropped)(image, *self.rectangle))

    def view(self, x):
        top, left, tall, wide = self.rectangle
        return self.resize._strided(x[top : top + tall, left : left + wide])


class RandomResizedCrop(RandomColumnsOperation):
    """A rectangle with a random share of the image's area and random proportions, resized to ``size``.

    The share is uniform in ``scale``; the logarithm of width / height is uniform between the logarithms of ``ratio``.
    If no draw of ``max_attempts`` fits into the image, its middle is taken, with the proportions in ``ratio``.

    Shapes: (H, W) gives (h, w); (..., H, W, C) gives (..., h, w, C); RuntimeError for others. Dtypes: float32, float64,
    int16, uint8 and uint16, kept; RuntimeError for others.

    Args:
        size (object): (height, width), or an int for a square.
        scale (tuple): The least and largest share. Default: (0.08, 1.0).
        ratio (tuple): The least and largest width / height. Default: (3. / 4., 4. / 3.).
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.
        max_attempts (int): How many draws. Default: 10.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.RandomResizedCrop((1, 1), scale=(1.0, 1.0), ratio=(1.0, 1.0))(np.full((2, 2, 3), 9, np.uint8)))
        [[[9 9 9]]]
    """

    ranks, types = 2, _RESIZABLE

    def __init__(
        self,
        size: object,
        scale: tuple[Any, ...] = (0.08, 1.0),
        ratio: tuple[Any, ...] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation=Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self.size = check_square(name_of(self), size)
        self.scale = check_pair(name_of(self), "scale", scale, 0)
        if self.scale[1] <= 0:
            raise value_error(name_of(self), "the larger 'scale' must be above 0", shown(scale))
        self.ratio = check_pair(name_of(self), "ratio", ratio, 0, above=True)
        self.interpolation = check_interpolation(name_of(self), interpolation)
        self.max_attempts = check_int(name_of(self), "max_attempts", max_attempts, 1, 2**31)
        self._resize = Resize(self.size, interpolation)

    def _drawn(self, height, width):
        return _CropAndResize(self._rectangle(height, width), self._resize)

    def _rectangle(self, height, width):
        random, (low, high) = generator(), map(math.log, self.ratio)
        for _ in range(self.max_attempts):
            area = random.uniform(*self.scale) * height * width
            ratio = math.exp(random.uniform(low, high))
            wide, tall = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < wide <= width and 0 < tall <= height:
                return int(random.integers(height - tall + 1)), int(random.integers(width - wide + 1)), tall, wide
        return self._middle(height, width)

    def _middle(self, height, width):
        proportion = min(max(width / height, self.ratio[0]), self.ratio[1])
        tall = height if proportion >= width / height else max(round(height), 1)
        wide = min(max(round(tall * proportion), 1), width)
        tall = min(max(round(wide / proportion), 1), height)
        return (height - tall) // 2, (width - wide) // 2, tall, wide


class RandomCropDecodeResize(RandomResizedCrop):
    """As :class:`RandomResizedCrop`, of an encoded image, which is decoded.

    Shapes: (number of bytes,) gives (h, w, 3). Dtypes: uint8, kept.

    Args:
        size (object): (height, width), or an int for a square.
        scale (tuple): The least and largest share. Default: (0.08, 1.0).
        ratio (tuple): The least and largest width / height. Default: (3. / 4., 4. / 3.).
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.
        max_attempts (int): How many draws. Default: 10.

    Raises:
        TypeError: When called, if the input is not bytes or an array of one axis.
        RuntimeError: When called, if it cannot be decoded.
        ValueError: If ``size`` or ``max_attempts`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> data = vision.encode_png(np.full((2, 2, 3), 9, np.uint8))
        >>> print(vision.RandomCropDecodeResize((1, 1))(data))
        [[[9 9 9]]]
    """

    def __call__(self, *columns) -> Any:
        return packed(self._strided(*columns))

    def _strided(self, *columns):
        image = decoded("RandomCropDecodeResize", one_of("RandomCropDecodeResize", columns))
        crop = pil_cropped(image, *self._rectangle(image.height, image.width))
        if self.interpolation != Inter.BILINEAR:
            return self._resize(np.asarray(crop))
        return self._resize(with_fourth_channel(crop))[:, :, :3]  # pixels of four bytes are taken in one piece


class RandomResize(RandomColumnsOperation):
    """The image at another size, with an interpolation that is drawn: nearest, bilinear, bicubic or area.

    Shapes: (H, W) gives (h, w); (..., H, W, C) gives (..., h, w, C); RuntimeError for others. Dtypes: float32, float64,
    int16, uint8 and uint16, kept; RuntimeError for others.

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
        >>> print(vision.RandomResize((1, 1))(np.full((2, 2, 3), 9, np.uint8)))
        [[[9 9 9]]]
    """

    ranks, types = 2, _RESIZABLE

    def __init__(self, size: object) -> None:
        self.size = check_size("RandomResize", size)

    def _drawn(self, height, width):
        size = self.size if len(self.size) == 2 else self.size[0]
        kinds = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC, Inter.AREA)
        resize = Resize(size, kinds[generator().integers(len(kinds))])
        return lambda image: resize(np.asarray(image))


class FiveCrop(PilOperation):
    """The four corners and the middle of an image of Pillow: upper left and right, lower left and right, middle.

    Args:
        size (object): (height, width), or an int for a square.

    Raises:
        TypeError: When called, if the input is not an image of Pillow.
        ValueError: When called, if it is smaller than the crop.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
        >>> print([crop.getpixel((0, 0)) for crop in vision.FiveCrop(1)(image)])
        [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (0, 1, 2)]
    """

    def __init__(self, size: object) -> None:
        self.size = check_square(name_of(self), size)

    def _execute_py(self, image):
        tall, wide = self.size
        if tall > image.height or wide > image.width:
            expected = f"the size must be at most that of the image, {(image.height, image.width)}"
            raise value_error(name_of(self), expected, str(self.size))
        bottom, right = image.height - tall, image.width - wide
        corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)]
        return (*(pil_cropped(image, *at, tall, wide) for at in corners), _pil_center(image, tall, wide))


class TenCrop(FiveCrop):
    """The five crops of an image of Pillow, then the five crops of the flipped image.

    Args:
        size (object): (height, width), or an int for a square.
        use_vertical_flip (bool): True to flip upside down instead of left and right. Default: False.

    Raises:
        TypeError: If ``size`` is not an int or a pair of ints, (height, width). When called, if the input is not an
            image of Pillow.
        ValueError: If ``size`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
        >>> crops = vision.TenCrop(1)(image)
        >>> print(len(crops), crops[0].getpixel((0, 0)), crops[5].getpixel((0, 0)))
        10 (0, 1, 2) (3, 4, 5)
    """

    def __init__(self, size: object, use_vertical_flip: bool = False) -> None:
        super().__init__(size)
        self.use_vertical_flip = check_switch("TenCrop", "use_vertical_flip", use_vertical_flip)

    def _execute_py(self, image):
        ways = pillow().Transpose
        way = ways.FLIP_TOP_BOTTOM if self.use_vertical_flip else ways.FLIP_LEFT_RIGHT
        return super()._execute_py(image) + super()._execute_py(image.transpose(way))


class SlicePatches(ImageTensorOperation):
    """The image cut into ``num_height`` times ``num_width`` patches, row by row, as a tuple.

    Shapes: (H, W) and (H, W, C); each patch has as many axes; RuntimeError for others. Dtypes: any, kept; RuntimeError
    for complex.

    Args:
        num_height (int): How many patches stand above one another. Default: 1.
        num_width (int): How many stand side by side. Default: 1.
        slice_mode (SliceMode): ``PAD`` or ``DROP`` the rest if they do not divide the image. Default: SliceMode.PAD.
        fill_value (int): The value of the padding, in [0, 255]. Default: 0.

    Raises:
        RuntimeError: When called, if there are more patches than pixels.
        TypeError: If ``num_height``, ``num_width`` or ``fill_value`` is not an int, or ``slice_mode`` is not a
            SliceMode. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``num_height`` or ``num_width`` is not above 0, or ``fill_value`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(len(vision.SlicePatches(2, 2)(image)), vision.SlicePatches(2, 2)(image)[3])
        4 [[[ 9 10 11]]]
    """

    def __init__(self, num_height: int = 1, num_width: int = 1, slice_mode=SliceMode.PAD, fill_value: int = 0) -> None:
        self.num_height = check_positive_int("SlicePatches", "num_height", num_height)
        self.num_width = check_positive_int("SlicePatches", "num_width", num_width)
        if not isinstance(slice_mode, SliceMode):
            raise type_error("SlicePatches", "the 'slice_mode' must be a SliceMode", shown(slice_mode))
        self.slice_mode, self.fill_value = slice_mode, check_int("SlicePatches", "fill_value", fill_value, 0, 256)

    def _array(self, x):
        many = self.num_height, self.num_width
        if many[0] > x.shape[0] or many[1] > x.shape[1]:
            raise runtime_error("SlicePatches", "each patch must have a pixel", f"{many} patches of {x.shape}")
        if self.slice_mode == SliceMode.PAD:
            more = [-n % m for n, m in zip(x.shape, many, strict=False)]
            x = padded(x, (0, 0, more[1], more[0]), Border.CONSTANT, (self.fill_value,) * 3)
        tall, wide = x.shape[0] // many[0], x.shape[1] // many[1]
        places = [(i * tall, j * wide) for i in range(many[0]) for j in range(many[1])]
        return tuple(cropped(x, *at, tall, wide) for at in places)
