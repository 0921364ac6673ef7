"""The sources of rows.

Reading order: ``indexed`` (what a sampler chooses from), ``numpy_slices``, ``generator``, ``mnist``, ``cifar``,
``image_folder``, ``text_files``, ``tf_example``, ``tf_record``, ``mind``, ``cache``.
"""

from minispore.dataset.engine.sources.cache import *
from minispore.dataset.engine.sources.cifar import *
from minispore.dataset.engine.sources.generator import *
from minispore.dataset.engine.sources.image_folder import *
from minispore.dataset.engine.sources.indexed import *
from minispore.dataset.engine.sources.mind import *
from minispore.dataset.engine.sources.mnist import *
from minispore.dataset.engine.sources.numpy_slices import *
from minispore.dataset.engine.sources.text_files import *
from minispore.dataset.engine.sources.tf_record import *

__all__ = [
    "CSVDataset",
    "Cifar10Dataset",
    "Cifar100Dataset",
    "DatasetCache",
    "FashionMnistDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "KMnistDataset",
    "MappableDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "PaddedDataset",
    "Shuffle",
    "SourceDataset",
    "TFRecordDataset",
    "TextFileDataset",
]
