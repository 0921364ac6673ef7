"""MindSpore's address of the functions under the transforms of Pillow's images."""

import numpy as np

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error
from minispore.data.dataset.transforms.base import is_pil

__all__ = ["augment_error_message", "hwc_to_chw", "is_numpy", "is_pil", "rotate"]

augment_error_message = "the image must be one of Pillow, from Decode(to_pil=True) or ToPIL(), but got {}"


def is_numpy(img):
    """True if ``img`` is an array of NumPy's."""
    return isinstance(img, np.ndarray)


def hwc_to_chw(img):
    """An array (H, W, C) as (C, H, W); others are returned as they are.

    Raises:
        TypeError: If ``img`` is not an array.
    """
    if not is_numpy(img):
        raise type_error("hwc_to_chw", "the 'img' must be a NumPy array", shown(img))
    return img.transpose(2, 0, 1).copy() if img.ndim == 3 else img


def rotate(img, angle, resample, expand, center, fill_value):
    """An image of Pillow's, turned by ``angle`` degrees against the clock.

    Args:
        img (object): The image.
        angle (float): The angle.
        resample (int): Pillow's number of the filter.
        expand (bool): If True, the image grows to hold all of itself.
        center (tuple): The centre of the rotation; None means its middle.
        fill_value (object): The colour of the area outside the image.

    Raises:
        TypeError: If ``img`` is not an image of Pillow's.
    """
    if not is_pil(img):
        raise type_error("rotate", "the 'img' must be an image of Pillow", shown(img))
    fill = (fill_value,) * 3 if img.mode == "RGB" and is_int(fill_value) else fill_value
    return img.rotate(angle, resample, expand, center, fillcolor=fill)
