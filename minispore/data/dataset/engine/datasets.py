"""MindSpore's address ``dataset.engine.datasets``: the base classes and the class of each operation."""

from minispore.data.dataset.engine.dataset import Dataset
from minispore.data.dataset.engine.iterators import DictIterator, TupleIterator
from minispore.data.dataset.engine.operations import *  # noqa: F403 - its names are listed there
from minispore.data.dataset.engine.operations import __all__ as _operations
from minispore.data.dataset.engine.schema import Schema
from minispore.data.dataset.engine.sources import MappableDataset, Shuffle, SourceDataset

__all__ = [
    "Dataset",
    "DictIterator",
    "MappableDataset",
    "Schema",
    "Shuffle",
    "SourceDataset",
    "TupleIterator",
    *_operations,
]

_training = []  # the dataset of a training, if a script has set it


def _set_training_dataset(dataset):
    """Say which dataset a training reads, for ``_get_training_dataset``."""
    _training[:] = [dataset]


def _get_training_dataset():
    """The dataset of ``_set_training_dataset``; None before."""
    return _training[0] if _training else None
