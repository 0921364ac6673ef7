"""Image transforms: callables on arrays (H, W, C) and on Pillow's images.

Reading order: ``enums`` (the choices), ``pillow``, ``rounding``, ``resampling``, ``warping``, ``colors``, ``filters``
(the arithmetic), ``base`` (the transforms' common part), ``conversions``, ``sizes``, ``geometry``,
``color_transforms``, ``erasing``, ``batches``, ``boxes``, ``policies``, ``every_transform``, ``files``, and MindSpore's
further addresses: ``c_transforms``, ``py_transforms``, ``py_transforms_util``, ``transforms``, ``utils``. Pillow is
imported when an image is decoded, or is one of its own.
"""

from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation
from minispore.data.dataset.vision import c_transforms, py_transforms, transforms, utils
from minispore.data.dataset.vision.every_transform import *
from minispore.data.dataset.vision.every_transform import __all__ as _all
from minispore.data.dataset.vision.files import *
from minispore.data.dataset.vision.files import __all__ as _of_files

__all__ = [
    *_all,
    *_of_files,
    "PyTensorOperation",
    "TensorOperation",
    "c_transforms",
    "py_transforms",
    "transforms",
    "utils",
]
