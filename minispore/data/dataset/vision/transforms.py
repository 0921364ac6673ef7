"""MindSpore's further address of the image transforms: the module that defines them there."""

from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation
from minispore.data.dataset.vision.every_transform import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.vision.every_transform import __all__ as _all

__all__ = [*_all, "PyTensorOperation", "TensorOperation"]
