"""Pillow, imported when an image of its own is asked for: arrays need it only to be decoded and encoded."""

import importlib

import numpy as np

from minispore.core.errors import shown, type_error
from minispore.data.dataset.vision.enums import Inter

__all__ = ["image_of", "needs_pil", "pillow", "pillow_filter", "with_fourth_channel"]


def pillow(name="Image"):
    """The module ``PIL.name``; ImportError names the line that installs it."""
    try:
        return importlib.import_module(f"PIL.{name}")
    except ImportError as error:
        raise ImportError("For 'vision', images need Pillow: pip install \"pillow>=9.1\".") from error


def image_of(array):
    """An array as an image of Pillow."""
    return pillow().fromarray(array)


def with_fourth_channel(image):
    """The pixels of an RGB image as Pillow keeps them: (H, W, 4), the last channel without a meaning."""
    return np.frombuffer(image.tobytes("raw", "RGBX"), np.uint8).reshape(image.height, image.width, 4)


_FILTERS = {
    Inter.NEAREST: "NEAREST",
    Inter.ANTIALIAS: "LANCZOS",
    Inter.BILINEAR: "BILINEAR",
    Inter.BICUBIC: "BICUBIC",
}


def pillow_filter(operation, interpolation):
    """Pillow's filter of an interpolation; TypeError for those that it lacks."""
    if interpolation not in _FILTERS:
        expected = f"the 'interpolation' of an image of Pillow must be one of {[str(i) for i in _FILTERS]}"
        raise type_error(operation, expected, str(interpolation))
    return getattr(pillow().Resampling, _FILTERS[interpolation])


def needs_pil(operation, image):
    """Raise TypeError for anything but an image of Pillow."""
    from_array = "an image of Pillow, from Decode(to_pil=True) or ToPIL()"
    raise type_error(operation, f"the input must be {from_array}", shown(type(image).__name__, str))
