"""Operations on samples: shuffle, take, skip, repeat, batch and map, each a dataset over another dataset.

Every dataset yields *items*. Over arrays (or anything indexable) an item is an index until rows are needed, so that
shuffling moves integers and a batch is one fancy index per column; otherwise an item is the row, a tuple of arrays.
"""

import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from minispore.checks import check_64_bits, check_names, check_workers, is_int
from minispore.dataset.iterators import DictIterator, TupleIterator
from minispore.errors import shown, type_error, value_error
from minispore.random_streams import shuffling_stream

__all__ = ["Dataset"]


class Pass(NamedTuple):
    """One pass over the data: the current seed, and the number of the epoch."""

    seed: int
    epoch: int

    def stream(self, depth):
        """The random stream of the dataset with ``depth`` datasets under it: reproducible, and new in every epoch."""
        return shuffling_stream(self.seed, depth, self.epoch)


def check_int(operation, argument, value, lowest, also=()):
    """Raise unless ``value`` is an int of at least ``lowest``, or one of ``also``."""
    if not is_int(value):
        raise type_error(operation, f"the '{argument}' must be an int", f"{type(value).__name__}")
    check_64_bits(operation, argument, value)
    if value < lowest and value not in also:
        others = "".join(f" or {x}" for x in also)
        raise value_error(operation, f"the '{argument}' must be at least {lowest}{others}", value)


class Dataset:
    """Base of sources and operations: the operations as methods, the iterators, and the properties of the data."""

    depth = 0  # how many datasets are under this one

    # To be defined by each kind of dataset

    def _items(self, run):
        """The items of one pass."""
        raise NotImplementedError

    def _row(self, item):
        """The columns of one item: a tuple of arrays."""
        return item

    def _gather(self, items):
        """The columns of many items, stacked."""
        return stack(self, [self._row(item) for item in items])

    def _names(self):
        """The names of the columns."""
        raise NotImplementedError

    def _rows(self, seed, epoch):
        """The rows of one epoch under ``seed``."""
        return map(self._row, self._items(Pass(seed, epoch)))

    # The user's interface

    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None):
        """Stack each ``batch_size`` consecutive rows; ``drop_remainder`` drops a smaller last batch.

        Raises:
            TypeError: If ``batch_size`` is not an int or ``drop_remainder`` not a bool.
            ValueError: If ``batch_size`` is below 1; while iterating, if the rows differ in shape, or if the only batch
                is a smaller one that is dropped.
        """
        check_workers("batch", "num_parallel_workers", num_parallel_workers)
        return BatchDataset(self, batch_size, drop_remainder)

    def shuffle(self, buffer_size):
        """Draw each row at random from a buffer of ``buffer_size`` rows; one as large as the data shuffles fully.

        The order follows from ``set_seed`` and differs in every epoch; without a seed it is new each time.

        Raises:
            ValueError: If ``buffer_size`` is below 2.
        """
        return ShuffleDataset(self, buffer_size)

    def map(
        self,
        operations,
        input_columns=None,
        output_columns=None,
        column_order=None,
        num_parallel_workers=None,
        **kwargs,
    ):
        """Apply functions to the named columns of each row, one after the other.

        Args:
            operations: A function with one array argument for each of ``input_columns``, or a list of such functions.
            input_columns: A name or a list of names; None means the first column.
            output_columns: New names, one for each array that the last function returns; None means ``input_columns``.
            column_order: Not supported; None.
            num_parallel_workers: Accepted; rows are mapped one after another.
            **kwargs: Options of MindSpore's worker processes, accepted and without effect.

        Raises:
            TypeError: If an operation cannot be called.
            ValueError: If a column is unknown; while iterating, if the number of returned arrays is wrong.
        """
        if column_order is not None:
            raise value_error("map", "the 'column_order' must be None", column_order)
        check_workers("map", "num_parallel_workers", num_parallel_workers)
        return MapDataset(self, operations, input_columns, output_columns)

    def repeat(self, count=None):
        """Iterate over the data ``count`` times, shuffled anew each time; endlessly if ``count`` is None or -1.

        Raises:
            ValueError: If ``count`` is neither -1 nor at least 1.
        """
        return RepeatDataset(self, -1 if count is None else count)

    def take(self, count=-1):
        """Keep the first ``count`` rows of each pass; all of them if ``count`` is -1."""
        return TakeDataset(self, count)

    def skip(self, count):
        """Skip the first ``count`` rows of each pass."""
        return SkipDataset(self, count)

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=True):
        """An iterator over lists of Tensors, or of NumPy arrays with ``output_numpy=True``.

        One ``for`` over it is one epoch; the next ``for`` over the same iterator is the next epoch.
        ``num_epochs`` limits their number: 1 or more, or -1 for no limit.
        """
        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=True):
        """An iterator over dicts from column name to Tensor, or NumPy array with ``output_numpy=True``."""
        return DictIterator(self, None, num_epochs, output_numpy, do_copy)

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self):
        return self.get_dataset_size()

    def get_dataset_size(self):
        """The number of rows (or batches, after ``batch``) of one pass."""
        return sum(1 for _ in self._items(Pass(0, 0)))

    def get_batch_size(self):
        """The number of samples in one row: 1 without ``batch``."""
        return 1

    def get_repeat_count(self):
        """How often one pass repeats the data: 1 without ``repeat``."""
        return 1

    def get_col_names(self):
        """The names of the columns, in order."""
        return list(self._names())

    def output_shapes(self):
        """The shape of each column in the first row, as lists."""
        return [list(column.shape) for column in self._first()]

    def output_types(self):
        """The NumPy dtype of each column in the first row."""
        return [column.dtype for column in self._first()]

    def _first(self):
        return self._row(next(iter(self._items(Pass(0, 0)))))


