"""MindDataset: the rows of MindRecord files."""

import itertools

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine import samplers
from minispore.data.dataset.engine.dataset import Dataset, check_count
from minispore.data.dataset.engine.sources.indexed import MappableDataset, UnionBaseDataset, check_source_options
from minispore.data.dataset.engine.sources.text_files import Shuffle
from minispore.data.mindrecord.files import Files
from minispore.data.mindrecord.row_schema import plain_fields
from minispore.ops.list_checks import check_names

__all__ = ["MindDataset"]

_NAME = "MindDataset"


class MindDataset(MappableDataset, UnionBaseDataset):
    """The rows of MindRecord files: a column for each field, bytes as vectors of uint8.

    Args:
        dataset_files: A path, for all files that were written with it, or a list of paths.
        columns_list: The fields to read, in their order; None reads all, in the order of their names.
        num_parallel_workers: Accepted; rows are read by one thread.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False; None means True.
        num_shards: The number of parts into which the rows are split, in blocks.
        shard_id: The part to read.
        sampler: A sampler instead of the other ways to choose rows.
        padded_sample: A row, as a dict, that comes ``num_padded`` times after the others.
        num_padded: How often.
        num_samples: The largest number of rows to read.
        cache: None; there is no cache server.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a file is not a MindRecord file, or an argument contradicts another one.
        FileNotFoundError: If there is no such file.

    Examples:
        >>> import os, tempfile
        >>> from minispore import dataset
        >>> from minispore.mindrecord import FileWriter
        >>> file = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(file)
        >>> _ = writer.add_schema({"x": {"type": "int32"}, "name": {"type": "string"}}, "rows")
        >>> _ = writer.write_raw_data([{"x": 1, "name": "cat"}, {"x": 2, "name": "dog"}])
        >>> _ = writer.commit()
        >>> print(
        ...     [
        ...         (int(row["x"]), str(row["name"]))
        ...         for row in dataset.MindDataset(file, shuffle=False).create_dict_iterator()
        ...     ]
        ... )
        [(1, 'cat'), (2, 'dog')]
    """

    def __init__(
        self,
        dataset_files,
        columns_list=None,
        num_parallel_workers=None,
        shuffle=None,
        num_shards=None,
        shard_id=None,
        sampler=None,
        padded_sample=None,
        num_padded=None,
        num_samples=None,
        cache=None,
    ):
        check_source_options(_NAME, num_parallel_workers, cache)
        if not isinstance(shuffle, bool | Shuffle | None):
            raise type_error(_NAME, "the 'shuffle' must be a bool or a Shuffle", shown(shuffle))
        whether = None if shuffle is None else shuffle is not False
        chosen = samplers.chosen(_NAME, num_samples, sampler, whether, num_shards, shard_id)
        self.files = Files(_NAME, dataset_files)
        self.columns = self._chosen(columns_list)
        self._set_padding(padded_sample, num_padded, columns_list, num_shards)
        self.sampler, self.size = chosen, len(self.files) + self.padded
        self.shards = None if num_shards is None else (num_shards, shard_id)
        self.num_samples = num_samples or None
        self.level = Shuffle.GLOBAL if shuffle in (None, True) else shuffle or None
        self.by_sampler = sampler is not None

    def _chosen(self, columns_list):
        known = list(self.files.schema)
        columns = known if columns_list is None else check_names(_NAME, "columns_list", columns_list) or known
        for name in columns:
            if name not in known:
                raise value_error(_NAME, f"the 'columns_list' must be among {known}", shown(name))
        return columns

    def _set_padding(self, padded_sample, num_padded, columns_list, num_shards):
        self.padded, self.padding = 0, None
        if num_padded is not None:
            check_count(_NAME, "num_padded", num_padded, 0)
            if padded_sample is None:
                raise value_error(_NAME, "the 'num_padded' must come with a 'padded_sample'")
        if padded_sample is None:
            return
        if not isinstance(padded_sample, dict):
            raise type_error(_NAME, "the 'padded_sample' must be a dict", shown(padded_sample))
        if num_padded is None or columns_list is None:
            raise value_error(_NAME, "the 'padded_sample' must come with 'num_padded' and 'columns_list'")
        if set(self.columns) - set(padded_sample):
            raise value_error(_NAME, f"the 'padded_sample' must have {self.columns}", shown(list(padded_sample)))
        if num_shards is not None and (len(self.files) + num_padded) % num_shards:
            expected = f"the rows and the padded ones must be a multiple of 'num_shards', {num_shards}"
            raise value_error(_NAME, expected, len(self.files) + num_padded)
        self.padded, self.padding = num_padded, tuple(self._column(n, padded_sample[n]) for n in self.columns)

    def _column(self, name, value):
        kind = self.files.schema[name]["type"]
        if kind == "bytes" and isinstance(value, bytes | bytearray):
            return np.frombuffer(value, np.uint8)
        return np.asarray(value, str if kind == "string" else None if kind == "bytes" else kind)

    def _row(self, item):
        if item >= len(self.files):
            return self.padding
        row = self.files.row(item)
        return tuple(self._column(name, row[name]) for name in self.columns)

    def _gather(self, items):
        return Dataset._gather(self, items)

    def _names(self):
        return self.columns

    def _labels(self, column):
        if column not in plain_fields(self.files.schema):
            raise value_error(
                "PKSampler", f"the 'class_column' must be among {plain_fields(self.files.schema)}", column
            )
        return np.array([self.files.plain(number)[column] for number in range(len(self.files))])

    def _places(self, run):
        if self.by_sampler:
            return super()._places(run)
        stream = run.shared_stream(self.depth) if self.shards else run.stream(self.depth)
        order = self._ordered(stream)
        return order[self._mine()]

    def _part(self, places, run):
        part = super()._part(places, run)
        part.by_sampler = True
        return part

    def _ordered(self, stream):
        """The rows' numbers, shuffled; the padded rows stay last."""
        bounds = [*self.files.starts, self.size] if self.padded else self.files.starts
        parts = [np.arange(low, high) for low, high in itertools.pairwise(bounds)]
        real = parts[: len(self.files.shards)]
        if self.level is Shuffle.FILES:
            real = [real[i] for i in stream.permutation(len(real))]
        if self.level is Shuffle.INFILE:
            real = [part[stream.permutation(len(part))] for part in real]
        joined = np.concatenate(real)
        if self.level is Shuffle.GLOBAL:
            joined = joined[stream.permutation(len(joined))]
        return np.concatenate([joined, *parts[len(self.files.shards) :]])

    def _mine(self):
        """The places of this shard's rows, in blocks that wrap around."""
        shards, mine = self.shards or (1, 0)
        block = -(-self.size // shards)
        return [place % self.size for place in range(mine * block, (mine + 1) * block)][: self.num_samples]

    def add_sampler(self, new_sampler):
        super().add_sampler(new_sampler)
        self.by_sampler = True

    def use_sampler(self, new_sampler):
        super().use_sampler(new_sampler)
        self.by_sampler = True

    def is_shuffled(self):
        return super().is_shuffled() if self.by_sampler else self.level is not None

    def is_sharded(self):
        return super().is_sharded() if self.by_sampler else self.shards is not None

    def get_dataset_size(self):
        return super().get_dataset_size() if self.by_sampler else len(self._mine())
