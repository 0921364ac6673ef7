"""batch, padded_batch and bucket_batch_by_length: rows stacked into larger ones."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_switch, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset import draws
from minispore.data.dataset.engine.dataset import (
    Dataset,
    OverRows,
    check_columns,
    check_count,
    check_workers,
    operation,
    stack,
    stack_column,
)
from minispore.data.dataset.engine.operations.map import Exchange
from minispore.data.dataset.engine.user_code import called
from minispore.data.dataset.engine.workers import ordered
from minispore.ops.list_checks import check_names

__all__ = ["BatchDataset", "BatchInfo", "BucketBatchByLengthDataset", "PaddedBatchDataset"]


@operation
def batch(  # noqa: D417 - ``self`` is the dataset
    self,
    batch_size,
    drop_remainder=False,
    num_parallel_workers=None,
    *,
    per_batch_map=None,
    input_columns=None,
    output_columns=None,
    python_multiprocessing=False,
    max_rowsize=16,
):
    """Stack each ``batch_size`` consecutive rows.

    Args:
        batch_size (int): The rows of a batch, or a function of a :class:`BatchInfo` that returns it.
        drop_remainder (bool): If True, a smaller last batch is dropped.
        num_parallel_workers (int): How many batches are worked on at once; None takes the setting of ``config``.
        per_batch_map (Callable): A function of one list of arrays for each of ``input_columns``, and a
            :class:`BatchInfo`; it returns a tuple with a list of as many rows, or one array, for each column.
        input_columns (str): The columns that ``per_batch_map`` takes; None means all.
        output_columns (str): The names of its results; None means ``input_columns``.
        python_multiprocessing (bool): If True, the workers are processes.
        max_rowsize (int): Accepted; there is no shared memory to size.

    Raises:
        TypeError: If ``batch_size`` is neither an int nor a function, or ``drop_remainder`` not a bool.
        ValueError: If ``batch_size`` is below 1; while iterating, if the rows differ in shape, or if the only batch
            is a smaller one that is dropped.
        RuntimeError: While iterating, if a function raises an error.
    """
    check_count("batch", "max_rowsize", max_rowsize, 1, also=(-1,))
    options = (per_batch_map, input_columns, output_columns, python_multiprocessing)
    return BatchDataset(self, batch_size, drop_remainder, num_parallel_workers, *options)


@operation
def padded_batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):  # noqa: D417 - ``self`` is the dataset
    """Pad the rows to one shape and stack each ``batch_size`` consecutive ones.

    Args:
        batch_size (int): The rows of a batch, or a function of a :class:`BatchInfo` that returns it.
        drop_remainder (bool): If True, a smaller last batch is dropped.
        num_parallel_workers (int): How many batches are worked on at once; None takes the setting of ``config``.
        pad_info (dict): A pair ``(shape, value)`` for each column to pad. A shape of None, or a length of None in it,
            means the largest of the batch; a longer row is cut. None pads nothing, ``{}`` pads all columns with 0.

    Raises:
        TypeError: If ``pad_info`` is not such a dict.
        ValueError: If it names an unknown column; while iterating, if a shape has another rank than a row.
    """
    return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)


@operation
def bucket_batch_by_length(  # noqa: D417 - ``self`` is the dataset
    self,
    column_names,
    bucket_boundaries,
    bucket_batch_sizes,
    element_length_function=None,
    pad_info=None,
    pad_to_bucket_boundary=False,
    drop_remainder=False,
):
    """Stack rows of similar length: each bucket gives a batch when it is full, and its rest at the end.

    Args:
        column_names (list): The columns that ``element_length_function`` takes.
        bucket_boundaries (list): Increasing lengths; a row is in the first bucket whose boundary is above its length.
        bucket_batch_sizes (list): The rows of a batch, for each bucket and for the one above all boundaries.
        element_length_function (Callable): The length of a row; None means the length of the only column.
        pad_info (dict): As in ``padded_batch``.
        pad_to_bucket_boundary (bool): If True, a length of None in a shape of ``pad_info`` means the bucket's boundary
            less 1; a shape of None, and the bucket above all boundaries, take the largest of the batch.
        drop_remainder (bool): If True, smaller last batches are dropped.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the boundaries do not increase, or the numbers of boundaries and sizes do not fit.
    """
    return BucketBatchByLengthDataset(
        self,
        column_names,
        bucket_boundaries,
        bucket_batch_sizes,
        element_length_function,
        pad_info,
        pad_to_bucket_boundary,
        drop_remainder,
    )


class BatchInfo:
    """The batch that a function works on: its number in the epoch, and the epoch's number, both from 0.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(4), ["x"], shuffle=False)
        >>> data = data.batch(2, per_batch_map=lambda rows, info: ([x + 10 * info.get_batch_num() for x in rows],))
        >>> print([x.asnumpy().tolist() for (x,) in data])
        [[0, 1], [12, 13]]
    """

    def __init__(self, batch_num, epoch_num) -> None:
        self._batch_num, self._epoch_num = batch_num, epoch_num

    def get_batch_num(self) -> Any:
        """The number of the batch in its epoch."""
        return self._batch_num

    def get_epoch_num(self) -> Any:
        """The number of the epoch."""
        return self._epoch_num


class BatchDataset(OverRows):
    """Each ``batch_size`` rows stacked; its items are rows.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(5), ["x"], shuffle=False).batch(2, drop_remainder=True)
        >>> print(type(data).__name__, [x.asnumpy().tolist() for (x,) in data])
        BatchDataset [[0, 1], [2, 3]]
    """

    name = "batch"

    def __init__(
        self,
        child,
        batch_size,
        drop_remainder: bool = False,
        num_parallel_workers=None,
        per_batch_map=None,
        input_columns=None,
        output_columns=None,
        python_multiprocessing: bool = False,
    ) -> None:
        if is_int(batch_size) or not callable(batch_size):
            check_count(self.name, "batch_size", batch_size, 1)
        if not isinstance(drop_remainder, bool):
            raise type_error(self.name, "the 'drop_remainder' must be a bool", type(drop_remainder).__name__)
        super().__init__(child)
        self.batch_size, self.drop_remainder = batch_size, drop_remainder
        self.workers = check_workers(self.name, num_parallel_workers)
        self.python_multiprocessing = check_switch(self.name, "python_multiprocessing", python_multiprocessing)
        self._set_map(per_batch_map, input_columns, output_columns)

    def _set_map(self, per_batch_map, input_columns, output_columns):
        self.per_batch_map, known = per_batch_map, self.child.get_col_names()
        if per_batch_map is None:
            if input_columns is not None or output_columns is not None:
                raise value_error("batch", "the 'input_columns' and 'output_columns' must come with a 'per_batch_map'")
            self.names = known
            return
        if not callable(per_batch_map):
            raise type_error("batch", "the 'per_batch_map' must be a function", type(per_batch_map).__name__)
        inputs = known if input_columns is None else check_columns("batch", "input_columns", input_columns, known)
        self.outputs = inputs if output_columns is None else check_names("batch", "output_columns", output_columns)
        self.exchange = Exchange("batch", known, inputs, self.outputs)
        self.names = self.exchange.names

    def _names(self):
        return self.names

    def _items(self, run):
        def work(numbered):
            info, chunk = numbered
            with draws.drawing_from(run.seed, run.epoch, self.depth, info.get_batch_num()):
                return self._joined(chunk, info)

        seed = (run.seed, run.epoch, self.depth)
        return ordered(work, self._chunks(run), self.workers, self.python_multiprocessing, seed)

    def _chunks(self, run):
        """The items of each batch, with its number."""
        items = iter(self.child._items(run))
        for number in itertools.count():
            info = BatchInfo(number, run.epoch)
            size = self._size(info)
            chunk = list(itertools.islice(items, size))
            if not chunk:
                return
            if self.drop_remainder and len(chunk) < size:
                return self._check_some(number, len(chunk))
            yield info, chunk

    def _size(self, info):
        if not callable(self.batch_size):
            return self.batch_size
        size = called(self.name, "batch_size", self.batch_size, (info,), info.get_batch_num())
        check_count(self.name, "batch_size", size, 1)
        return size

    def _check_some(self, batches, rows):
        """Raise ValueError if there is no batch: training on none would be silent."""
        if not batches:
            expected = f"with 'drop_remainder' the 'batch_size' must be at most the number of rows, {rows}"
            raise value_error(self.name, expected, self.batch_size)

    def _joined(self, chunk, info):
        """The columns of one batch."""
        if self.per_batch_map is None:
            return self.child._gather(chunk)
        rows = [self.child._row(item) for item in chunk]
        lists = [list(column) for column in zip(*rows, strict=True)]
        values = (*self.exchange.inputs_of(lists), info)
        answer = called("batch", "per_batch_map", self.per_batch_map, values, info.get_batch_num())
        if not isinstance(answer, tuple) or len(answer) != len(self.outputs):
            got = f"{len(answer)} of them" if isinstance(answer, tuple) else type(answer).__name__
            raise value_error("batch", f"the 'per_batch_map' must return a tuple of {len(self.outputs)} columns", got)
        return self._stacked(self.exchange.row(lists, answer), len(chunk))

    def _stacked(self, columns, size):
        return tuple(
            column if isinstance(column, np.ndarray) else stack_column("batch", name, self._checked(column, size))
            for name, column in zip(self.names, columns, strict=True)
        )

    @staticmethod
    def _checked(column, size):
        if not isinstance(column, list | tuple) or len(column) != size:
            got = len(column) if isinstance(column, list | tuple) else type(column).__name__
            raise value_error("batch", f"a column of 'per_batch_map' must be an array or a list of {size} rows", got)
        return column

    def get_dataset_size(self) -> Any:
        if callable(self.batch_size):
            return sum(1 for _ in self._items_alone())
        size = self.child.get_dataset_size() / self.batch_size
        return math.floor(size) if self.drop_remainder else math.ceil(size)

    def _items_alone(self):
        left = self.child.get_dataset_size()
        for number in itertools.count():
            size = self._size(BatchInfo(number, 0))
            if left <= 0 or (self.drop_remainder and left < size):
                return
            left -= size
            yield size

    def get_batch_size(self) -> Any:
        return -1 if callable(self.batch_size) else self.batch_size


class PaddedBatchDataset(BatchDataset):
    """Each ``batch_size`` rows padded to one shape and stacked.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> rows = [(np.ones(n, np.int32),) for n in (1, 3)]
        >>> data = dataset.GeneratorDataset(rows, ["x"], shuffle=False).padded_batch(2, pad_info={"x": ([4], 0)})
        >>> print(next(iter(data))[0].asnumpy())
        [[1 0 0 0]
         [1 1 1 0]]
    """

    name = "padded_batch"

    def __init__(
        self, child, batch_size, drop_remainder: bool = False, num_parallel_workers=None, pad_info=None
    ) -> None:
        super().__init__(child, batch_size, drop_remainder, num_parallel_workers)
        self.padding = Padding(self.name, self.names, pad_info)

    def _joined(self, chunk, info):
        return self.padding.stacked([self.child._row(item) for item in chunk])


class BucketBatchByLengthDataset(OverRows):
    """Rows of similar length, padded and stacked.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> rows = [(np.ones(n, np.int32),) for n in (1, 4, 2, 5)]
        >>> data = dataset.GeneratorDataset(rows, ["x"], shuffle=False)
        >>> data = data.bucket_batch_by_length(["x"], [3], [2, 2], pad_info={"x": ([None], 0)})
        >>> print([x.asnumpy().tolist() for (x,) in data])
        [[[1, 0], [1, 1]], [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]]
    """

    def __init__(
        self, child, columns, boundaries, sizes, length=None, pad_info=None, to_boundary=False, drop=False
    ) -> None:
        super().__init__(child)
        name, known = "bucket_batch_by_length", child.get_col_names()
        self.columns = check_columns(name, "column_names", columns, known)
        if length is None and len(self.columns) != 1:
            expected = "the 'column_names' must be one name unless there is an 'element_length_function'"
            raise value_error(name, expected, self.columns)
        if length is not None and not callable(length):
            raise type_error(name, "the 'element_length_function' must be a function", type(length).__name__)
        self.length, self.places = length, [known.index(column) for column in self.columns]
        self.boundaries = self._ints(name, "bucket_boundaries", boundaries)
        self.sizes = self._ints(name, "bucket_batch_sizes", sizes)
        if self.boundaries != sorted(set(self.boundaries)):
            raise value_error(name, "the 'bucket_boundaries' must increase", shown(boundaries))
        if len(self.sizes) != len(self.boundaries) + 1:
            expected = f"the 'bucket_batch_sizes' must be {len(self.boundaries) + 1}, one more than the boundaries"
            raise value_error(name, expected, len(self.sizes))
        self.padding = Padding(name, known, pad_info)
        self.to_boundary = check_bool(name, "pad_to_bucket_boundary", to_boundary)
        self.drop = check_bool(name, "drop_remainder", drop)

    @staticmethod
    def _ints(name, argument, values):
        if not isinstance(values, list | tuple) or not values:
            raise type_error(name, f"the '{argument}' must be a list of ints", shown(values))
        for value in values:
            check_count(name, argument, value, 1)
        return list(values)

    def _items(self, run):
        buckets = [[] for _ in self.sizes]
        for number, item in enumerate(self.child._items(run)):
            row = self.child._row(item)
            place = int(np.searchsorted(self.boundaries, self._length(row, number), side="right"))
            buckets[place].append(row)
            if len(buckets[place]) == self.sizes[place]:
                yield self._joined(buckets, place)
        for place, rows in enumerate(buckets):
            if rows and not self.drop:
                yield self._joined(buckets, place)

    def _length(self, row, number):
        values = [row[i] for i in self.places]
        if self.length is None:
            return values[0].shape[0] if values[0].ndim else 1
        return int(called("bucket_batch_by_length", "element_length_function", self.length, values, number))

    def _joined(self, buckets, place):
        rows, buckets[place] = buckets[place], []
        bounded = self.to_boundary and place < len(self.boundaries)
        return self.padding.stacked(rows, self.boundaries[place] - 1 if bounded else None)

    def get_dataset_size(self) -> Any:
        return Dataset.get_dataset_size(self)

    def get_batch_size(self) -> Any:
        return 1


class Padding:
    """The padding that ``pad_info`` asks for: the shape and the value of each padded column."""

    def __init__(self, operation, names, pad_info):
        self.operation, self.names = operation, names
        if not isinstance(pad_info, dict | None):
            raise type_error(operation, "the 'pad_info' must be a dict or None", type(pad_info).__name__)
        if pad_info:
            check_columns(operation, "pad_info", list(pad_info), names)
        every = dict.fromkeys(names, (None, None)) if pad_info == {} else pad_info or {}
        self.by_name = {name: self._checked(pair) for name, pair in every.items()}

    def _checked(self, pair):
        operation = self.operation
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], list | tuple | None):
            raise type_error(operation, "the 'pad_info' must map names to pairs of a shape and a value", shown(pair))
        for length in pair[0] or ():
            if length is not None:
                check_count(operation, "pad_info", length, 1)
        return pair

    def stacked(self, rows, longest=None):
        """The columns of padded rows; ``longest`` takes the place of lengths that are None."""
        if not self.by_name:
            return stack(self.names, rows)
        columns = zip(self.names, zip(*rows, strict=True), strict=True)
        return tuple(self._column(name, values, longest) for name, values in columns)

    def _column(self, name, values, longest):
        if name not in self.by_name:
            return stack_column(self.operation, name, values)
        wished, filling = self.by_name[name]
        ranks = {value.ndim for value in values} | ({len(wished)} if wished is not None else set())
        if len(ranks) > 1:
            expected = f"the rows of column '{name}' and its shape in 'pad_info' must have one rank"
            raise value_error(self.operation, expected, sorted(ranks))
        largest = np.max([value.shape for value in values], axis=0).astype(int).tolist()
        asked = [None] * len(largest) if wished is None else [length or longest for length in wished]
        lengths = [most if length is None else length for length, most in zip(asked, largest, strict=True)]
        return _padded(values, lengths, filling)


def _padded(values, lengths, filling):
    """The values, padded or cut to ``lengths``, and stacked."""
    dtype = np.result_type(*values)
    filling = ("" if dtype.kind == "U" else b"" if dtype.kind == "S" else 0) if filling is None else filling
    out = np.empty((len(values), *lengths), dtype)
    out[...] = np.asarray(filling).astype(dtype)
    for number, value in enumerate(values):
        region = tuple(slice(min(a, b)) for a, b in zip(lengths, value.shape, strict=True))
        out[(number, *region)] = value[region]
    return out
