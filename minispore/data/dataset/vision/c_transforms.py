"""MindSpore's older address of the image transforms of arrays."""

from minispore.data.dataset.transforms.base import TensorOperation
from minispore.data.dataset.vision.every_transform import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.vision.every_transform import __all__ as _all

__all__ = [*_all, "TensorOperation"]
