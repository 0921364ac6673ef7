"""Transforms of an image's colours: each as a fixed one, and as a random one that draws the fixed one's factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import PyTensorOperation, is_pil, name_of
from minispore.data.dataset.vision.base import (
    LARGEST,
    ImageTensorOperation,
    PilOperation,
    RandomImageOperation,
    check_pair,
    check_probability,
    happens,
)
from minispore.data.dataset.vision.colors import (
    adjusted_hue,
    autocontrast,
    blended,
    equalized,
    from_hsv,
    gamma,
    gray,
    scaled,
    to_hsv,
    with_contrast,
)
from minispore.data.dataset.vision.filters import gaussian_blur, sharpened
from minispore.data.dataset.vision.pillow import image_of, pillow
from minispore.data.dataset.vision.rounding import as_pixels
from minispore.ops.number_checks import check_real, is_real

__all__ = [
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "AutoContrast",
    "Equalize",
    "GaussianBlur",
    "Grayscale",
    "HsvToRgb",
    "Invert",
    "Posterize",
    "RandomAdjustSharpness",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomEqualize",
    "RandomGrayscale",
    "RandomInvert",
    "RandomLighting",
    "RandomPosterize",
    "RandomSharpness",
    "RandomSolarize",
    "RgbToBgr",
    "RgbToHsv",
    "Solarize",
]

_ADJUSTABLE = ("uint8", "uint16", "int16", "int32", "float32", "float64")
_WITH_255 = (*_ADJUSTABLE[:4], "uint32", "uint64", "int64", "float16", *_ADJUSTABLE[4:])


class _Factor(ImageTensorOperation):
    """Base of transforms by a factor of at least 0; ``enhance`` is the class of Pillow's that does the same."""

    ranks, channels, types = (3,), (3,), _ADJUSTABLE
    argument, enhance = "", ""

    def _set(self, factor):
        setattr(self, self.argument, check_real(name_of(self), self.argument, factor, 0, LARGEST))

    def _factor(self):
        return getattr(self, self.argument)

    def _image(self, image):
        return getattr(pillow("ImageEnhance"), self.enhance)(image).enhance(self._factor())


class AdjustBrightness(_Factor):
    """``brightness_factor * image``; integers are rounded and kept within the dtype's range, floats are not limited.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32, uint8 and uint16, kept;
    RuntimeError for others.

    Args:
        brightness_factor (float): At least 0; 1 leaves the image as it is.

    Raises:
        TypeError: If ``brightness_factor`` is not a number.
        ValueError: If it is below 0.
        RuntimeError: When called, if an array has not three channels; a grey image of Pillow is taken.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustBrightness(2.0)(image)[0])
        [[ 0  2  4]
         [ 6  8 10]]
    """

    argument, enhance = "brightness_factor", "Brightness"

    def __init__(self, brightness_factor: float) -> None:
        self._set(brightness_factor)

    def _array(self, x):
        return scaled(x, self.brightness_factor)


class AdjustContrast(_Factor):
    """The image blended with its mean grey: ``factor * image + (1 - factor) * mean``.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32, uint8 and uint16, kept;
    RuntimeError for others.

    Args:
        contrast_factor (float): At least 0; 1 leaves the image as it is.

    Raises:
        TypeError: If ``contrast_factor`` is not a number. When called, if the input is neither an array nor an image of
            Pillow.
        ValueError: If ``contrast_factor`` is negative or above 2 ** 24.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustContrast(2.0)(image)[0])
        [[0 0 0]
         [0 2 4]]
    """

    argument, enhance = "contrast_factor", "Contrast"

    def __init__(self, contrast_factor: float) -> None:
        self._set(contrast_factor)

    def _array(self, x):
        return with_contrast(x, self.contrast_factor)


class AdjustSaturation(_Factor):
    """The image blended with its grey: ``factor * image + (1 - factor) * gray``.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32, uint8 and uint16, kept;
    RuntimeError for others.

    Args:
        saturation_factor (float): At least 0; 1 leaves the image as it is, 0 takes all colour.

    Raises:
        TypeError: If ``saturation_factor`` is not a number. When called, if the input is neither an array nor an image
            of Pillow.
        ValueError: If ``saturation_factor`` is negative or above 2 ** 24.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustSaturation(0.0)(image)[0])
        [[1 1 1]
         [4 4 4]]
    """

    argument, enhance = "saturation_factor", "Color"

    def __init__(self, saturation_factor: float) -> None:
        self._set(saturation_factor)

    def _array(self, x):
        return blended(x, gray(x)[:, :, None], self.saturation_factor)


