"""GeneratorDataset: rows from Python, of a function, an iterable, or an object that can be indexed."""

import copy
import itertools
import threading
from collections.abc import Set, ValuesView

from minispore.core.checks import check_switch
from minispore.core.errors import is_own_sentence, runtime_error, type_error, value_error
from minispore.data.dataset import draws
from minispore.data.dataset.engine.dataset import Dataset, check_count, check_workers
from minispore.data.dataset.engine.operations.map import as_array
from minispore.data.dataset.engine.schema import Schema, as_numpy_type
from minispore.data.dataset.engine.sources.indexed import MappableDataset, UnionBaseDataset
from minispore.data.dataset.engine.sources.numpy_slices import checked_names
from minispore.data.dataset.engine.user_code import called, failed
from minispore.data.dataset.engine.workers import ordered

__all__ = ["GeneratorDataset"]


class GeneratorDataset(MappableDataset, UnionBaseDataset):
    """Rows from Python: a function that returns an iterator, an iterable, or an object that can be indexed.

    A generator, or one of Python's own iterators, gives its rows once: they are kept as they are read, for later
    passes.
    An object can be indexed if it has ``__getitem__`` and ``__len__``. A row is a tuple, an iterator or
    another iterable with one value per column; for a single column the value alone is enough.

    Args:
        source: The object. An indexable one is read in a new order every epoch unless ``shuffle=False``; others are
            read in their own order (``.shuffle(buffer_size)`` mixes them).
        column_names: The names of the columns.
        column_types: The types that the values must have; None takes them as they are.
        schema: A :class:`Schema`, or the path of its json file, that says both instead.
        num_samples: The largest number of rows to read.
        num_parallel_workers: How many rows of an indexable source are read at once.
        shuffle: Whether an indexable source is shuffled; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which an indexable source is split.
        shard_id: The part to read.
        python_multiprocessing: Whether several workers are processes (where the system can fork) or threads.
        max_rowsize: Accepted; there is no shared memory to size.

    Raises:
        TypeError: If ``source`` has another type.
        ValueError: If there are no column names, or a source that cannot be indexed has a sampler or shards; while
            iterating, if a row has a wrong number of values.
        RuntimeError: While iterating, if the source raises an error, or gives no rows after a pass that had some.
        FileNotFoundError: If ``schema`` names no file.

    Examples:
        >>> from minispore.dataset import GeneratorDataset
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
        name = type(self).__name__
        self.column_names, self.types = _described(name, column_names, column_types, schema)
        check_count(name, "max_rowsize", max_rowsize, 1, also=(-1,))
        self.python_multiprocessing = check_switch(name, "python_multiprocessing", python_multiprocessing)
        self.workers = check_workers(name, num_parallel_workers)
        self.source, indexable = source, _is_indexable(source)
        self.open, self._has_given = None if indexable else _opener(source), False
        for argument, value in (("sampler", sampler), ("num_shards", num_shards)):
            if value is not None and not indexable:
                raise value_error(name, f"the 'source' must have __getitem__ and __len__ for a '{argument}'")
        size = len(source) if indexable else None
        super().__init__(size, num_samples, shuffle, sampler, num_shards, shard_id)

    def _items(self, run):
        if self.open is not None:
            return itertools.islice(self._opened(), self.sampler.num_samples or None)
        if self.workers == 1:
            return super()._items(run)

        def work(numbered):
            number, item = numbered
            with draws.drawing_from(run.seed, run.epoch, self.depth, number):
                return self._read(item)

        seed = (run.seed, run.epoch, self.depth)
        return ordered(work, enumerate(super()._items(run)), self.workers, self.python_multiprocessing, seed)

    def _opened(self):
        """The rows of a source that cannot be indexed."""
        number = 0
        try:
            for row in self.open():
                self._has_given = True
                yield self._columns(row)
                number += 1
            if not number and self._has_given:
                expected = "the 'source' must give its rows anew in each pass"
                raise runtime_error("GeneratorDataset", expected, "an iterator that is used up")
        except (TypeError, ValueError, RuntimeError) as error:
            if is_own_sentence(error):
                raise
            raise failed("GeneratorDataset", "source", self.source, number, error) from error
        except Exception as error:
            raise failed("GeneratorDataset", "source", self.source, number, error) from error

    def _row(self, item):
        return item if isinstance(item, tuple) else self._read(item)

    def _read(self, item):
        return self._columns(called("GeneratorDataset", "source", self.source.__getitem__, (item,), item))

    def _columns(self, row):
        names = self.column_names
        values = _values(row, len(names))
        if len(values) != len(names):
            raise value_error("GeneratorDataset", f"a row must have {len(names)} values", len(values))
        arrays = tuple(as_array("GeneratorDataset", "source", value) for value in values)
        return arrays if self.types is None else self._checked(arrays)

    def _checked(self, arrays):
        for name, array, wished in zip(self.column_names, arrays, self.types, strict=True):
            if array.dtype.kind not in "US" and array.dtype != wished:
                raise type_error("GeneratorDataset", f"the values of column '{name}' must be {wished}", array.dtype)
        return arrays

    def _names(self):
        return self.column_names

    def is_shuffled(self):
        return self.open is None and super().is_shuffled()

    def _part(self, places, run):
        return super()._part(places, run) if self.open is None else Dataset._part(self, places, run)

    def get_dataset_size(self):
        """The number of rows of one pass; a source without a length is read once to count them."""
        return super().get_dataset_size() if self.open is None else Dataset.get_dataset_size(self)


def _values(row, count):
    """The values of a row of ``count`` columns: an iterable, such as a map, holds them, unless it is itself a value.

    A list of one value is a row of one column; a longer one is the value of that column.
    """
    if isinstance(row, list):
        return tuple(row) if count > 1 or len(row) == 1 else (row,)
    holds = isinstance(row, tuple) or hasattr(row, "__next__")
    return tuple(row) if holds or (count > 1 and isinstance(row, (range, Set, ValuesView))) else (row,)


class _Kept:
    """The rows of an iterator that gives them once: read when they are asked for first, and kept for later passes."""

    def __init__(self, source):
        self._source, self._rows, self._error, self._lock = source, [], None, threading.Lock()

    def __iter__(self):
        for place in itertools.count():
            with self._lock:
                if place == len(self._rows) and not self._read():
                    return
                row = self._rows[place]
            yield copy.deepcopy(row)  # whoever gets it may write into it

    def _read(self):
        """Read one more row; whether there is one. A generator that has raised an error does so in each pass."""
        if self._error is not None:
            raise self._error
        try:
            self._rows.append(next(self._source))
        except StopIteration:
            return False
        except Exception as error:
            self._error = error
            raise
        return True


def _described(name, column_names, column_types, schema):
    """The names of the columns, and their types or None, from the arguments or from a schema."""
    if schema is not None:
        schema = schema if isinstance(schema, Schema) else Schema(schema)
        return schema.names(), schema.types()
    if column_names is None:
        raise value_error(name, "the 'column_names' must not be empty")
    names = checked_names(name, column_names)
    if column_types is None:
        return names, None
    listed = column_types if isinstance(column_types, list | tuple) else [column_types]
    if len(listed) != len(names):
        raise value_error(name, f"the 'column_types' must be {len(names)} types", len(listed))
    return names, [as_numpy_type(name, kind) for kind in listed]


def _is_indexable(source):
    return hasattr(source, "__getitem__") and hasattr(source, "__len__")


def _opener(source):
    """The function that starts a pass over a source without indices."""
    if hasattr(source, "__next__") and type(source).__module__ in ("builtins", "itertools"):
        kept = _Kept(source)
        return lambda: iter(kept)
    if hasattr(source, "__iter__"):
        return lambda: iter(source)
    if callable(source):
        return lambda: iter(source())
    raise type_error("GeneratorDataset", "the 'source' must be callable, iterable or indexable", type(source).__name__)
