"""Rows left out or made many of: filter, flat_map, split and apply."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset import draws
from minispore.data.dataset.engine.dataset import (
    Dataset,
    Over,
    OverRows,
    Pass,
    check_columns,
    check_count,
    check_workers,
    operation,
)
from minispore.data.dataset.engine.user_code import called, name_of
from minispore.data.dataset.engine.workers import ordered

__all__ = ["FilterDataset", "FlatMapDataset", "SplitDataset"]


@operation
def filter(self, predicate, input_columns=None, num_parallel_workers=None):  # noqa: D417 - ``self`` is the dataset
    """Keep the rows for which ``predicate`` is true.

    Args:
        predicate (Callable): A function of the arrays of ``input_columns``.
        input_columns (str): A name or a list of names; None means all columns.
        num_parallel_workers (int): How many rows are worked on at once; None takes the setting of ``config``.

    Raises:
        TypeError: If ``predicate`` cannot be called.
        ValueError: If a column is unknown.
        RuntimeError: While iterating, if ``predicate`` raises an error or returns neither true nor false.
    """
    return FilterDataset(self, predicate, input_columns, num_parallel_workers)


@operation
def flat_map(self, func):
    """The rows of the datasets that ``func`` returns for the rows of this one, one after the other.

    Raises:
        TypeError: If ``func`` cannot be called; while iterating, if it does not return a dataset.
        RuntimeError: While iterating, if ``func`` raises an error.
    """
    return FlatMapDataset(self, func)


@operation
def apply(self, apply_func):
    """The dataset that ``apply_func`` makes of this one.

    Raises:
        TypeError: If ``apply_func`` cannot be called or does not return a dataset.
    """
    if not callable(apply_func):
        raise type_error("apply", "the 'apply_func' must be a function", type(apply_func).__name__)
    made = apply_func(self)
    if not isinstance(made, Dataset):
        raise type_error("apply", "the 'apply_func' must return a dataset", type(made).__name__)
    return made


@operation
def split(self, sizes, randomize=True):  # noqa: D417 - ``self`` is the dataset
    """Parts of the rows that have no row in common, the same in every epoch.

    Args:
        sizes (list): The numbers of rows, with the sum of all rows, or fractions with the sum 1.
        randomize (bool): If True, rows are dealt to the parts at random, by the seed; otherwise the first part has the
            first rows.

    Raises:
        TypeError: If ``sizes`` is not a list of ints or of floats.
        ValueError: If they do not add up, or a part would be empty.
    """
    check_bool("split", "randomize", randomize)
    total = self.get_dataset_size()
    numbers = _numbers(sizes, total)
    seed = draws.seed() if draws.seed() is not None else secrets.randbits(32)
    order = Pass(seed, 0, seed).stream(self.depth).permutation(total) if randomize else np.arange(total)
    ends = np.cumsum(numbers)
    return [self._part(order[end - n : end], Pass(seed, 0, seed)) for n, end in zip(numbers, ends, strict=True)]


def _part(self, places, run):
    """The rows at some places of a pass, for ``split``; a source of known rows uses a sampler instead."""
    return SplitDataset(self, places, run)


Dataset._part = _part


def _numbers(sizes, total):
    """The numbers of rows for ``sizes``, of ``total`` rows in all."""
    if not isinstance(sizes, list | tuple) or not sizes:
        raise type_error("split", "the 'sizes' must be a list of ints or of floats", shown(sizes))
    if all(isinstance(size, float) for size in sizes):
        return _of_fractions(sizes, total)
    for size in sizes:
        check_count("split", "sizes", size, 1)
    if sum(sizes) != total:
        raise value_error("split", f"the 'sizes' must add up to the number of rows, {total}", sum(sizes))
    return list(sizes)


def _of_fractions(sizes, total):
    """Rounded numbers of rows; the remainder of rounding goes to the first parts that can take or give it."""
    if not all(0 < size <= 1 for size in sizes) or abs(sum(sizes) - 1) > 1e-9:
        raise value_error("split", "the 'sizes' must be fractions above 0 that add up to 1", shown(sizes))
    numbers = [round(size * total) for size in sizes]
    if min(numbers) < 1:
        raise value_error("split", f"each of the 'sizes' must give a row of {total}", min(sizes))
    left = total - sum(numbers)
    for place in range(len(numbers)):
        step = max(left, 1 - numbers[place]) if left < 0 else left
        numbers[place] += step
        left -= step
    return numbers


class FilterDataset(Over):
    """The rows for which a function is true.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(5), ["x"], shuffle=False).filter(lambda x: x % 2 == 0, ["x"])
        >>> print([int(x) for (x,) in data])
        [0, 2, 4]
    """

    def __init__(self, child, predicate, input_columns=None, num_parallel_workers=None) -> None:
        super().__init__(child)
        if not callable(predicate):
            raise type_error("filter", "the 'predicate' must be a function", type(predicate).__name__)
        known = child.get_col_names()
        names = known if input_columns is None else check_columns("filter", "input_columns", input_columns, known)
        self.predicate, self.places = predicate, [known.index(name) for name in names]
        self.workers = check_workers("filter", num_parallel_workers)

    def _items(self, run):
        def work(numbered):
            number, item = numbered
            return self._keeps(self.child._row(item), number), item

        marked = ordered(work, enumerate(self.child._items(run)), self.workers)
        return (item for kept, item in marked if kept)

    def _keeps(self, row, number):
        answer = called("filter", "predicate", self.predicate, [row[i] for i in self.places], number)
        if np.size(answer) != 1:
            expected = f"the 'predicate' must return a bool, as '{name_of(self.predicate)}' must on row {number}"
            raise value_error("filter", expected, shown(answer))
        return bool(answer)

    def get_dataset_size(self) -> Any:
        return Dataset.get_dataset_size(self)


class FlatMapDataset(OverRows):
    """The rows of the datasets that a function makes of rows."""

    def __init__(self, child, func):
        super().__init__(child)
        if not callable(func):
            raise type_error("flat_map", "the 'func' must be a function", type(func).__name__)
        self.func = func

    def _made(self, run):
        for number, item in enumerate(self.child._items(run)):
            made = called("flat_map", "func", self.func, self.child._row(item), number)
            if not isinstance(made, Dataset):
                raise type_error("flat_map", "the 'func' must return a dataset", type(made).__name__)
            yield made

    def _items(self, run):
        for made in self._made(run):
            yield from made._rows(run)

    def _names(self):
        for made in self._made(Pass(0, 0)):
            return made._names()
        raise value_error("flat_map", "there must be a row to ask 'func' for the names of the columns", "none")

    def get_dataset_size(self):
        return Dataset.get_dataset_size(self)


class SplitDataset(Over):
    """The rows at some places of the child's pass number 0 under a seed, the same in every epoch."""

    def __init__(self, child, places, run):
        super().__init__(child)
        self.places, self.run = places, run

    def _items(self, run):
        items = list(self.child._items(self.run))
        return (items[place] for place in self.places)

    def get_dataset_size(self):
        return len(self.places)