class AdjustSharpness(_Factor):
    """The image blended with itself smoothed: 0 is smooth, 1 leaves it as it is, 2 doubles the difference.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32,
    uint8 and uint16, kept; RuntimeError for others.

    Args:
        sharpness_factor (float): At least 0.

    Raises:
        TypeError: If ``sharpness_factor`` is not a number. When called, if the input is neither an array nor an image
            of Pillow.
        ValueError: If ``sharpness_factor`` is negative or above 2 ** 24.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustSharpness(0.0)(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    ranks, channels = (2, 3), (1, 3)
    argument, enhance = "sharpness_factor", "Sharpness"

    def __init__(self, sharpness_factor: float) -> None:
        self._set(sharpness_factor)

    def _array(self, x):
        return sharpened(x, self.sharpness_factor)

    _image = None  # MindSpore reads it as an array


class _SharpnessOfEither(AdjustSharpness):
    """:class:`AdjustSharpness` that keeps an image of Pillow one."""

    _image = _Factor._image


class AdjustHue(ImageTensorOperation):
    """The image with its hue turned by ``hue_factor`` of the circle.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64 and uint8, kept; RuntimeError for others.

    Args:
        hue_factor (float): In [-0.5, 0.5]; above 0 red turns towards green.

    Raises:
        TypeError: If ``hue_factor`` is not a number.
        ValueError: If it is outside [-0.5, 0.5].
        RuntimeError: When called, if an array has not three channels; a grey image of Pillow stays.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustHue(0.5)(image * 20)[0])
        [[ 40  19   0]
         [100  79  60]]
    """

    ranks, channels, types = (3,), (3,), ("uint8", "float32", "float64")

    def __init__(self, hue_factor: float) -> None:
        self.hue_factor = check_real("AdjustHue", "hue_factor", hue_factor, -0.5, 0.5)

    def _array(self, x):
        return adjusted_hue(x, self.hue_factor)

    def _image(self, image):
        if image.mode in ("L", "1", "I", "F"):
            return image
        hue, saturation, value = image.convert("HSV").split()
        turned = np.asarray(hue) + np.array(self.hue_factor * 255).astype(np.int64).astype(np.uint8)
        hsv = pillow().merge("HSV", (image_of(turned), saturation, value))
        return hsv.convert(image.mode)


class AdjustGamma(ImageTensorOperation):
    """``gain * image ** gamma``, of an image in [0, 1]; uint8 counts in units of 1/255.

    Shapes: (H, W) and (..., H, W, C), kept; RuntimeError for others. Dtypes: float32, float64 and uint8, kept;
    RuntimeError for others.

    Args:
        gamma (float): The power, at least 0.
        gain (float): The factor. Default: 1.

    Raises:
        RuntimeError: When called, if the input is not an image of uint8 or floats.
        TypeError: If ``gamma`` or ``gain`` is not a number. When called, if the input is neither an array nor an image
            of Pillow.
        ValueError: If ``gamma`` is negative or above 2 ** 24.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AdjustGamma(gamma=2.0)(image * 20)[1])
        [[ 56  77 100]
         [127 157 190]]
    """

    ranks, types = 2, ("uint8", "float32", "float64")

    def __init__(self, gamma: float, gain: float = 1) -> None:
        self.gamma = check_real("AdjustGamma", "gamma", gamma, 0, LARGEST)
        self.gain = check_real("AdjustGamma", "gain", gain, -LARGEST, LARGEST)

    def _array(self, x):
        return gamma(x, self.gamma, self.gain)

    def _image(self, image):
        mode = image.mode
        image = image.convert("RGB")
        table = self.gain * (255 + 1 - 1e-3) * (np.arange(256) / 255) ** self.gamma
        table = np.clip(np.rint(table), 0, 255).astype(int).tolist()
        return image.point(table * 3).convert(mode)


class AutoContrast(ImageTensorOperation):
    """The image stretched until its values reach from 0 to 255, channel by channel.

    Shapes: (H, W, 1) and (H, W, 3), kept; (H, W) gives (H, W, 1); RuntimeError for others. Dtypes: uint8, kept;
    RuntimeError for others.

    Args:
        cutoff (float): How many per cent of the pixels at each end do not count, in [0, 50). Default: 0.0.
        ignore (object): A value or a list of values that do not count. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an image of uint8.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.AutoContrast()(image)[0])
        [[ 0  0  0]
         [85 85 85]]
    """

    channels, types = (1, 3), ("uint8",)

    def __init__(self, cutoff: float = 0.0, ignore: object | None = None) -> None:
        self.cutoff = check_real("AutoContrast", "cutoff", cutoff, 0, 50, below=True)
        many = [] if ignore is None else ignore if isinstance(ignore, (list, tuple)) else [ignore]
        self.ignore = [check_int("AutoContrast", "ignore", v, 0, 256) for v in many]

    def _array(self, x):
        return autocontrast(x, self.cutoff, self.ignore)

    def _image(self, image):
        return pillow("ImageOps").autocontrast(image, self.cutoff, self.ignore or None)


class Equalize(ImageTensorOperation):
    """The image with its values spread evenly over [0, 255], channel by channel.

    Shapes: (H, W, 1) and (H, W, 3), kept; (H, W) gives (H, W, 1); RuntimeError for others. Dtypes: uint8, kept;
    RuntimeError for others.

    Raises:
        RuntimeError: When called, if the input is not an image of uint8.
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Equalize()(image)[0])
        [[ 0  0  0]
         [85 85 85]]
    """

    channels, types = (1, 3), ("uint8",)

    def _array(self, x):
        return equalized(x)

    def _image(self, image):
        return pillow("ImageOps").equalize(image)


class Invert(ImageTensorOperation):
    """``255 - image``.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: floats, int16, int32, int64 and unsigned ints, kept;
    RuntimeError for others.

    Raises:
        RuntimeError: When called, if the input is not an image of three channels.
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Invert()(image)[0])
        [[255 254 253]
         [252 251 250]]
    """

    ranks, channels, types = (3,), (3,), _WITH_255

    def _array(self, x):
        return x.dtype.type(255) - x

    def _image(self, image):
        return pillow("ImageOps").invert(image)


class Posterize(ImageTensorOperation):
    """The image with only the highest ``bits`` of each value.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: uint8, kept; RuntimeError for
    others.

    Args:
        bits (int): In [0, 8].

    Raises:
        TypeError: If ``bits`` is not an int.
        ValueError: If it is outside [0, 8].
        RuntimeError: When called, if the input is not an image of uint8.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Posterize(2)(image * 20)[1])
        [[ 64 128 128]
         [128 192 192]]
    """

    channels, types = (1, 3), ("uint8",)

    def __init__(self, bits: int) -> None:
        self.bits = check_int("Posterize", "bits", bits, 0, 9)

    def _array(self, x):
        return x & np.uint8(256 - (1 << (8 - self.bits)) & 255)


class Solarize(ImageTensorOperation):
    """The image in which values within ``threshold`` are inverted.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: floats, int16, int32, int64 and
    unsigned ints, kept; RuntimeError for others.

    Args:
        threshold (object): (min, max), or a number for (number, 255).

    Raises:
        TypeError: If ``threshold`` is neither a number nor a pair.
        ValueError: If it is out of [0, 255] or not in order.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Solarize((100, 255))(image * 20)[1])
        [[135 115  95]
         [ 75  55  35]]
    """

    ranks, channels, types = (2, 3), (1, 3), _WITH_255

    def __init__(self, threshold: object) -> None:
        pair = (threshold, 255) if is_real(threshold) else threshold
        self.threshold = check_pair("Solarize", "threshold", pair, 0, 255)

    def _array(self, x):
        low, high = self.threshold
        return np.where((x >= low) & ((x <= high) | (high == 255)), x.dtype.type(255) - x, x)


class GaussianBlur(ImageTensorOperation):
    """The image blurred by a Gaussian.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        kernel_size (object): How many neighbours count, odd: an int, or (width, height).
        sigma (object): The Gaussian's deviation, above 0: a number or (width, height). Default: None,
            ``0.3 * ((kernel_size - 1) * 0.5 - 1) + 0.8``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``kernel_size`` is even or below 1, or ``sigma`` negative.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.GaussianBlur(3)(np.full((3, 3, 1), 9, np.uint8))[1, 1])
        [9]
    """

    types = ("uint8", "uint16", "int16", "float32", "float64")

    def __init__(self, kernel_size: object, sigma: object | None = None) -> None:
        self.kernel_size = self._checked_sizes(kernel_size)
        self.sigma = self._checked_sigmas(sigma)

    @staticmethod
    def _checked_sizes(kernel_size):
        sizes = (kernel_size,) * 2 if is_int(kernel_size) else kernel_size
        if not isinstance(sizes, (tuple, list)) or len(sizes) != 2:
            raise type_error("GaussianBlur", "the 'kernel_size' must be an int or a pair of ints", shown(kernel_size))
        for size in sizes:
            if check_int("GaussianBlur", "kernel_size", size, 1) % 2 == 0:
                raise value_error("GaussianBlur", "the 'kernel_size' must be odd", shown(kernel_size))
        return tuple(sizes)

    def _checked_sigmas(self, sigma):
        sigmas = (sigma,) * 2 if sigma is None or is_real(sigma) else sigma
        if not isinstance(sigmas, (tuple, list)) or len(sigmas) != 2:
            raise type_error("GaussianBlur", "the 'sigma' must be a number or a pair of numbers", shown(sigma))
        checked = [0.0 if s is None else check_real("GaussianBlur", "sigma", s, 0) for s in sigmas]
        pairs = zip(checked, self.kernel_size, strict=True)
        return tuple(s or 0.3 * ((size - 1) * 0.5 - 1) + 0.8 for s, size in pairs)

    def _array(self, x):
        return gaussian_blur(x, self.kernel_size, self.sigma)


class Grayscale(PilOperation):
    """An image of Pillow in grey.

    Args:
        num_output_channels (int): 1, or 3 equal ones. Default: 1.

    Raises:
        TypeError: When called, if the input is not an image of Pillow.
        ValueError: If ``num_output_channels`` is neither 1 nor 3.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.array([[[250, 0, 0], [0, 0, 250]]], np.uint8))
        >>> print(np.asarray(vision.Grayscale()(image)))
        [[75 28]]
    """

    def __init__(self, num_output_channels: int = 1) -> None:
        channels = check_int("Grayscale", "num_output_channels", num_output_channels)
        if channels not in (1, 3):
            raise value_error("Grayscale", "the 'num_output_channels' must be 1 or 3", shown(channels))
        self.num_output_channels = channels

    def _execute_py(self, image):
        found = image.convert("L")
        return found if self.num_output_channels == 1 else pillow().merge("RGB", (found,) * 3)


class RandomGrayscale(PilOperation):
    """An image of Pillow, or with the probability ``prob`` the image in grey, with as many channels.

    Args:
        prob (float): In [0, 1]. Default: 0.1.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is not an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.array([[[250, 0, 0]]], np.uint8))
        >>> print(np.asarray(vision.RandomGrayscale(prob=1.0)(image)))
        [[[75 75 75]]]
    """

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = check_probability("RandomGrayscale", prob)

    def _execute_py(self, image):
        return Grayscale(1 if image.mode == "L" else 3)(image) if happens(self.prob) else image


class _RandomFactor(RandomImageOperation):
    """Base of transforms by a factor that is uniform in ``degrees``."""

    ranks, channels, types = (3,), (3,), _ADJUSTABLE
    fixed = None

    def __init__(self, degrees=(0.1, 1.9)) -> None:
        self.degrees = check_pair(name_of(self), "degrees", degrees, 0, LARGEST)

    def _drawn(self):
        return self.fixed(generator().uniform(*self.degrees))


class RandomColor(_RandomFactor):
    """The image blended with its grey, by a factor that is uniform in ``degrees``.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32, uint8 and uint16, kept;
    RuntimeError for others.

    Args:
        degrees (tuple): (min, max), both at least 0. Default: (0.1, 1.9).

    Raises:
        TypeError: If ``degrees`` is not a pair of numbers.
        ValueError: If it is negative or not in order.
        RuntimeError: When called, if the input is not an image of three channels.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomColor((1.0, 1.0))(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    fixed = AdjustSaturation


class RandomSharpness(_RandomFactor):
    """The image blended with itself smoothed, by a factor that is uniform in ``degrees``.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32,
    uint8 and uint16, kept; RuntimeError for others.

    Args:
        degrees (tuple): (min, max), both at least 0. Default: (0.1, 1.9).

    Raises:
        TypeError: If ``degrees`` is not a pair (min, max). When called, if the input is neither an array nor an image
            of Pillow.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomSharpness((1.0, 1.0))(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    ranks, channels, fixed = (2, 3), (1, 3), _SharpnessOfEither


class RandomColorAdjust(RandomImageOperation):
    """The image with random brightness, contrast, saturation and hue, changed in random order.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32, uint8 and uint16, kept;
    RuntimeError for others.

    Args:
        brightness (object): (min, max) of the factor, or a number for (1 - number, 1 + number), at least 0.
            Default: (1, 1).
        contrast (object): The same of the contrast. Default: (1, 1).
        saturation (object): The same of the saturation. Default: (1, 1).
        hue (object): (min, max) of the turn in [-0.5, 0.5], or a number for (-number, number). Default: (0, 0).

    Raises:
        TypeError: If an argument is neither a number nor a pair.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an image of three channels.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomColorAdjust(brightness=(2.0, 2.0))(image)[1])
        [[12 14 16]
         [18 20 22]]
    """

    ranks, channels, types = (3,), (3,), _ADJUSTABLE

    def __init__(self, brightness=(1, 1), contrast=(1, 1), saturation=(1, 1), hue=(0, 0)) -> None:
        self.brightness = self._checked("brightness", brightness)
        self.contrast = self._checked("contrast", contrast)
        self.saturation = self._checked("saturation", saturation)
        self.hue = self._checked("hue", hue, 0, -0.5, 0.5)

    @staticmethod
    def _checked(argument, value, center=1, low=0, high=LARGEST):
        if is_real(value):
            check_real("RandomColorAdjust", argument, value, 0, high)
            value = (max(center - value, low), center + value)
        return check_pair("RandomColorAdjust", argument, value, low, high)

    def _drawn(self):
        ranges = (self.brightness, self.contrast, self.saturation, self.hue)
        fixed = (AdjustBrightness, AdjustContrast, AdjustSaturation, AdjustHue)
        neutral = (1, 1, 1, 0)
        parts = [
            kind(generator().uniform(*pair))
            for kind, pair, none in zip(fixed, ranges, neutral, strict=True)
            if tuple(pair) != (none, none)
        ]
        order = generator().permutation(len(parts)) if len(parts) > 1 else range(len(parts))
        return _InOrder([parts[i] for i in order])


class _InOrder:
    """Several transforms, one after the other."""

    def __init__(self, parts):
        self.parts = parts

    def __call__(self, image):
        for part in self.parts:
            image = part(image)
        return image


class RandomPosterize(RandomImageOperation):
    """The image with only its highest bits, as many as is drawn from ``bits``.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: uint8, kept; RuntimeError for
    others.

    Args:
        bits (object): (min, max), or an int for that many, in [1, 8]. Default: (8, 8).

    Raises:
        TypeError: If ``bits`` is not an int or a pair of ints. When called, if the input is neither an array nor an
            image of Pillow.
        ValueError: If ``bits`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomPosterize((2, 2))(image * 20)[1])
        [[ 64 128 128]
         [128 192 192]]
    """

    channels, types, takes_images = (1, 3), ("uint8",), False

    def __init__(self, bits=(8, 8)) -> None:
        pair = (bits, bits) if is_int(bits) else bits
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise type_error("RandomPosterize", "the 'bits' must be an int or a pair of ints", shown(bits))
        self.bits = tuple(check_int("RandomPosterize", "bits", n, 1, 9) for n in pair)
        if self.bits[0] > self.bits[1]:
            raise value_error("RandomPosterize", "the 'bits' must be (min, max)", shown(bits))

    def _drawn(self):
        return Posterize(int(generator().integers(self.bits[0], self.bits[1] + 1)))


class RandomSolarize(RandomImageOperation):
    """The image in which values within a random part of ``threshold`` are inverted.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: floats, int16, int32, int64 and
    unsigned ints, kept; RuntimeError for others.

    Args:
        threshold (tuple): (min, max) from which both ends of the part are drawn; where they are equal, all values
            from it on are inverted. Default: (0, 255).

    Raises:
        TypeError: If ``threshold`` is not a pair (min, max). When called, if the input is neither an array nor an image
            of Pillow.
        ValueError: If ``threshold`` is out of [0, 255] or not in order.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.RandomSolarize((100, 255))(np.full((1, 1, 3), 9, np.uint8)))
        [[[9 9 9]]]
    """

    ranks, channels, types, takes_images = (2, 3), (1, 3), _WITH_255, False

    def __init__(self, threshold: tuple[Any, ...] = (0, 255)) -> None:
        self.threshold = check_pair("RandomSolarize", "threshold", threshold, 0, 255)

    def _drawn(self):
        low, high = (int(v) for v in self.threshold)
        low, high = sorted(generator().integers(low, high + 1, 2).tolist())
        return Solarize((low, 255 if low == high else high))


class RandomLighting(RandomImageOperation):
    """The image with noise along the principal components of natural images' colours (AlexNet's).

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: floats and ints, kept; RuntimeError for others.

    Args:
        alpha (float): The deviation of the noise, at least 0. Default: 0.05.

    Raises:
        TypeError: If ``alpha`` is not a number.
        ValueError: If it is below 0.
        RuntimeError: When called, if the input is not an image of three channels.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomLighting(0.0)(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    ranks, channels, types = (3,), (3,), ("int8", *_WITH_255)

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = check_real("RandomLighting", "alpha", alpha, 0)

    def _drawn(self):
        values, vectors = (
            np.array([55.46, 4.794, 1.148]),
            np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]),
        )
        return _Lit(vectors @ (values * generator().normal(0, self.alpha, 3)))


class _Lit:
    """A colour added to an image."""

    def __init__(self, color):
        self.color = color

    def __call__(self, image):
        if is_pil(image):
            return image_of(self(np.asarray(image)))
        return as_pixels(image.astype(np.float64) + self.color, image.dtype)


class _Perhaps(RandomImageOperation):
    """Base of a fixed transform that is applied with a probability."""

    takes_images = False
    fixed = None

    def _drawn(self):
        return self.fixed if happens(self.prob) else None


class RandomInvert(_Perhaps):
    """The image, or with the probability ``prob`` the inverted one.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: floats, int16, int32, int64 and unsigned ints, kept;
    RuntimeError for others.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomInvert(prob=1.0)(image)[0])
        [[255 254 253]
         [252 251 250]]
    """

    ranks, channels, types, fixed = (3,), (3,), _WITH_255, Invert()

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomInvert", prob)


class RandomEqualize(_Perhaps):
    """The image, or with the probability ``prob`` the equalized one.

    Shapes: (H, W, 1) and (H, W, 3), kept; (H, W) gives (H, W, 1); RuntimeError for others. Dtypes: uint8, kept;
    RuntimeError for others.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomEqualize(prob=1.0)(image)[0])
        [[ 0  0  0]
         [85 85 85]]
    """

    channels, types, fixed = (1, 3), ("uint8",), Equalize()

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomEqualize", prob)


class RandomAutoContrast(_Perhaps):
    """The image, or with the probability ``prob`` the one that :class:`AutoContrast` makes of it.

    Shapes: (H, W, 1) and (H, W, 3), kept; (H, W) gives (H, W, 1); RuntimeError for others. Dtypes: uint8, kept;
    RuntimeError for others.

    Args:
        cutoff (float): How many per cent of the pixels at each end do not count, in [0, 50). Default: 0.0.
        ignore (object): A value or a list of values that do not count. Default: None.
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` or ``cutoff`` is not a number, or ``ignore`` is not an int. When called, if the input is
            neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1], or ``cutoff`` or ``ignore`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomAutoContrast(prob=1.0)(image)[0])
        [[ 0  0  0]
         [85 85 85]]
    """

    channels, types = (1, 3), ("uint8",)

    def __init__(self, cutoff: float = 0.0, ignore: object | None = None, prob: float = 0.5) -> None:
        self.fixed = AutoContrast(cutoff, ignore)
        self.prob = check_probability("RandomAutoContrast", prob)


class RandomAdjustSharpness(_Perhaps):
    """The image, or with the probability ``prob`` the one that :class:`AdjustSharpness` makes of it.

    Shapes: (H, W), (H, W, 1) and (H, W, 3), kept; RuntimeError for others. Dtypes: float32, float64, int16, int32,
    uint8 and uint16, kept; RuntimeError for others.

    Args:
        degree (float): The factor, at least 0.
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``degree`` or ``prob`` is not a number. When called, if the input is neither an array nor an image
            of Pillow.
        ValueError: If ``degree`` is not finite and at least 0, or ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomAdjustSharpness(degree=1.0, prob=1.0)(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    ranks, channels, types = (2, 3), (1, 3), _ADJUSTABLE

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        self.fixed = AdjustSharpness(check_real("RandomAdjustSharpness", "degree", degree, 0))
        self.prob = check_probability("RandomAdjustSharpness", prob)


class _ColorSpace(PyTensorOperation):
    """Base of conversions of images (H, W, 3), (N, H, W, 3), or with the channels before H and W."""

    def __init__(self, is_hwc: bool = False) -> None:
        self.is_hwc = check_bool(name_of(self), "is_hwc", is_hwc)

    def _execute_py(self, image):
        if not isinstance(image, np.ndarray):
            raise type_error(name_of(self), "the input must be a NumPy array", shown(type(image).__name__, str))
        axis = -1 if self.is_hwc else -3
        if image.ndim not in (3, 4) or image.shape[axis] != 3:
            expected = f"the input must be one or several images with three channels in axis {axis}"
            raise type_error(name_of(self), expected, f"shape {image.shape}")
        return np.ascontiguousarray(np.moveaxis(self._converted(np.moveaxis(image, axis, -1)), -1, axis))


class RgbToHsv(_ColorSpace):
    """Hue and saturation in [0, 1], and the value, of an RGB image, in float64.

    Shapes: (H, W, 3), kept; TypeError for others. Dtypes: any; the answer is float64.

    Args:
        is_hwc (bool): If True, channels are the last axis; else they stand before H and W. Default: False.

    Raises:
        TypeError: When called, if the input is not an array of images with three channels.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.RgbToHsv(is_hwc=True)(np.array([[[0.0, 1.0, 0.0]]])).round(2))
        [[[0.33 1.   1.  ]]]
    """

    def _converted(self, x):
        return np.stack(to_hsv(x), -1)


class HsvToRgb(_ColorSpace):
    """The RGB image of one of hue, saturation and value, all in [0, 1], in float64.

    Shapes: (H, W, 3), kept; TypeError for others. Dtypes: any; the answer is float64.

    Args:
        is_hwc (bool): If True, channels are the last axis; else they stand before H and W. Default: False.

    Raises:
        TypeError: If ``is_hwc`` is not a bool. When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.HsvToRgb(is_hwc=True)(np.array([[[0.0, 1.0, 1.0]]])).round(2))
        [[[1. 0. 0.]]]
    """

    def _converted(self, x):
        hue, saturation, value = np.moveaxis(x.astype(np.float64), -1, 0)
        return from_hsv(hue * 6, saturation, value)


class RgbToBgr(_ColorSpace):
    """The image with its first and third channel exchanged.

    Shapes: (H, W, 3), kept; TypeError for others. Dtypes: any, kept.

    Args:
        is_hwc (bool): If True, channels are the last axis; else they stand before H and W. Default: True.

    Raises:
        TypeError: If ``is_hwc`` is not a bool. When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RgbToBgr()(image)[0])
        [[2 1 0]
         [5 4 3]]
    """

    def __init__(self, is_hwc: bool = True) -> None:
        super().__init__(is_hwc)

    def _converted(self, x):
        return x[..., ::-1]
