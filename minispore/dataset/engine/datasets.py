"""MindSpore's address ``dataset.engine.datasets``: the base classes and the class of each operation."""

from minispore.dataset.engine.dataset import Dataset
from minispore.dataset.engine.iterators import DictIterator, TupleIterator
from minispore.dataset.engine.operations import *  # noqa: F403 - its names are listed there
from minispore.dataset.engine.operations import __all__ as _operations
from minispore.dataset.engine.schema import Schema
from minispore.dataset.engine.sources import MappableDataset, Shuffle, SourceDataset

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
