"""The base of image transforms: their inputs, the checks of their arguments, and random ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation, is_pil, name_of, one_of
from minispore.data.dataset.vision.enums import Border, Inter
from minispore.data.dataset.vision.pillow import needs_pil
from minispore.ops.number_checks import check_real

__all__ = ["ImageTensorOperation", "PilOperation", "RandomImageOperation"]

LARGEST = 16777216  # of sizes and factors


class ImageTensorOperation(TensorOperation):
    """Base of transforms of one image, an array of shape (H, W) or (H, W, C), or an image of Pillow.

    A subclass defines ``_array(x)``, and ``_image(x)`` where an image of Pillow stays one: it is read as an array
    otherwise. The class says which ``ranks``, ``channels`` and ``types`` of arrays it takes; None stands for all.

    Examples:
        >>> from minispore.dataset import vision
        >>> print(isinstance(vision.Invert(), vision.ImageTensorOperation))
        True
    """

    ranks, channels, types = (2, 3), None, None
    _image = None

    def __call__(self, *images) -> Any:
        return self._applied(one_of(name_of(self), images))

    def _applied(self, image):
        if is_pil(image):
            if self._image is not None:
                return self._image(image)
            image = np.asarray(image)
        self._check(image)
        return self._array(image)

    def _check(self, x):
        """Raise unless ``x`` is an array that this transform takes."""
        name = name_of(self)
        if not isinstance(x, np.ndarray):
            got = shown(type(x).__name__, str)
            raise type_error(name, "the input must be a NumPy array or an image of Pillow", got)
        if x.ndim not in self.ranks if isinstance(self.ranks, tuple) else x.ndim < self.ranks:
            raise runtime_error(name, f"the rank of the input must be {self._rank_text()}", f"shape {x.shape}")
        channels = x.shape[-1] if x.ndim > 2 else 1
        if self.channels is not None and (channels not in self.channels or (x.ndim == 2 and 1 not in self.channels)):
            raise runtime_error(name, f"the image must have {self.channels} channels", f"shape {x.shape}")
        if x.dtype.kind not in "biuf" or (self.types is not None and x.dtype.name not in self.types):
            kinds = "numbers" if self.types is None else " or ".join(self.types)
            raise runtime_error(name, f"the image must be {kinds}", x.dtype.name)
        if not x.size:
            raise runtime_error(name, "the image must not be empty", f"shape {x.shape}")

    def _rank_text(self):
        if isinstance(self.ranks, tuple):
            return " or ".join(map(str, self.ranks))
        return f"at least {self.ranks}"


class PilOperation(PyTensorOperation):
    """Base of transforms that take images of Pillow alone."""

    def __call__(self, image) -> Any:
        if not is_pil(image):
            needs_pil(name_of(self), image)
        return self._execute_py(image)


class RandomImageOperation(ImageTensorOperation):
    """Base of random transforms: ``_drawn()`` is the transform to apply this time, or None for none.

    ``takes_images`` says whether an image of Pillow is given to it as it is.
    """

    takes_images = True

    def __call__(self, *images) -> Any:
        image = one_of(name_of(self), images)
        if is_pil(image) and not self.takes_images:
            image = np.asarray(image)
        if not is_pil(image):
            self._check(image)
        drawn = self._drawn()
        return image if drawn is None else drawn(image)

    def _drawn(self):
        raise NotImplementedError


class RandomColumnsOperation(ImageTensorOperation):
    """Base of random transforms of several images of one size; all get the same draw.

    ``_draw(height, width)`` gives it, ``_with(draw)`` the transform of one image.
    """

    def __call__(self, *images) -> Any:
        if not images:
            raise runtime_error(name_of(self), "there must be at least one input column", "0")
        if len(images) > 1:
            images = [np.asarray(image) if is_pil(image) else image for image in images]
        for image in images:
            if not is_pil(image):
                self._check(image)
        sizes = {_size_of(image) for image in images}
        if len(sizes) > 1:
            raise runtime_error(name_of(self), "the images of one row must have one size", str(sorted(sizes)))
        drawn = self._drawn(*sizes.pop())
        found = tuple(image if drawn is None else drawn(image) for image in images)
        return found[0] if len(found) == 1 else found

    def _strided(self, *images):
        if not is_one_array(*images):
            return self(*images)
        (image,) = images
        self._check(image)
        drawn = self._drawn(*image.shape[:2])
        return image if drawn is None else getattr(drawn, "view", drawn)(image)

    def _drawn(self, height, width):
        """The function for each image, or None; its ``view``, if it has one, may return a view of an array."""
        raise NotImplementedError


def is_one_array(*columns):
    """True if the columns are one array (H, W) or (H, W, C)."""
    return len(columns) == 1 and isinstance(columns[0], np.ndarray) and columns[0].ndim in (2, 3)


def packed(image):
    """An array (H, W) or (H, W, C) in the usual order of memory.

    It is copied channel by channel, since a loop over three channels for each pixel is slow.
    """
    if image.ndim < 3 or image.flags.c_contiguous:
        return np.ascontiguousarray(image)
    out = np.empty(image.shape, image.dtype)
    for channel in range(image.shape[2]):
        out[:, :, channel] = image[:, :, channel]
    return out


def _size_of(image):
    if is_pil(image):
        return image.height, image.width
    return image.shape[:2] if image.ndim < 4 else image.shape[-3:-1]


def each_image(function, x):
    """``function`` of each image of an array (..., H, W, C), stacked; of the only one where the rank is 2 or 3."""
    if x.ndim <= 3:
        return function(x)
    images = [function(image) for image in x.reshape(-1, *x.shape[-3:])]
    return np.stack(images).reshape(*x.shape[:-3], *images[0].shape)


def happens(probability):
    """True with the given probability."""
    return generator().random() < probability


def check_probability(operation, value, argument="prob"):
    """``value``, a number in [0, 1]."""
    return check_real(operation, argument, value, 0, 1)


def check_size(operation, size, argument="size", largest=2**31):
    """``size`` as a tuple: one int of at least 1, or a pair (height, width) of them."""
    many = list(size) if isinstance(size, (list, tuple)) else [size]
    if len(many) not in ((1,) if is_int(size) else (2,)) or not all(map(is_int, many)):
        raise type_error(operation, f"the '{argument}' must be an int or a pair of ints, (height, width)", shown(size))
    return tuple(check_int(operation, argument, n, 1, largest) for n in many)


def check_square(operation, size, argument="size", largest=LARGEST + 1):
    """``size`` as (height, width): of one int, a square."""
    checked = check_size(operation, size, argument, largest)
    return checked * 2 if len(checked) == 1 else checked


def check_interpolation(operation, value, argument="interpolation"):
    """``value``, an Inter."""
    if not isinstance(value, Inter):
        raise type_error(operation, f"the '{argument}' must be an Inter", shown(value))
    return value


def check_border(operation, value):
    """``value``, a Border."""
    if not isinstance(value, Border):
        raise type_error(operation, "the 'padding_mode' must be a Border", shown(value))
    return value


def check_fill(operation, value):
    """``value`` as (r, g, b): an int in [0, 255], or a tuple of three."""
    values = value if isinstance(value, tuple) else (value,)
    if len(values) not in (1, 3) or not all(map(is_int, values)):
        raise type_error(operation, "the 'fill_value' must be an int or a tuple of three", shown(value))
    values = tuple(check_int(operation, "fill_value", v, 0, 256) for v in values)
    return values * 3 if len(values) == 1 else values


def check_padding(operation, padding):
    """``padding`` as (left, top, right, bottom): an int, a pair (left and right, top and bottom), or these four."""
    values = list(padding) if isinstance(padding, (tuple, list)) else [padding]
    if not all(map(is_int, values)):
        raise type_error(operation, "the 'padding' must be an int, or two or four of them", shown(padding))
    values = [check_int(operation, "padding", n, 0, 2**31) for n in values]
    if isinstance(padding, (tuple, list)) and len(values) not in (2, 4):
        raise value_error(operation, "the 'padding' must have the length 2 or 4", shown(padding))
    return tuple(values * (4 // len(values)))


def check_pair(operation, argument, value, low=None, high=None, above=False):
    """``value``, a tuple or list of two numbers, the smaller first, both from ``low`` to ``high``."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise type_error(operation, f"the '{argument}' must be a pair (min, max)", shown(value))
    for number in value:
        check_real(operation, argument, number, low, high, above=above)
    if value[0] > value[1]:
        raise value_error(operation, f"the '{argument}' must be (min, max)", shown(value))
    return tuple(value)


def fill_for(image, fill):
    """The fill of each channel of an array: r, g, b, and 0 from the fourth on."""
    channels = image.shape[2] if image.ndim == 3 else 1
    values = np.zeros(channels, image.dtype)
    values[:3] = np.asarray(fill).astype(image.dtype)[:channels]
    return values


def pil_fill(image, fill):
    """The fill of an image of Pillow: (r, g, b) for colours, the first of it for others."""
    return tuple(fill) if image.mode == "RGB" else fill[0]
