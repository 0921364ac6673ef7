"""The base of all datasets: columns, rows pass by pass, iterators and the properties of the data.

Every dataset yields *items*. Over arrays (or anything indexable) an item is an index until rows are needed. So
shuffling moves integers, and a batch is one fancy index per column. Otherwise an item is the row, a tuple of arrays.
The operations are methods too; each is put here by its file in ``operations``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minispore.core.checks import check_bool, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset import config
from minispore.data.dataset.engine.iterators import DictIterator, TupleIterator
from minispore.ops.kernels.random_streams import shuffling_stream
from minispore.ops.list_checks import check_names
from minispore.ops.object_text import of_arguments

__all__ = ["Dataset"]

_MOST = 2**31


class Pass(NamedTuple):
    """One pass over the data: its seed, the number of the epoch, and the seed that all processes share."""

    seed: int
    epoch: int
    shared_seed: int = 0

    def stream(self, depth):
        """The random stream of the dataset with ``depth`` datasets under it: reproducible, and new in every epoch."""
        return shuffling_stream(self.seed, depth, self.epoch)

    def shared_stream(self, depth):
        """The like of ``stream`` that processes without a seed have in common."""
        return shuffling_stream(self.shared_seed, depth, self.epoch)


class Dataset:
    """Base of sources and operations: the operations as methods, the iterators, and the properties of the data.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset({"x": np.arange(6)}, shuffle=False).batch(2).repeat(2)
        >>> print(data.get_dataset_size(), data.get_batch_size(), data.get_col_names())
        6 2 ['x']
        >>> for (x,) in data.take(2):
        ...     print(x.asnumpy())
        [0 1]
        [2 3]
    """

    depth = 0  # the number of datasets under this one
    children = ()  # the datasets that this one reads
    input_indexs = ()  # the columns that are the network's inputs; a mark for the user's own use

    # To be defined by each kind of dataset

    __repr__ = of_arguments

    def _items(self, run):
        """The items of one pass."""
        raise NotImplementedError

    def _row(self, item):
        """The columns of one item: a tuple of arrays."""
        return item

    def _gather(self, items):
        """The columns of many items, stacked."""
        return stack(self.get_col_names(), [self._row(item) for item in items])

    def _names(self):
        """The names of the columns."""
        raise NotImplementedError

    def _rows(self, run):
        """The rows of one pass."""
        return map(self._row, self._items(run))

    def _pass(self, seed, epoch, shared_seed):
        """The rows of one epoch under its seeds."""
        return self._rows(Pass(seed, epoch, shared_seed))

    # The user's interface

    def create_tuple_iterator(
        self, columns=None, num_epochs=-1, output_numpy: bool = False, do_copy: bool = True
    ) -> Any:
        """An iterator over lists of Tensors, or of NumPy arrays with ``output_numpy=True``.

        One ``for`` over it is one epoch; the next ``for`` over the same iterator is the next epoch.
        ``num_epochs`` limits their number: 1 or more, or -1 for no limit.
        """
        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def create_dict_iterator(self, num_epochs=-1, output_numpy: bool = False, do_copy: bool = True) -> Any:
        """An iterator over dicts from column name to Tensor, or NumPy array with ``output_numpy=True``."""
        return DictIterator(self, None, num_epochs, output_numpy, do_copy)

    def __iter__(self) -> Any:
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self) -> int:
        return self.get_dataset_size()

    def get_dataset_size(self) -> Any:
        """The number of rows (or batches, after ``batch``) of one pass; where it is not known the rows are counted."""
        return sum(1 for _ in self._items(Pass(0, 0)))

    def get_batch_size(self) -> Any:
        """The number of samples in one row: 1 without ``batch``."""
        return 1

    def get_repeat_count(self) -> Any:
        """The number of times that one pass repeats the data: 1 without ``repeat``, -1 without end."""
        return 1

    def get_col_names(self) -> Any:
        """The names of the columns, in order."""
        return list(self._names())

    def num_classes(self) -> Any:
        """The number of classes of the source's labels, or None."""
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> Any:
        """The numbers of the source's classes by their names; empty without classes."""
        return self.children[0].get_class_indexing() if self.children else {}

    def is_shuffled(self) -> Any:
        """True if the order of the rows is random."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> Any:
        """True if this is one process's part of the rows."""
        return any(child.is_sharded() for child in self.children)

    def output_shapes(self, estimate: bool = False) -> Any:
        """The shape of each column in the first row, as lists; with ``estimate`` None stands for a length that differs.

        With ``estimate`` all rows are read.
        """
        check_bool("output_shapes", "estimate", estimate)
        shapes = [list(column.shape) for column in self._first()]
        if not estimate:
            return shapes
        for row in self._rows(Pass(0, 0)):
            shapes = [_common(known, list(column.shape)) for known, column in zip(shapes, row, strict=True)]
        return shapes

    def output_types(self) -> Any:
        """The NumPy dtype of each column in the first row."""
        return [column.dtype if column.dtype.kind != "U" else np.dtype("<U") for column in self._first()]

    def _first(self):
        for row in self._rows(Pass(0, 0)):
            return row
        raise value_error("output_shapes", "the dataset must have a row", "none")

    def reset(self) -> Any:
        """Nothing: MindSpore's scripts call it before an epoch, and each pass starts anew here."""