def stack(dataset, rows):
    """Stack rows column by column; the rows must agree in shape."""
    columns = []
    for name, column in zip(dataset.get_col_names(), zip(*rows, strict=True), strict=True):
        shapes = {value.shape for value in column}
        if len(shapes) > 1:
            raise value_error("batch", f"the rows of column '{name}' must have one shape", sorted(shapes))
        columns.append(np.stack(column))
    return tuple(columns)


class _Over(Dataset):
    """A dataset over another one that passes its items on unchanged, in another order or number."""

    def __init__(self, child):
        self.child = child
        self.depth = child.depth + 1

    def _row(self, item):
        return self.child._row(item)

    def _gather(self, items):
        return self.child._gather(items)

    def _names(self):
        return self.child._names()

    def get_dataset_size(self):
        return self.child.get_dataset_size()

    def get_batch_size(self):
        return self.child.get_batch_size()

    def get_repeat_count(self):
        return self.child.get_repeat_count()


class ShuffleDataset(_Over):
    """Rows drawn at random from a window of ``buffer_size`` rows that moves over the data."""

    def __init__(self, child, buffer_size):
        check_int("shuffle", "buffer_size", buffer_size, 2)
        super().__init__(child)
        self.buffer_size = buffer_size

    def _items(self, run):
        stream = run.stream(self.depth)
        rest = iter(self.child._items(run))
        window = list(itertools.islice(rest, self.buffer_size))
        picks = _integers(stream, len(window))
        for item in rest:
            place = next(picks)
            yield window[place]
            window[place] = item
        for place in stream.permutation(len(window)).tolist():
            yield window[place]


def _integers(stream, below):
    """Endless random integers in [0, below), drawn many at a time: single draws would cost a hundred times as much."""
    while True:
        yield from stream.integers(0, below, (1024,)).tolist()


class TakeDataset(_Over):
    """The first ``count`` rows; all if ``count`` is -1."""

    def __init__(self, child, count):
        check_int("take", "count", count, 1, also=(-1,))
        super().__init__(child)
        self.count = count

    def _items(self, run):
        return itertools.islice(self.child._items(run), None if self.count == -1 else self.count)

    def get_dataset_size(self):
        size = self.child.get_dataset_size()
        return size if self.count == -1 else min(size, self.count)


class SkipDataset(_Over):
    """All but the first ``count`` rows."""

    def __init__(self, child, count):
        check_int("skip", "count", count, 0)
        super().__init__(child)
        self.count = count

    def _items(self, run):
        return itertools.islice(self.child._items(run), self.count, None)

    def get_dataset_size(self):
        return max(self.child.get_dataset_size() - self.count, 0)


