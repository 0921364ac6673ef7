"""MindSpore's older address of the image transforms of Pillow's images, where some of them behaved otherwise."""

import numpy as np

from minispore.core.errors import type_error
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation, is_pil
from minispore.data.dataset.vision import conversions, erasing
from minispore.data.dataset.vision.every_transform import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.vision.every_transform import __all__ as _all

__all__ = [*_all, "Cutout", "PyTensorOperation", "TensorOperation", "is_pil"]


class Decode(conversions.Decode):
    """The RGB image of encoded bytes, of Pillow.

    Raises:
        TypeError: When called, if the input is not bytes or an array of one axis.
        ValueError: When called, if it cannot be decoded.
    """

    def __init__(self):
        super().__init__(to_pil=True)


class Normalize(conversions.Normalize):
    """``(image - mean) / std`` of an image (C, H, W) of floats.

    Args:
        mean (list): The mean of each channel, or one for all.
        std (list): The standard deviations.

    Raises:
        TypeError: When called, if the image is of integers: ToTensor comes before.
    """

    ranks = (3,)

    def __init__(self, mean, std):
        super().__init__(mean, std, is_hwc=False)

    def _array(self, x):
        if x.dtype.kind != "f":
            raise type_error("Normalize", "the image must be of floats, as ToTensor makes it", x.dtype.name)
        return super()._array(x)


class NormalizePad(conversions.NormalizePad):
    """As :class:`Normalize`, with a channel of zeros after the others.

    Args:
        mean (list): The mean of each channel, or one for all.
        std (list): The standard deviations.
        dtype (str): "float32" or "float16". Default: "float32".
    """

    def __init__(self, mean, std, dtype="float32"):
        super().__init__(mean, std, dtype, is_hwc=False)


class ToTensor(conversions.ToTensor):
    """``image / 255`` as ``output_type``, of shape (C, H, W).

    Args:
        output_type (numpy.dtype): The type of the result. Default: float32.
    """

    def _array(self, x):
        found = (x[:, :, None] if x.ndim == 2 else x).transpose(2, 0, 1) / np.float32(255)
        return np.ascontiguousarray(found).astype(self.output_type, copy=False)


class Cutout(erasing.CutOut):
    """:class:`CutOut` of an image (C, H, W), under its older name.

    Args:
        length (int): The side of a square.
        num_patches (int): How many. Default: 1.
    """

    def __init__(self, length, num_patches=1):
        super().__init__(length, num_patches, is_hwc=False)
