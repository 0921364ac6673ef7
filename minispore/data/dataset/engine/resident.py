"""Batches that a GPU gathers by itself: the rows lie in its memory, and the host sends their order once in a while.

The rows are the same as from the data set's own iterator, bit for bit. Two copies of the pipeline are made. One is
without the operations that change rows: its items are the rows' numbers. The other is without those that order them:
its rows, each once, are sent to the GPU.
"""

import copy
import itertools
import logging

import numpy as np

from minispore.core import backend
from minispore.core.tensor import Tensor, wrap
from minispore.data.dataset import draws
from minispore.data.dataset.engine.dataset import Pass
from minispore.data.dataset.engine.iterators import TupleIterator
from minispore.data.dataset.engine.operations.batch import BatchDataset
from minispore.data.dataset.engine.operations.columns import ProjectDataset, RenameDataset
from minispore.data.dataset.engine.operations.map import MapDataset
from minispore.data.dataset.engine.operations.order import RepeatDataset, ShuffleDataset, SkipDataset, TakeDataset
from minispore.data.dataset.engine.operations.rows import SplitDataset
from minispore.data.dataset.engine.samplers import SequentialSampler
from minispore.data.dataset.engine.sources.indexed import ArraysDataset

__all__ = ["sunk_iterator"]

_ORDERS = (ShuffleDataset, TakeDataset, SkipDataset, RepeatDataset, SplitDataset)
_CHANGES = (MapDataset, ProjectDataset, RenameDataset)
_AHEAD = 512  # batches whose order is sent at once
_SHARE = 4  # the rows may take one in so many bytes of the device's free memory


class _UnsuitableError(Exception):
    """The reason why a pipeline's rows cannot stay on a GPU."""


def sunk_iterator(dataset, num_epochs):
    """A tuple iterator over batches that a GPU gathers; if that is not possible, the data set's own, and a warning."""
    if not hasattr(backend.xp, "cuda") or not hasattr(dataset, "children"):
        return dataset.create_tuple_iterator(num_epochs=num_epochs)
    try:
        return ResidentIterator(dataset, num_epochs)
    except _UnsuitableError as reason:
        logging.getLogger("minispore").warning("The data set is read by the host, though it is to sink: %s.", reason)
        return dataset.create_tuple_iterator(num_epochs=num_epochs)


class ResidentIterator(TupleIterator):
    """Rows as lists of Tensors, gathered on the device."""

    def __init__(self, dataset, num_epochs):
        super().__init__(dataset, None, num_epochs, False, True)
        self._order = _ordering(dataset)
        self._columns = _on_device(_all_rows(dataset))

    def _begin(self):
        super()._begin()  # raises where all epochs have been read; none of it is computed
        return self._batches(Pass(self.seed, self.epoch, self.shared_seed))

    def _batches(self, run):
        chunks = iter(self._order._items(run))
        while ahead := list(itertools.islice(chunks, _AHEAD)):
            numbers = backend.xp.asarray(np.array(list(itertools.chain(*ahead)), np.int64))
            ends = itertools.accumulate(map(len, ahead))
            for chunk, end in zip(ahead, ends, strict=True):
                places = numbers[end - len(chunk) : end]
                yield [backend.xp.take(column, places, axis=0) for column in self._columns]

    def _value(self, array):
        return wrap(array)


def _ordering(dataset):
    """A copy of the pipeline whose items are lists of rows' numbers, one for each batch."""
    kind = type(dataset)
    if kind is BatchDataset and dataset.per_batch_map is None:
        return _with_child(_NumberedBatches, dataset, _numbering(dataset.child))
    if kind in _ORDERS:
        return _with_child(kind, dataset, _ordering(dataset.child))
    raise _UnsuitableError(f"{_kind_of(dataset)} is not a batch of rows, or an order of batches")


class _NumberedBatches(BatchDataset):
    """A batch whose items are the items of the batch's rows."""

    def _items(self, run):
        return (chunk for _, chunk in self._chunks(run))


def _numbering(dataset):
    """A copy of the pipeline below the batch whose items are rows' numbers."""
    kind = type(dataset)
    if kind in _CHANGES:
        return _numbering(dataset.child)
    if kind in _ORDERS:
        return _with_child(kind, dataset, _numbering(dataset.child))
    if not isinstance(dataset, ArraysDataset):
        raise _UnsuitableError(f"{_kind_of(dataset)} does not hold its rows as arrays")
    return dataset


def _with_child(kind, dataset, child):
    """A copy over another child; its depth, which names its random streams, stays."""
    if child is dataset.child and kind is type(dataset):
        return dataset
    made = copy.copy(dataset)
    made.__class__, made.child, made.children = kind, child, (child,)
    return made


def _all_rows(dataset):
    """The columns of all rows, in the order of their numbers, after what changes them."""
    while type(dataset) is not BatchDataset:
        dataset = dataset.child
    rows, begun = _without_orders(dataset.child), draws.streams_begun()
    try:
        columns = rows._gather(list(rows._items(Pass(0, 0))))
    except ValueError as error:  # rows of several shapes, which make batches of several shapes
        raise _UnsuitableError(f"its rows cannot be stacked ({error})") from None
    if draws.streams_begun() != begun:
        raise _UnsuitableError("its transforms draw random numbers on the host")
    return columns


def _without_orders(dataset):
    """A copy of the pipeline below the batch that gives each row once."""
    if type(dataset) in _ORDERS:
        return _without_orders(dataset.child)
    made = copy.copy(dataset)
    if isinstance(dataset, ArraysDataset):
        made.sampler = SequentialSampler()
        return made
    if isinstance(dataset, MapDataset):
        for function in dataset.operations:
            if not _is_ours(function):
                raise _UnsuitableError("a function of the user's own changes its rows, each time anew")
        made.workers, made.python_multiprocessing = 1, False
    made.child = _without_orders(dataset.child)
    made.children = (made.child,)
    return made


def _is_ours(function):
    """True if a transform, and all that it is made of, is this package's."""
    if not type(function).__module__.startswith("minispore.data.dataset."):
        return False
    held = vars(function).values() if hasattr(function, "__dict__") else ()
    parts = [part for value in held for part in (value if isinstance(value, list | tuple) else [value])]
    return all(_is_ours(part) for part in parts if callable(part) and not isinstance(part, type))


def _on_device(columns):
    """The columns in the device's memory, in the types of Tensors."""
    if any(column.dtype.kind not in "biufV" for column in columns):
        raise _UnsuitableError("a column holds neither numbers nor bools")
    size, free = sum(column.nbytes for column in columns), backend.xp.cuda.runtime.memGetInfo()[0]
    if size > free // _SHARE:
        raise _UnsuitableError(f"its rows take {size} bytes of the {free} that the device has free")
    return [Tensor(column).array for column in columns]


def _kind_of(dataset):
    return f"'{type(dataset).__name__}'"
