"""map: functions applied to the columns of each row."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.data.dataset import draws
from minispore.data.dataset.engine.dataset import OverRows, check_columns, check_count, check_workers, operation
from minispore.data.dataset.engine.user_code import failed, name_of
from minispore.data.dataset.engine.workers import ordered
from minispore.ops.list_checks import check_names

__all__ = ["MapDataset"]


@operation
def map(  # noqa: D417 - ``self`` is the dataset
    self,
    operations,
    input_columns=None,
    output_columns=None,
    column_order=None,
    num_parallel_workers=None,
    *,
    python_multiprocessing=False,
    cache=None,
    callbacks=None,
    max_rowsize=16,
    offload=None,
):
    """Apply functions to the named columns of each row, one after the other.

    Args:
        operations (Callable): A function with one array argument for each of ``input_columns``, or a list of such
            functions.
        input_columns (str): A name or a list of names; None means as many of the first columns as there are: one.
        output_columns (str): New names, one for each array that the last function returns; None means
            ``input_columns``. If there are as many as ``input_columns`` each takes its place; otherwise they come
            first and the other columns after them.
        column_order (list): No longer in MindSpore 2.0; None. ``project`` chooses and orders columns.
        num_parallel_workers (int): How many rows are worked on at once; None takes the setting of ``config``.
        python_multiprocessing (bool): If True, the workers are processes.
        cache (object): Accepted as None alone: there is no cache server.
        callbacks (object): Accepted as None alone.
        max_rowsize (int): Accepted; there is no shared memory to size.
        offload (bool): Accepted; functions run here.

    Raises:
        TypeError: If an operation cannot be called.
        ValueError: If a column is unknown; while iterating, if the number of returned arrays is wrong.
        RuntimeError: While iterating, if an operation raises an error; the function and the row are named.
    """
    if column_order is not None:
        raise value_error("map", "the 'column_order' must be None: call 'project' after 'map' instead", column_order)
    for name, value in (("cache", cache), ("callbacks", callbacks)):
        if value is not None and not (isinstance(value, list) and not value):
            raise value_error("map", f"the '{name}' must be None: there is none here", shown(value))
    check_count("map", "max_rowsize", max_rowsize, 1, also=(-1,))
    if offload is not None:
        check_bool("map", "offload", offload)
    return MapDataset(self, operations, input_columns, output_columns, num_parallel_workers, python_multiprocessing)


class MapDataset(OverRows):
    """Rows with functions applied to the named columns.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(3), ["x"], shuffle=False).map(lambda x: x * 2, ["x"])
        >>> print([int(x) for (x,) in data])
        [0, 2, 4]
    """

    def __init__(
        self,
        child,
        operations,
        input_columns=None,
        output_columns=None,
        num_parallel_workers=None,
        python_multiprocessing: bool = False,
    ) -> None:
        super().__init__(child)
        self.operations = list(operations) if isinstance(operations, list | tuple) else [operations]
        for function in self.operations:
            if not callable(function):
                raise type_error("map", "the 'operations' must be functions", type(function).__name__)
        self.quick = quick_forms(self.operations)
        known = child.get_col_names()
        self.inputs = (
            known[:1] if input_columns is None else check_columns("map", "input_columns", input_columns, known)
        )
        self.outputs = self.inputs if output_columns is None else check_names("map", "output_columns", output_columns)
        self.workers = check_workers("map", num_parallel_workers)
        self.python_multiprocessing = check_bool("map", "python_multiprocessing", python_multiprocessing)
        self.exchange = Exchange("map", known, self.inputs, self.outputs)

    def _names(self):
        return self.exchange.names

    def _items(self, run):
        def work(numbered):
            number, item = numbered
            with draws.drawing_from(run.seed, run.epoch, self.depth, number):
                return self._mapped(self.child._row(item), number)

        numbered = enumerate(self.child._items(run))
        seed = (run.seed, run.epoch, self.depth)
        return ordered(work, numbered, self.workers, self.python_multiprocessing, seed)

    def _mapped(self, row, number):
        values = self.exchange.inputs_of(row)
        for function, quick in self.quick:
            try:
                answer = quick(*values)
            except Exception as error:
                raise failed("map", "operations", function, number, error) from error
            values = answer if isinstance(answer, tuple) else (answer,)
        if len(values) != len(self.outputs):
            raise value_error("map", f"the 'operations' must return {len(self.outputs)} columns", len(values))
        last = name_of(self.operations[-1]) if self.operations else "map"
        return self.exchange.row(row, [as_array("map", last, value) for value in values])


def quick_forms(operations):
    """Each operation with what to call for it: ``_strided`` within a run of own transforms that ends in a layout."""
    found, inside = [], False
    for function in reversed(operations):
        own = type(function).__module__.startswith("minispore.data.dataset.") and hasattr(function, "_strided")
        inside = own and (inside or function._lays_out)
        found.append((function, function._strided if inside else function))
    return found[::-1]


class Exchange:
    """The columns that a function takes, and the places of its results.

    As many outputs as inputs take the inputs' places; otherwise they come first, and the other columns after them.
    """

    def __init__(self, operation, known, inputs, outputs):
        self.taken = [known.index(name) for name in inputs]
        self.others = [i for i in range(len(known)) if i not in self.taken]
        self.in_place = len(outputs) == len(inputs)
        self.names = list(self.row(known, outputs))
        if len(set(self.names)) < len(self.names):
            expected = "the 'output_columns' must differ from one another and from the other columns"
            raise value_error(operation, expected, self.names)

    def inputs_of(self, row):
        """The columns that the function takes."""
        return tuple(row[i] for i in self.taken)

    def row(self, row, outputs):
        """The row with the outputs where they stand."""
        if self.in_place:
            new = dict(zip(self.taken, outputs, strict=True))
            return tuple(new.get(i, column) for i, column in enumerate(row))
        return (*outputs, *(row[i] for i in self.others))


def as_array(operation, function, value):
    """The array of a value that a user's function returned."""
    if type(value) is np.ndarray:
        return value
    if isinstance(value, Tensor):
        return value.asnumpy()
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise value_error(operation, f"'{function}' must return arrays ({error})", shown(value)) from error
    if array.dtype == object:
        raise type_error(operation, f"'{function}' must return arrays, numbers or strings", type(value).__name__)
    return array
