"""Sources: datasets that read no other one; sources of known rows take a sampler."""

import copy

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine import samplers
from minispore.data.dataset.engine.dataset import Dataset, check_count

__all__ = [
    "AudioBaseDataset",
    "MappableDataset",
    "SourceDataset",
    "TextBaseDataset",
    "UnionBaseDataset",
    "VisionBaseDataset",
]


class SourceDataset(Dataset):
    """A dataset that reads no other one.

    Examples:
        >>> from minispore import dataset
        >>> print(isinstance(dataset.NumpySlicesDataset([1]), dataset.SourceDataset))
        True
    """


class VisionBaseDataset(Dataset):
    """A dataset of images, by which ``isinstance`` knows it.

    Examples:
        >>> from minispore import dataset
        >>> print(issubclass(dataset.MnistDataset, dataset.VisionBaseDataset))
        True
    """


class TextBaseDataset(Dataset):
    """A dataset of text, by which ``isinstance`` knows it.

    Examples:
        >>> from minispore import dataset
        >>> print(issubclass(dataset.TextFileDataset, dataset.TextBaseDataset))
        True
    """


class AudioBaseDataset(Dataset):
    """A dataset of sound, by which ``isinstance`` knows it.

    Examples:
        >>> from minispore import dataset
        >>> print(issubclass(dataset.AudioBaseDataset, dataset.Dataset))
        True
    """


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """A dataset of anything, by which ``isinstance`` knows it.

    Examples:
        >>> from minispore import dataset
        >>> print(issubclass(dataset.UnionBaseDataset, dataset.Dataset))
        True
    """


class MappableDataset(SourceDataset):
    """A source of known rows, accessed by index: its sampler chooses the rows and their order.

    Examples:
        >>> from minispore import dataset
        >>> print(isinstance(dataset.NumpySlicesDataset([1]), dataset.MappableDataset))
        True
    """

    def __init__(
        self, size, num_samples, shuffle, sampler, num_shards, shard_id, num_parallel_workers=None, cache=None
    ):
        name = type(self).__name__
        check_source_options(name, num_parallel_workers, cache)
        self.size = size
        self.sampler = samplers.chosen(name, num_samples, sampler, shuffle, num_shards, shard_id)

    def add_sampler(self, new_sampler):
        """Choose with ``new_sampler`` from the rows that the present sampler chooses.

        Raises:
            TypeError: If it is not a sampler.
            RuntimeError: If it has a child already.
        """
        if not isinstance(new_sampler, samplers.BuiltinSampler):
            raise type_error("add_sampler", "the 'new_sampler' must be a sampler", shown(new_sampler))
        new_sampler.add_child(self.sampler)
        self.sampler = new_sampler

    def use_sampler(self, new_sampler):
        """Choose with ``new_sampler`` instead of the present sampler, from the rows of that one's child.

        Raises:
            TypeError: If it is not a sampler.
            RuntimeError: If it has a child already.
        """
        if not isinstance(new_sampler, samplers.BuiltinSampler):
            raise type_error("use_sampler", "the 'new_sampler' must be a sampler", shown(new_sampler))
        new_sampler.add_child(self.sampler.child_sampler)
        self.sampler = new_sampler

    def is_shuffled(self):
        return self.sampler.is_shuffled()

    def is_sharded(self):
        return self.sampler.is_sharded()

    def _labels(self, column):
        """The label of each row, for PKSampler."""
        raise value_error(type(self).__name__, "the sampler must not be a PKSampler: there are no labels")

    def _places(self, run):
        view = samplers.View(
            self.size, lambda: run.stream(self.depth), lambda: run.shared_stream(self.depth), self._labels
        )
        return self.sampler.places(view)

    def _items(self, run):
        return iter(self._places(run).tolist())

    def _part(self, places, run):
        part = copy.copy(self)
        part.sampler = samplers.SequentialSampler()
        part.sampler.add_child(samplers.SubsetSampler(self._places(run)[places].tolist()))
        return part

    def get_dataset_size(self):
        if isinstance(self.sampler, samplers.RandomSampler | samplers.SequentialSampler | samplers.DistributedSampler):
            return self._known_size(self.sampler)
        return Dataset.get_dataset_size(self)

    def _known_size(self, sampler):
        """The number of rows where no order needs to be made to know it."""
        if sampler.child_sampler is not None or getattr(sampler, "replacement", False):
            return Dataset.get_dataset_size(self)
        size = self.size - (getattr(sampler, "start_index", None) or 0)
        if isinstance(sampler, samplers.DistributedSampler):
            first = (sampler.shard_id - sampler.offset) % sampler.num_shards
            dealt = len(range(first, size, sampler.num_shards))
            size = -(-size // sampler.num_shards) if sampler.offset == -1 else dealt
        return min(max(size, 0), sampler.num_samples or size)


def check_source_options(name, num_parallel_workers, cache):
    """Raise unless the number of workers is legal and there is no cache."""
    if num_parallel_workers is not None:
        check_count(name, "num_parallel_workers", num_parallel_workers, 1)
    if cache is not None:
        raise value_error(name, "the 'cache' must be None: there is no cache server", type(cache).__name__)


class ArraysDataset(MappableDataset):
    """An indexed source over arrays of equal length, one per column."""

    def __init__(self, columns, *options, **more):
        self.columns = columns
        super().__init__(len(next(iter(columns.values()))), *options, **more)

    def _row(self, item):
        return tuple(np.asarray(array[item]) for array in self.columns.values())

    def _gather(self, items):
        return tuple(array[items] for array in self.columns.values())

    def _names(self):
        return self.columns

    def _labels(self, column):
        check_choice("PKSampler", "class_column", column, self.columns)
        labels = np.asarray(self.columns[column])
        if labels.ndim != 1 or labels.dtype.kind not in "iub":
            raise value_error("PKSampler", f"the column '{column}' must be one int for each row", labels.dtype)
        return labels
