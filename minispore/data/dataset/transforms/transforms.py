"""MindSpore's further address of the transforms: the module that defines them there."""

from minispore.data.dataset.transforms.arrays import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.transforms.arrays import __all__ as _of_arrays
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation
from minispore.data.dataset.transforms.compound import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.transforms.compound import __all__ as _of_compound

__all__ = [*_of_arrays, *_of_compound, "PyTensorOperation", "TensorOperation"]
