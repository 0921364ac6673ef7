"""DatasetHelper and data_sink: passes over a data set, row by row, as training loops need them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from minispore.core.checks import check_bool, check_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.nn.wrap import check_cell
from minispore.ops.object_checks import check_callable
from minispore.ops.object_text import of_arguments

__all__ = ["DatasetHelper", "connect_network_with_dataset", "data_sink"]

_log = logging.getLogger("minispore.log")


def check_dataset(operation, argument, dataset):
    """``dataset``, which must be a data set: it has a size, and iterators over tuples."""
    if not all(hasattr(dataset, name) for name in ("get_dataset_size", "create_tuple_iterator")):
        raise type_error(operation, f"the '{argument}' must be a Dataset", shown(dataset))
    return dataset


def check_sink_size(operation, sink_size):
    """``sink_size``, -1 for the size of the data set or a number of steps above 0."""
    if check_int(operation, "sink_size", sink_size) < 1 and sink_size != -1:
        raise value_error(operation, "the 'sink_size' must be -1 or above 0", sink_size)
    return sink_size


def one_pass(dataset, rows, what):
    """The rows of one pass over a data set; after it a data set of a user's own class is asked to begin anew.

    MindSpore calls its ``reset()`` at the end of each epoch. The log reports a pass without rows.

    Args:
        dataset (Dataset): The data.
        rows (Iterable): The iterator that it has made.
        what (str): Name of the data, for a warning.
    """
    count, reset = 0, getattr(dataset, "reset", None)
    try:
        for row in rows:
            count += 1
            yield row
    finally:
        if callable(reset):
            reset()
    if not count:
        _log.warning("There were no rows in %s: a data set must give its rows anew in each, after 'reset()'.", what)


class DatasetHelper:
    """Passes over a data set: each ``for`` over it is the next epoch's, and gives lists of Tensors.

    Args:
        dataset (Dataset): The data.
        dataset_sink_mode (bool): Whether ``connect_network_with_dataset`` may hand the network its data. Rows are given
            one after the other in either mode: there is no device queue here. Default: True.
        sink_size (int): What :meth:`sink_size` returns; -1 for the number of rows. Default: -1.
        epoch_num (int): The number of passes; -1 for no limit. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``sink_size`` or ``epoch_num`` is neither -1 nor above 0.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset, train
        >>> helper = train.DatasetHelper(dataset.NumpySlicesDataset({"x": np.arange(4)}).batch(2), False)
        >>> [row[0].shape for row in helper]
        [(2,), (2,)]
    """

    __repr__ = of_arguments

    def __init__(self, dataset, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1) -> None:
        self._dataset = check_dataset("DatasetHelper", "dataset", dataset)
        self._sinks = check_bool("DatasetHelper", "dataset_sink_mode", dataset_sink_mode)
        self._sink_size = check_sink_size("DatasetHelper", sink_size)
        if check_int("DatasetHelper", "epoch_num", epoch_num) < 1 and epoch_num != -1:
            raise value_error("DatasetHelper", "the 'epoch_num' must be -1 or above 0", epoch_num)
        self.iter = dataset.create_tuple_iterator(num_epochs=epoch_num)

    def __iter__(self) -> Any:
        return iter(self.iter)

    def sink_size(self) -> Any:
        """The number of steps of one pass: the argument ``sink_size``, or else the number of rows."""
        return self._dataset.get_dataset_size() if self._sink_size == -1 else self._sink_size

    def types_shapes(self) -> Any:
        """The types and the shapes of the columns, as two lists."""
        return self._dataset.output_types(), self._dataset.output_shapes()

    def get_data_info(self) -> Any:
        """The types and the shapes of the columns, as two lists."""
        return self.types_shapes()

    def stop_send(self) -> Any:
        """Nothing: no rows are sent ahead."""

    def continue_send(self) -> Any:
        """Nothing: no rows are sent ahead."""

    def release(self) -> Any:
        """Nothing: no rows are held."""


def connect_network_with_dataset(network, dataset_helper) -> Any:
    """The network itself: a call with the rows of ``dataset_helper`` is a step on them.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: If the helper is not in sink mode.

    Examples:
        >>> import minispore as ms
        >>> from minispore.training.train.data_helper import DatasetHelper
        >>> net = ms.nn.ReLU()
        >>> print(ms.connect_network_with_dataset(net, DatasetHelper(ms.dataset.NumpySlicesDataset([1.0]))) is net)
        True
    """
    operation = "connect_network_with_dataset"
    check_cell(operation, "network", network)
    if not isinstance(dataset_helper, DatasetHelper):
        raise type_error(operation, "the 'dataset_helper' must be a DatasetHelper", shown(dataset_helper))
    if not dataset_helper._sinks:
        raise runtime_error(operation, "the 'dataset_helper' must have been made with dataset_sink_mode=True")
    return network


def data_sink(fn: Callable[..., Any], dataset, sink_size: int = 1, jit_config=None, input_signature=None) -> Any:
    """A function without arguments that calls ``fn`` on the next ``sink_size`` rows, and returns its last result.

    The rows begin anew where the data ends.

    Args:
        fn (Callable): A function of a row's columns, such as a training step.
        dataset (Dataset): The data.
        sink_size (int): The number of rows that each call takes, above 0. Default: 1.
        jit_config (JitConfig): Accepted; ``fn`` runs as it is, under ``ms.jit`` if it has been decorated so.
        input_signature (Union[Tensor, list]): Accepted; ``fn`` runs on every shape.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``sink_size`` is not above 0, or, in a call, the data set has no rows.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset, train
        >>> data = dataset.NumpySlicesDataset({"x": np.arange(4.0)}, shuffle=False)
        >>> step = train.data_sink(lambda x: x + 1, data, sink_size=3)
        >>> float(step()), float(step())
        (3.0, 2.0)
    """
    check_callable("data_sink", "fn", fn)
    check_dataset("data_sink", "dataset", dataset)
    check_int("data_sink", "sink_size", sink_size, low=1)
    rows = _endless(dataset)

    def sink_process():
        for _ in range(sink_size):
            out = fn(*next(rows))
        return out

    return sink_process


def _endless(dataset):
    """The rows of one pass after the other."""
    passes = dataset.create_tuple_iterator(num_epochs=-1)
    while True:
        row = None
        for row in passes:
            yield row
        if row is None:
            raise value_error("data_sink", "the 'dataset' must have rows", "none")
