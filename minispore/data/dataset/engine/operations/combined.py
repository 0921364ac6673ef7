"""Several datasets as one: zip, side by side, and concat, one after the other."""

from __future__ import annotations

import builtins
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.dataset import Dataset, check_dataset, operation
from minispore.data.dataset.engine.samplers import DistributedSampler

__all__ = ["ConcatDataset", "ZipDataset", "zip"]


def zip(datasets: tuple[Any, ...]) -> Any:
    """The columns of several datasets side by side, as long as the shortest.

    Args:
        datasets (tuple): Two datasets or more, whose columns have different names.

    Raises:
        TypeError: If it is not a tuple of datasets.
        ValueError: If there are fewer than two, or two columns have one name.

    Examples:
        >>> from minispore import dataset as ds
        >>> x, y = (ds.NumpySlicesDataset({name: [1, 2]}, shuffle=False) for name in "xy")
        >>> ds.zip((x, y)).get_col_names()
        ['x', 'y']
    """
    if not isinstance(datasets, tuple):
        raise type_error("zip", "the 'datasets' must be a tuple of datasets", type(datasets).__name__)
    return ZipDataset(datasets)


def _zip_with(self, datasets):  # noqa: D417 - ``self`` is the dataset
    """The columns of this and other datasets side by side, as long as the shortest.

    Args:
        datasets (Dataset): One, or a tuple of several.

    Raises:
        TypeError: If it is neither a dataset nor a tuple of datasets.
        ValueError: If two columns have one name.
    """
    return ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))


_zip_with.__name__ = "zip"  # the module's own ``zip`` takes a tuple
operation(_zip_with)


@operation
def concat(self, datasets):  # noqa: D417 - ``self`` is the dataset
    """The rows of this dataset, then the rows of others; ``+`` does the same with one.

    Args:
        datasets (Dataset): One, or a list of several, whose columns have the same names, types and ranks.

    Raises:
        TypeError: If it is neither a dataset nor a list of datasets.
        ValueError: If the columns' names differ; while iterating, if their types or ranks do.
    """
    return ConcatDataset((self, *(datasets if isinstance(datasets, list | tuple) else (datasets,))))


Dataset.__add__ = concat


class _OfSeveral(Dataset):
    """A dataset over several others."""

    operation = None

    def __init__(self, datasets) -> None:
        if not isinstance(datasets, list | tuple):
            raise type_error(self.operation, "the 'datasets' must be a tuple or list of datasets", shown(datasets))
        for dataset in datasets:
            check_dataset(self.operation, "datasets", dataset)
        if len(datasets) < 2:
            raise value_error(self.operation, "the 'datasets' must be two or more", len(datasets))
        self.children = tuple(datasets)
        self.depth = 1 + max(child.depth for child in datasets)

    def get_batch_size(self) -> Any:
        return self.children[0].get_batch_size()


class ZipDataset(_OfSeveral):
    """The columns of several datasets side by side.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> first = dataset.NumpySlicesDataset(np.arange(2), ["x"], shuffle=False)
        >>> second = dataset.NumpySlicesDataset(np.arange(2) * 10, ["y"], shuffle=False)
        >>> print([(int(x), int(y)) for x, y in dataset.zip((first, second))])
        [(0, 0), (1, 10)]
    """

    operation = "zip"

    def __init__(self, datasets) -> None:
        super().__init__(datasets)
        names = self.get_col_names()
        if len(set(names)) < len(names):
            raise value_error("zip", "the columns of the 'datasets' must have different names", names)

    def _names(self):
        return [name for child in self.children for name in child.get_col_names()]

    def _items(self, run):
        # The first that ends, ends all: the others' workers end with this generator
        passes = [child._rows(run._replace(seed=(run.seed + i) % 2**32)) for i, child in enumerate(self.children)]
        for rows in builtins.zip(*passes, strict=False):
            yield tuple(column for row in rows for column in row)

    def get_dataset_size(self) -> Any:
        return min(child.get_dataset_size() for child in self.children)


class ConcatDataset(_OfSeveral):
    """The rows of several datasets, one after the other; dealt to processes by ``use_sampler``.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> first, second = (dataset.NumpySlicesDataset(np.arange(n), ["x"], shuffle=False) for n in (2, 3))
        >>> print([int(x) for (x,) in first + second])
        [0, 1, 0, 1, 2]
    """

    operation = "concat"

    def __init__(self, datasets) -> None:
        super().__init__(datasets)
        self.sampler = None
        for child in datasets[1:]:
            if child.get_col_names() != self.get_col_names():
                expected = f"the columns of all 'datasets' must be {self.get_col_names()}"
                raise value_error("concat", expected, child.get_col_names())

    def use_sampler(self, sampler) -> None:
        """Read every ``num_shards``-th row, from row ``shard_id``, of a ``DistributedSampler`` that does not shuffle.

        Raises:
            TypeError: If it is another sampler.
            ValueError: If it shuffles or bounds the number of rows.
        """
        if not isinstance(sampler, DistributedSampler):
            raise type_error("use_sampler", "the 'sampler' must be a DistributedSampler", type(sampler).__name__)
        if sampler.shuffle or sampler.num_samples:
            expected = "the 'sampler' must neither shuffle nor bound the number of rows"
            raise value_error("use_sampler", expected, f"shuffle={sampler.shuffle}, num_samples={sampler.num_samples}")
        self.sampler = sampler

    def _names(self):
        return self.children[0]._names()

    def _items(self, run):
        shards, mine = (self.sampler.num_shards, self.sampler.shard_id) if self.sampler else (1, 0)
        number, kinds = 0, None
        for child in self.children:
            for item in child._items(run):
                if number % shards == mine:
                    row = child._row(item)
                    kinds = self._checked(kinds, row)
                    yield row
                number += 1

    def _checked(self, kinds, row):
        """The types and ranks of a row; they must equal those of earlier rows."""
        found = [(column.dtype.kind if column.dtype.kind in "US" else column.dtype.name, column.ndim) for column in row]
        if kinds is not None and found != kinds:
            raise value_error("concat", f"the columns of all rows must have the types and ranks {kinds}", found)
        return found

    def get_dataset_size(self) -> Any:
        size = sum(child.get_dataset_size() for child in self.children)
        return size if self.sampler is None else len(range(self.sampler.shard_id, size, self.sampler.num_shards))

    def get_repeat_count(self) -> Any:
        return self.children[0].get_repeat_count()
