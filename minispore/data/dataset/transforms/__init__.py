"""Transforms of columns: types, one-hot vectors, padding, masks, and transforms of transforms.

Reading order: ``base`` (a transform's methods), ``compound``, ``arrays``, and MindSpore's further addresses:
``c_transforms``, ``py_transforms``, ``transforms``, ``validators``.
"""

from minispore.data.dataset.transforms import c_transforms, py_transforms, transforms
from minispore.data.dataset.transforms.arrays import *
from minispore.data.dataset.transforms.arrays import __all__ as _of_arrays
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation
from minispore.data.dataset.transforms.compound import *
from minispore.data.dataset.transforms.compound import __all__ as _of_compound

__all__ = [
    *_of_arrays,
    *_of_compound,
    "PyTensorOperation",
    "TensorOperation",
    "c_transforms",
    "py_transforms",
    "transforms",
]