class RepeatDataset(_Over):
    """The data ``count`` times; endless for -1, of which the size counts one repetition."""

    def __init__(self, child, count):
        check_int("repeat", "count", count, 1, also=(-1,))
        super().__init__(child)
        self.count = count

    def _items(self, run):
        times = itertools.count() if self.count == -1 else range(self.count)
        for time in times:
            yield from self.child._items(run._replace(epoch=run.epoch * max(self.count, 1) + time))

    def get_dataset_size(self):
        return self.child.get_dataset_size() * self.get_repeat_count()

    def get_repeat_count(self):
        return max(self.count, 1)


class BatchDataset(_Over):
    """Each ``batch_size`` rows stacked; its items are rows, stacked on demand."""

    def __init__(self, child, batch_size, drop_remainder):
        check_int("batch", "batch_size", batch_size, 1)
        if not isinstance(drop_remainder, bool):
            raise type_error("batch", "the 'drop_remainder' must be a bool", type(drop_remainder).__name__)
        super().__init__(child)
        self.batch_size, self.drop_remainder = batch_size, drop_remainder

    def _items(self, run):
        items, any_whole = iter(self.child._items(run)), False
        while chunk := list(itertools.islice(items, self.batch_size)):
            if self.drop_remainder and len(chunk) < self.batch_size:
                self._check_some(any_whole, len(chunk))
                return
            any_whole = True
            yield self.child._gather(chunk)

    def _check_some(self, any_whole, rows):
        """Raise ValueError if there is no batch: training on none would be silent."""
        if not any_whole:
            expected = f"with 'drop_remainder' the 'batch_size' must be at most the number of rows, {rows}"
            raise value_error("batch", expected, self.batch_size)

    _row, _gather = Dataset._row, Dataset._gather

    def get_dataset_size(self):
        size = self.child.get_dataset_size() / self.batch_size
        return math.floor(size) if self.drop_remainder else math.ceil(size)

    def get_batch_size(self):
        return self.batch_size


class MapDataset(_Over):
    """Rows with functions applied to the named columns."""

    def __init__(self, child, operations, input_columns, output_columns):
        super().__init__(child)
        self.operations = _as_list(operations)
        for operation in self.operations:
            if not isinstance(operation, Callable):
                raise type_error("map", "the 'operations' must be functions", type(operation).__name__)
        known = child.get_col_names()
        self.inputs = known[:1] if input_columns is None else check_names("map", "input_columns", input_columns)
        for name in self.inputs:
            if name not in known:
                raise value_error("map", f"the 'input_columns' must be among {known}", shown(name))
        self.outputs = self.inputs if output_columns is None else check_names("map", "output_columns", output_columns)
        self.sources = [known.index(name) for name in self.inputs]
        self.others = [i for i in range(len(known)) if i not in self.sources]

    def _names(self):
        known = self.child.get_col_names()
        if len(self.outputs) == len(self.inputs):
            renamed = dict(zip(self.sources, self.outputs, strict=True))
            return [renamed.get(i, name) for i, name in enumerate(known)]
        return [*self.outputs, *(known[i] for i in self.others)]

    def _items(self, run):
        return (self._mapped(self.child._row(item)) for item in self.child._items(run))

    _row, _gather = Dataset._row, Dataset._gather

    def _mapped(self, row):
        values = tuple(row[i] for i in self.sources)
        for operation in self.operations:
            values = operation(*values)
            values = values if isinstance(values, tuple) else (values,)
        if len(values) != len(self.outputs):
            raise value_error("map", f"the 'operations' must return {len(self.outputs)} columns", len(values))
        arrays = [np.asarray(value) for value in values]
        if len(self.outputs) == len(self.inputs):
            new = dict(zip(self.sources, arrays, strict=True))
            return tuple(new.get(i, column) for i, column in enumerate(row))
        return (*arrays, *(row[i] for i in self.others))


def _as_list(value):
    return list(value) if isinstance(value, list | tuple) else [value]
