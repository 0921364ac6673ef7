"""Iterators over a dataset: one ``for`` is one epoch, the next ``for`` over the same iterator the next epoch."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_switch
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.data.dataset import draws
from minispore.ops.list_checks import check_names
from minispore.ops.object_text import of_arguments

__all__ = ["DictIterator", "TupleIterator"]

_HIDDEN = "_meta-"  # prefix of columns that come only if they are asked for, or renamed


class Iterator:
    """Iterates over a dataset epoch by epoch; subclasses define the form of a row."""

    __repr__ = of_arguments

    def __init__(self, dataset, columns, num_epochs, output_numpy, do_copy) -> None:
        if check_int("create_iterator", "num_epochs", num_epochs) < 1 and num_epochs != -1:
            raise value_error("create_iterator", "the 'num_epochs' must be -1 or at least 1", num_epochs)
        output_numpy = check_switch("create_iterator", "output_numpy", output_numpy)
        do_copy = check_switch("create_iterator", "do_copy", do_copy)
        if not hasattr(dataset, "get_col_names"):
            raise type_error("create_iterator", "the 'dataset' must be a dataset", shown(dataset))
        self.dataset, self.num_epochs, self.output_numpy = dataset, num_epochs, output_numpy
        self.names = dataset.get_col_names()
        self.chosen = self._choose(columns)
        seed = draws.seed()
        self.seed = secrets.randbits(32) if seed is None else seed
        self.shared_seed = 0 if seed is None else seed
        self.epoch, self.rows = 0, None

    def _choose(self, columns):
        if columns is None:
            names = [name for name in self.names if not name.startswith(_HIDDEN)]
        else:
            names = check_names("create_iterator", "columns", columns)
        for name in names:
            if name not in self.names:
                raise value_error("create_iterator", f"the 'columns' must be among {self.names}", shown(name))
        return [self.names.index(name) for name in names]

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.rows is None:
            self.rows = self._begin()
        row = next(self.rows, None)
        if row is None:
            self.rows = None
            self.epoch += 1
            raise StopIteration
        return self._present(row)

    def _begin(self):
        if self.epoch == self.num_epochs:
            raise runtime_error(
                "create_iterator", f"no more than the {self.num_epochs} epochs of 'num_epochs' can be read"
            )
        return self.dataset._pass(self.seed, self.epoch, self.shared_seed)

    def stop(self) -> None:
        """End the epoch that is being read, and its workers."""
        self.rows = None

    release = stop

    def _value(self, array):
        if self.output_numpy or np.asarray(array).dtype.kind in "US":
            return np.asarray(array)
        return Tensor(array)

    def _present(self, row):
        raise NotImplementedError


class TupleIterator(Iterator):
    """Rows as lists, in the order of the columns."""

    def _present(self, row):
        return [self._value(row[i]) for i in self.chosen]


class DictIterator(Iterator):
    """Rows as dicts by column name."""

    def _present(self, row):
        return {self.names[i]: self._value(row[i]) for i in self.chosen}
