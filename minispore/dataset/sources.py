"""Sources of samples: arrays in memory, and Python objects."""

import itertools
from types import GeneratorType

import numpy as np

from minispore.checks import check_bool, check_names, check_positive_int, check_workers
from minispore.dataset.pipeline import Dataset, check_int
from minispore.errors import type_error, value_error

__all__ = ["ArraysDataset", "GeneratorDataset", "NumpySlicesDataset"]


class _Indexed(Dataset):
    """A source of known size with rows accessed by index: shuffled, cut and split by index alone."""

    def __init__(self, operation, size, num_samples, shuffle, sampler, num_shards, shard_id):
        if num_samples is not None:
            check_int(operation, "num_samples", num_samples, 0)
        if shuffle is not None and not isinstance(shuffle, bool):
            raise type_error(operation, "the 'shuffle' must be a bool or None", type(shuffle).__name__)
        if sampler is not None:
            raise value_error(operation, "the 'sampler' must be None", type(sampler).__name__)
        self.size, self.num_samples = size, num_samples or None
        self.shuffled = shuffle is not False
        self.shards = _check_shards(operation, num_shards, shard_id)

    def _items(self, run):
        order = run.stream(self.depth).permutation(self.size) if self.shuffled else np.arange(self.size)
        if self.shards is not None and self.size:
            count, mine = self.shards
            # Every shard has the same size: the last ones wrap around to the front.
            order = order[(mine + count * np.arange(-(-self.size // count))) % self.size]
        return order[: self.num_samples].tolist()

    def get_dataset_size(self):
        size = self.size if self.shards is None else -(-self.size // self.shards[0])
        return size if self.num_samples is None else min(size, self.num_samples)


def _check_shards(operation, num_shards, shard_id):
    if num_shards is None and shard_id is None:
        return None
    if num_shards is None or shard_id is None:
        raise value_error(operation, "'num_shards' and 'shard_id' must be given together", (num_shards, shard_id))
    check_int(operation, "num_shards", num_shards, 1)
    check_int(operation, "shard_id", shard_id, 0)
    if shard_id >= num_shards:
        raise value_error(operation, f"the 'shard_id' must be below 'num_shards', {num_shards}", shard_id)
    return num_shards, shard_id


class ArraysDataset(_Indexed):
    """An indexed source over arrays of equal length, one per column."""

    def __init__(self, operation, columns, **options):
        self.columns = columns
        super().__init__(operation, len(next(iter(columns.values()))), **options)

    def _row(self, item):
        return tuple(np.asarray(array[item]) for array in self.columns.values())

    def _gather(self, items):
        return tuple(array[items] for array in self.columns.values())

    def _names(self):
        return self.columns


class NumpySlicesDataset(ArraysDataset):
    """The slices ``data[i]`` of arrays along their first axis.

    Args:
        data: An array or a list (one column), a tuple of them (several), or a dict from column name to them.
        column_names: The names; ``column_0``, ``column_1``, … when None. A dict brings its own.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; reading arrays needs no workers.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: Not supported; None.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.

    Raises:
        TypeError: If ``data`` is none of these kinds.
        ValueError: If it is empty, its columns differ in length, or the number of names is not that of the columns.

    Examples:
        >>> rows = NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).batch(2)
        >>> [row["x"].tolist() for row in rows.create_dict_iterator(output_numpy=True)]
        [[1, 2], [3]]
    """

    def __init__(
        self,
        data,
        column_names=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
    ):
        columns = _columns(data, column_names)
        check_workers("NumpySlicesDataset", "num_parallel_workers", num_parallel_workers)
        options = {"sampler": sampler, "num_shards": num_shards, "shard_id": shard_id}
        super().__init__("NumpySlicesDataset", columns, num_samples=num_samples, shuffle=shuffle, **options)


def _columns(data, column_names):
    """Arrays by column name from the forms of data that ``NumpySlicesDataset`` takes."""
    operation = "NumpySlicesDataset"
    if not isinstance(data, list | tuple | dict | np.ndarray):
        raise type_error(operation, "the 'data' must be a list, tuple, dict or NumPy array", type(data).__name__)
    if len(data) == 0:
        raise value_error(operation, "the 'data' must not be empty")
    if isinstance(data, dict):
        names, values = list(data), list(data.values())
    else:
        values = list(data) if isinstance(data, tuple) else [data]
        names = [f"column_{i}" for i in range(len(values))]
    arrays = [_as_array(operation, value) for value in values]
    if len({len(array) for array in arrays}) > 1:
        raise value_error(operation, "the columns must have one length", [len(array) for array in arrays])
    names = names if column_names is None else _names(operation, column_names)
    if len(names) != len(arrays):
        raise value_error(operation, f"the 'column_names' must be {len(arrays)} names", len(names))
    return dict(zip(names, arrays, strict=True))


def _as_array(operation, value):
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise value_error(operation, f"the rows of a column must have one shape ({error})") from error
    if array.ndim == 0:
        raise type_error(operation, "a column must be an array or a list", type(value).__name__)
    return array


def _names(operation, column_names):
    names = check_names(operation, "column_names", () if column_names is None else column_names)
    if not names:
        raise value_error(operation, "the 'column_names' must not be empty")
    if len(set(names)) != len(names):
        raise value_error(operation, "the 'column_names' must differ from one another", names)
    return names


class GeneratorDataset(_Indexed):
    """Rows from Python: a function that returns an iterator, an iterable, or an object that can be indexed.

    An object can be indexed if it has ``__getitem__`` and ``__len__``. A row is a tuple with one value per column; for
    a single column the value alone is enough.

    Args:
        source: The object. An indexable one is read in a new order every epoch unless ``shuffle=False``; others are
            read in their own order (``.shuffle(buffer_size)`` mixes them).
        column_names: The names of the columns.
        column_types: Not supported; None. The types are those of the values.
        schema: Not supported; None.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; rows are read one after another.
        shuffle: Whether an indexable source is shuffled; None means yes.
        sampler: Not supported; None.
        num_shards: The number of parts into which an indexable source is split.
        shard_id: The part to read.
        python_multiprocessing: Accepted; no worker processes are used.
        max_rowsize: Accepted; there is no shared memory to size.

    Raises:
        TypeError: If ``source`` is none of these.
        ValueError: If there are no column names; while iterating, if a row has a wrong number of values.

    Examples:
        >>> def squares():
        ...     yield from ((i, i * i) for i in range(3))
        >>> rows = GeneratorDataset(squares, ["n", "square"])
        >>> [row["square"].item() for row in rows.create_dict_iterator(output_numpy=True)]
        [0, 1, 4]
    """

    def __init__(
        self,
        source,
        column_names=None,
        column_types=None,
        schema=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        python_multiprocessing=True,
        max_rowsize=6,
    ):
        operation = "GeneratorDataset"
        if column_types is not None or schema is not None:
            raise value_error(operation, "the 'column_types' and 'schema' must be None", (column_types, schema))
        check_workers(operation, "num_parallel_workers", num_parallel_workers)
        check_bool(operation, "python_multiprocessing", python_multiprocessing)
        check_positive_int(operation, "max_rowsize", max_rowsize)
        self.names = _names(operation, column_names)
        self.source = source
        self.open = None if _is_indexable(source) else _opener(source)
        if self.open is not None and num_shards is not None:
            raise value_error(operation, "the 'source' must have __getitem__ and __len__ to be split by 'num_shards'")
        size = len(source) if self.open is None else None
        super().__init__(operation, size, num_samples, shuffle, sampler, num_shards, shard_id)

    def _items(self, run):
        if self.open is None:
            return super()._items(run)
        return itertools.islice(map(self._columns, self.open()), self.num_samples)

    def _row(self, item):
        return self._columns(self.source[item]) if self.open is None else item

    def _columns(self, row):
        values = row if isinstance(row, tuple) or (isinstance(row, list) and len(self.names) > 1) else (row,)
        if len(values) != len(self.names):
            raise value_error("GeneratorDataset", f"a row must have {len(self.names)} values", len(values))
        return tuple(np.asarray(value) for value in values)

    def _names(self):
        return self.names

    def get_dataset_size(self):
        """The number of rows of one pass; a source without a length is read once to count them."""
        return super().get_dataset_size() if self.open is None else Dataset.get_dataset_size(self)


def _is_indexable(source):
    return hasattr(source, "__getitem__") and hasattr(source, "__len__")


def _opener(source):
    """The function that starts a pass over a source that is not a sequence."""
    if isinstance(source, GeneratorType):
        raise type_error(
            "GeneratorDataset", "the 'source' must be the function itself, to be called for each pass", "a generator"
        )
    if hasattr(source, "__iter__") and not isinstance(source, type):
        return lambda: iter(source)
    if callable(source):
        return lambda: iter(source())
    raise type_error("GeneratorDataset", "the 'source' must be callable, iterable or indexable", type(source).__name__)
