"""MindSpore's older address of the image transforms of arrays."""

from minispore.dataset.transforms.base import TensorOperation
from minispore.dataset.vision.every_transform import *  # noqa: F403 - an address exports what the modules list
from minispore.dataset.vision.every_transform import __all__ as _all

__all__ = [*_all, "TensorOperation"]