def _common(known, shape):
    """A shape with None where two differ; None for both where their ranks do."""
    if known is None or len(known) != len(shape):
        return None
    return [a if a == b else None for a, b in zip(known, shape, strict=True)]


def operation(function):
    """Put an operation's function among the methods of every dataset."""
    setattr(Dataset, function.__name__, function)
    function.__qualname__ = f"Dataset.{function.__name__}"
    return function


class Over(Dataset):
    """A dataset over another one that passes its items on unchanged, in another order or number."""

    def __init__(self, child) -> None:
        check_dataset(type(self).__name__, "dataset", child)
        self.child, self.children = child, (child,)
        self.depth = child.depth + 1

    def _row(self, item):
        return self.child._row(item)

    def _gather(self, items):
        return self.child._gather(items)

    def _names(self):
        return self.child._names()

    def get_dataset_size(self) -> Any:
        return self.child.get_dataset_size()

    def get_batch_size(self) -> Any:
        return self.child.get_batch_size()

    def get_repeat_count(self) -> Any:
        return self.child.get_repeat_count()


class OverRows(Over):
    """A dataset over another one whose items are rows of its own."""

    _row, _gather = Dataset._row, Dataset._gather


def stack(names, rows):
    """Stack rows column by column; the rows must agree in shape."""
    return tuple(
        stack_column("batch", name, column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    )


def stack_column(operation, name, values):
    """The values of one column, stacked; they must agree in shape."""
    values = [np.asarray(value) for value in values]
    shapes = {value.shape for value in values}
    if len(shapes) > 1:
        raise value_error(operation, f"the rows of column '{name}' must have one shape", sorted(shapes))
    return np.stack(values)


def check_dataset(operation, argument, value):
    """``value``, which must be a dataset."""
    if not isinstance(value, Dataset):
        raise type_error(operation, f"the '{argument}' must be a dataset", shown(value))
    return value


def check_count(operation, argument, value, lowest, also=()):
    """Raise unless ``value`` is an int of at least ``lowest`` that fits into 31 bits, or one of ``also``."""
    if not is_int(value):
        raise type_error(operation, f"the '{argument}' must be an int", type(value).__name__)
    if value >= _MOST:
        raise value_error(operation, f"the '{argument}' must be below 2 ** 31", shown(value))
    if value < lowest and value not in also:
        others = "".join(f" or {x}" for x in also)
        raise value_error(operation, f"the '{argument}' must be at least {lowest}{others}", value)


def check_workers(operation, num_parallel_workers):
    """The number of workers for the argument ``num_parallel_workers``."""
    if num_parallel_workers is not None:
        check_count(operation, "num_parallel_workers", num_parallel_workers, 1)
    return config.workers(num_parallel_workers)


def check_columns(operation, argument, columns, known):
    """The list of names for an argument that is a name or several of the ``known`` ones, each once."""
    names = check_names(operation, argument, columns)
    for name in names:
        if name not in known:
            raise value_error(operation, f"the '{argument}' must be among {known}", shown(name))
    if not names or len(set(names)) < len(names):
        raise value_error(operation, f"the '{argument}' must be names that differ from one another", shown(names))
    return names
