"""Samplers: they choose the rows of an indexed source that a pass reads, and their order.

``_choose(view)`` answers the places of the rows; with a child sampler these are places in the child's answer. The
orders of MindSpore's samplers are the same here where they are fixed; random ones come from the pass's own stream.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minispore.core.checks import check_64_bits, check_bool, check_int, check_text, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.engine.user_code import failed
from minispore.ops.number_checks import check_number
from minispore.ops.object_text import of_arguments

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "IterSampler",
    "PKSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
]


class View(NamedTuple):
    """The rows that a sampler chooses from: ``size`` of them, the pass's streams and, for PKSampler, the labels."""

    size: int
    stream: Any  # () -> the stream of this pass
    shared_stream: Any  # () -> the common stream of all processes of a seed; seed 0 if none is set
    labels: Any  # (name of the column) -> an int for each row


class BuiltinSampler:
    """Base of all samplers: the number of rows to keep, and the child whose rows are chosen from.

    Args:
        num_samples (int): The largest number of rows; None and 0 mean all.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> sampler = dataset.SequentialSampler()
        >>> sampler.add_child(dataset.SubsetSampler([4, 2]))
        >>> print([int(x) for (x,) in dataset.NumpySlicesDataset(np.arange(6), ["x"], sampler=sampler)])
        [4, 2]
    """

    __repr__ = of_arguments

    def __init__(self, num_samples: int | None = None) -> None:
        if num_samples is not None:
            check_int(type(self).__name__, "num_samples", num_samples, 0)
        self.child_sampler, self.num_samples = None, num_samples

    def add_child(self, sampler) -> None:
        """Choose from the rows of ``sampler`` instead of all rows; None does nothing.

        Raises:
            TypeError: If it is not a sampler.
            RuntimeError: If there is a child already.
        """
        if sampler is None:
            return
        if not isinstance(sampler, BuiltinSampler):
            raise type_error("add_child", "the 'sampler' must be a sampler", shown(sampler))
        if self.child_sampler is not None:
            raise runtime_error("add_child", "there must be no child yet: a sampler has at most one")
        self.child_sampler = sampler

    def get_child(self) -> Any:
        """The child sampler, or None."""
        return self.child_sampler

    def get_num_samples(self) -> Any:
        """The number of rows that is known without the data: the smaller of its own and its child's, or None."""
        numbers = [self.num_samples, self.child_sampler.get_num_samples() if self.child_sampler else None]
        return min((n for n in numbers if n is not None), default=None)

    def is_shuffled(self) -> Any:
        """True if the order is random."""
        return self.child_sampler is not None and self.child_sampler.is_shuffled()

    def is_sharded(self) -> Any:
        """True if it deals the rows to several processes."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()

    def places(self, view) -> Any:
        """The rows of one pass, in order, as an array."""
        if self.child_sampler is None:
            return self._kept(view)
        inner = self.child_sampler.places(view)
        labels = lambda column: np.asarray(view.labels(column))[inner]  # noqa: E731
        return inner[self._kept(view._replace(size=len(inner), labels=labels))]

    def _kept(self, view):
        return np.asarray(self._choose(view), np.int64)[: self.num_samples or None]

    def _choose(self, view):
        """The places of the chosen rows, in order."""
        raise NotImplementedError


class SequentialSampler(BuiltinSampler):
    """Rows in their own order, from ``start_index``.

    Args:
        start_index (int): The first row; None means 0.
        num_samples (int): The largest number of rows; None and 0 mean all.

    Raises:
        ValueError: While iterating, if ``start_index`` is not below the number of rows.
        TypeError: If ``start_index`` or ``num_samples`` is not an int.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(
        ...     np.arange(6), ["x"], sampler=dataset.SequentialSampler(start_index=2, num_samples=3)
        ... )
        >>> print([int(x) for (x,) in data])
        [2, 3, 4]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        if start_index is not None:
            check_int("SequentialSampler", "start_index", start_index, 0)
        super().__init__(num_samples)
        self.start_index = start_index

    def _choose(self, view):
        start = self.start_index or 0
        if start and start >= view.size:
            raise value_error("SequentialSampler", f"the 'start_index' must be below {view.size}, the rows", start)
        return np.arange(start, view.size)


