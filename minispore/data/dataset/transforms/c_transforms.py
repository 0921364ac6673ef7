"""MindSpore's older address of the transforms of arrays."""

from minispore.data.dataset.transforms.arrays import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.transforms.arrays import __all__ as _of_arrays
from minispore.data.dataset.transforms.base import TensorOperation
from minispore.data.dataset.transforms.compound import Compose, RandomApply, RandomChoice

__all__ = [*_of_arrays, "Compose", "RandomApply", "RandomChoice", "TensorOperation"]