class RandomSampler(BuiltinSampler):
    """Rows in random order, new in each pass.

    Args:
        replacement (bool): If True, a row can come several times.
        num_samples (int): The number of rows; None means as many as there are.

    Raises:
        TypeError: If ``replacement`` is not a bool, or ``num_samples`` is not an int.
        ValueError: If ``num_samples`` is below 0.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(4), ["x"], sampler=dataset.RandomSampler())
        >>> print(sorted(int(x) for (x,) in data))
        [0, 1, 2, 3]
    """

    def __init__(self, replacement: bool = False, num_samples: int | None = None) -> None:
        self.replacement = check_bool("RandomSampler", "replacement", replacement)
        super().__init__(num_samples)

    def is_shuffled(self) -> Any:
        return True

    def _choose(self, view):
        if not self.replacement:
            return view.stream().permutation(view.size)
        count = self.num_samples or view.size
        return view.stream().integers(0, view.size, (count,))


class DistributedSampler(BuiltinSampler):
    """Every ``num_shards``-th row, from row ``shard_id``; the last shards wrap around, so that all have one size.

    Args:
        num_shards (int): The number of processes that share the rows.
        shard_id (int): The one that reads here.
        shuffle (bool): If True, the rows are shuffled first, by an order that all processes of one seed share.
        num_samples (int): The largest number of rows; None and 0 mean all.
        offset (int): The shard that gets row 0; the rows are then dealt without wrapping around. -1: as said above.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of its range.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> sampler = dataset.DistributedSampler(num_shards=2, shard_id=1, shuffle=False)
        >>> data = dataset.NumpySlicesDataset(np.arange(6), ["x"], sampler=sampler)
        >>> print([int(x) for (x,) in data])
        [1, 3, 5]
    """

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ) -> None:
        name = "DistributedSampler"
        check_int(name, "num_shards", num_shards, 1)
        check_int(name, "shard_id", shard_id, 0)
        if shard_id >= num_shards:
            raise value_error(name, f"the 'shard_id' must be below 'num_shards', {num_shards}", shard_id)
        self.shuffle = check_bool(name, "shuffle", shuffle)
        self.num_shards, self.shard_id = num_shards, shard_id
        self.set_offset(offset)
        super().__init__(num_samples)

    def set_offset(self, offset) -> None:
        """Have row 0 go to shard ``offset``; -1 lets the shards wrap around instead."""
        self.offset = check_int("DistributedSampler", "offset", offset, -1, self.num_shards + 1)

    def is_shuffled(self) -> Any:
        return self.shuffle

    def is_sharded(self) -> Any:
        return True

    def _choose(self, view):
        order = view.shared_stream().permutation(view.size) if self.shuffle else np.arange(view.size)
        if self.offset == -1:
            turns = np.arange(-(-view.size // self.num_shards))
            return order[(self.shard_id + self.num_shards * turns) % max(view.size, 1)]
        return order[(self.shard_id - self.offset) % self.num_shards :: self.num_shards]


class SubsetSampler(BuiltinSampler):
    """The rows of ``indices``, in their order.

    Args:
        indices (object): Row numbers, or one.
        num_samples (int): The largest number of rows; None and 0 mean all.

    Raises:
        TypeError: If ``indices`` are not ints.
        ValueError: While iterating, if an index is negative or not below the number of rows.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(6), ["x"], sampler=dataset.SubsetSampler([5, 0, 3]))
        >>> print([int(x) for (x,) in data])
        [5, 0, 3]
    """

    def __init__(self, indices: object, num_samples: int | None = None) -> None:
        name = type(self).__name__
        listed = list(indices) if hasattr(indices, "__iter__") else [indices]
        if not all(is_int(i) for i in listed):
            raise type_error(name, "the 'indices' must be ints", shown(indices))
        check_64_bits(name, "indices", listed)
        super().__init__(num_samples)
        self.indices = np.array(listed, np.int64)

    def get_num_samples(self) -> Any:
        return min(len(self.indices), super().get_num_samples() or len(self.indices))

    def _choose(self, view):
        return _checked(type(self).__name__, self.indices, view.size)


def _checked(name, indices, size):
    outside = indices[(indices < 0) | (indices >= size)]
    if len(outside):
        raise value_error(name, f"the indices must be in [0, {size}), the rows", int(outside[0]))
    return indices


class SubsetRandomSampler(SubsetSampler):
    """The rows of ``indices`` in random order, new in each pass.

    Args:
        indices (object): Row numbers, or one.
        num_samples (int): The largest number of rows; None and 0 mean all.

    Raises:
        TypeError: If ``indices`` does not hold ints, or ``num_samples`` is not an int.
        ValueError: If ``num_samples`` is below 0.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(6), ["x"], sampler=dataset.SubsetRandomSampler([1, 3, 5]))
        >>> print(sorted(int(x) for (x,) in data))
        [1, 3, 5]
    """

    def is_shuffled(self) -> Any:
        return True

    def _choose(self, view):
        indices = super()._choose(view)
        return indices[view.stream().permutation(len(indices))]


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn with probabilities in proportion to ``weights``.

    Args:
        weights (list): A number of at least 0 for each row; rows beyond the last weight are not drawn.
        num_samples (int): How many rows are drawn; None means as many as there are.
        replacement (bool): If True, a row can come several times.

    Raises:
        TypeError: If ``weights`` are not numbers.
        ValueError: If there are none, one is negative, or all are 0; while iterating, if a row that is not there has a
            weight, or if fewer rows than asked for can be drawn without replacement.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> sampler = dataset.WeightedRandomSampler([0.0, 0.0, 1.0], num_samples=3)
        >>> data = dataset.NumpySlicesDataset(np.arange(3), ["x"], sampler=sampler)
        >>> print([int(x) for (x,) in data])
        [2, 2, 2]
    """

    def __init__(self, weights: list[Any], num_samples: int | None = None, replacement: bool = True) -> None:
        name = "WeightedRandomSampler"
        listed = list(weights) if isinstance(weights, list | tuple | np.ndarray) else [weights]
        for weight in listed:
            check_number(name, "weights", weight)
        if not listed or min(listed) < 0 or not 0 < sum(listed) < np.inf:
            raise value_error(name, "the 'weights' must be at least 0 and finite, and not all 0", shown(weights))
        self.replacement = check_bool(name, "replacement", replacement)
        super().__init__(num_samples)
        self.weights = listed

    def is_shuffled(self) -> Any:
        return True

    def _choose(self, view):
        weights = np.array(self.weights, np.float64)
        if len(weights) > view.size:
            expected = f"the 'weights' must be at most {view.size}, the rows"
            raise value_error("WeightedRandomSampler", expected, len(weights))
        count = self.num_samples or view.size
        if self.replacement:
            bounds = np.cumsum(weights)
            return np.searchsorted(bounds / bounds[-1], view.stream().uniform((count,)), side="right")
        return self._without_replacement(weights, count, view.stream())

    @staticmethod
    def _without_replacement(weights, count, stream):
        """The rows of the smallest arrival times, exponential with the weights as rates; rows of weight 0 come last."""
        if count > len(weights):
            expected = f"the 'num_samples' must be at most {len(weights)}, the weights, without replacement"
            raise value_error("WeightedRandomSampler", expected, count)
        with np.errstate(divide="ignore"):
            arrivals = -np.log(stream.open_uniform((len(weights),))) / weights
        return np.argsort(arrivals, kind="stable")[:count]


class PKSampler(BuiltinSampler):
    """``num_val`` rows of each class, class after class.

    Args:
        num_val (int): The rows of each class.
        num_class (int): Not supported, as in MindSpore; None.
        shuffle (bool): If True, the classes come in random order.
        class_column (str): The column of the labels.
        num_samples (int): The largest number of rows in all; None means all.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of its range; while iterating, if the source has no labels.
        NotImplementedError: If ``num_class`` is given.

    Examples:
        >>> from minispore import dataset
        >>> sampler = dataset.PKSampler(num_val=2)
        >>> data = dataset.MnistDataset(dataset.embedded_fashion_mnist_dir(), "test", sampler=sampler)
        >>> print([int(label) for _, label in data])
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ) -> None:
        check_int("PKSampler", "num_val", num_val, 1)
        if num_class is not None:
            raise NotImplementedError("For 'PKSampler', the 'num_class' must be None: all classes are read.")
        self.num_val, self.shuffle = num_val, check_bool("PKSampler", "shuffle", shuffle)
        self.class_column = check_text("PKSampler", "class_column", class_column)
        super().__init__(num_samples)

    def is_shuffled(self) -> Any:
        return self.shuffle or super().is_shuffled()

    def _choose(self, view):
        labels = np.asarray(view.labels(self.class_column))
        classes, stream = np.unique(labels), view.stream()
        if self.shuffle:
            classes = classes[stream.permutation(len(classes))]
        drawn = [self._of_class(np.flatnonzero(labels == label), stream) for label in classes]
        return np.concatenate(drawn) if drawn else np.arange(0)

    def _of_class(self, rows, stream):
        """``num_val`` random rows of one class; a class with fewer rows gives them several times."""
        if len(rows) >= self.num_val:
            return rows[stream.permutation(len(rows))[: self.num_val]]
        return rows[stream.integers(0, len(rows), (self.num_val,))]


class Sampler(BuiltinSampler):
    """Base of a user's sampler, whose ``__iter__`` yields row numbers; ``self.dataset_size`` is the number of rows.

    Args:
        num_samples (int): The largest number of rows; None means all that are yielded.

    Examples:
        >>> from minispore import dataset as ds
        >>> class Backwards(ds.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
        >>> [int(x) for (x,) in ds.NumpySlicesDataset([1, 2, 3], sampler=Backwards())]
        [3, 2, 1]
    """

    def __init__(self, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.dataset_size = 0

    def __iter__(self) -> Any:
        raise NotImplementedError("For 'Sampler', '__iter__' must be defined: it yields row numbers.")

    def reset(self) -> Any:
        """Called by users; each pass calls ``__iter__`` anew, so that there is nothing to reset."""

    def _choose(self, view):
        self.dataset_size = view.size
        return _checked(type(self).__name__, self._listed(), view.size)

    def _listed(self):
        places, most = [], self.get_num_samples()  # a child's bound holds for its parent too
        try:
            for place in self:
                if most and len(places) == most:
                    break
                places.append(int(place))
        except NotImplementedError:
            raise
        except Exception as error:
            raise failed(type(self).__name__, "sampler", type(self).__iter__, len(places), error) from error
        return np.array(places, np.int64)


class IterSampler(Sampler):
    """The row numbers of any iterable.

    Args:
        sampler (object): An iterable of row numbers.
        num_samples (int): The largest number of rows; None means all.

    Raises:
        TypeError: If ``num_samples`` is not an int.
        ValueError: If ``num_samples`` is below 0.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(6), ["x"], sampler=dataset.IterSampler([4, 2]))
        >>> print([int(x) for (x,) in data])
        [4, 2]
    """

    def __init__(self, sampler: object, num_samples: int | None = None) -> None:
        if not hasattr(sampler, "__iter__"):
            raise type_error("IterSampler", "the 'sampler' must be iterable", type(sampler).__name__)
        if num_samples is None and hasattr(sampler, "__len__"):
            num_samples = len(sampler)
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self) -> Any:
        return iter(self.sampler)


def chosen(operation, num_samples, sampler, shuffle, num_shards, shard_id):
    """The sampler that a source's arguments mean; those that contradict one another are refused."""
    if num_samples is not None:
        check_int(operation, "num_samples", num_samples, 0)
    if shuffle is not None and not isinstance(shuffle, bool):
        raise type_error(operation, "the 'shuffle' must be a bool or None", type(shuffle).__name__)
    if (num_shards is None) != (shard_id is None):
        raise value_error(operation, "'num_shards' and 'shard_id' must be given together", (num_shards, shard_id))
    if sampler is not None:
        others = {"num_samples": num_samples, "shuffle": shuffle, "num_shards": num_shards}
        given = [f"{name}={value}" for name, value in others.items() if value is not None]
        if given:
            raise value_error(operation, "the 'sampler' must be given without other ways to choose rows", given)
        return as_sampler(operation, sampler)
    if num_shards is not None:
        check_int(operation, "num_shards", num_shards, 1)
        check_int(operation, "shard_id", shard_id, 0)
        if shard_id >= num_shards:
            raise value_error(operation, f"the 'shard_id' must be below 'num_shards', {num_shards}", shard_id)
        return DistributedSampler(num_shards, shard_id, shuffle is not False, num_samples)
    return SequentialSampler(num_samples=num_samples) if shuffle is False else RandomSampler(num_samples=num_samples)


def as_sampler(operation, sampler):
    """A sampler, or the one that yields the row numbers of another iterable."""
    if isinstance(sampler, BuiltinSampler):
        return sampler
    if hasattr(sampler, "__iter__"):
        return IterSampler(sampler)
    raise type_error(operation, "the 'sampler' must be a sampler or an iterable of row numbers", type(sampler).__name__)
