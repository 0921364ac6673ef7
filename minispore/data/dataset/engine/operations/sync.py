"""sync_wait and device_que: what ties a pipeline to a training step and to a device."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_text
from minispore.core.errors import type_error, value_error
from minispore.data.dataset.engine.dataset import Over, check_count, operation

__all__ = ["SyncWaitDataset", "TransferDataset"]


@operation
def sync_wait(self, condition_name, num_batch=1, callback=None):  # noqa: D417 - ``self`` is the dataset
    """Let ``sync_update`` call ``callback`` between steps, so that functions of the pipeline follow the training.

    MindSpore holds its pipeline back until ``sync_update`` is called. Here rows are made when they are asked for; there
    is nothing to hold back.

    Args:
        condition_name (str): The name that ``sync_update`` is called with.
        num_batch (int): The number of batches between two updates.
        callback (Callable): Called with the data of ``sync_update``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``num_batch`` is below 1, or the name is taken by another ``sync_wait``.
    """
    return SyncWaitDataset(self, condition_name, num_batch, callback)


@operation
def sync_update(self, condition_name, num_batch=None, data=None):
    """Call the callback of the ``sync_wait`` of that name with ``data``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If there is no such name, or ``num_batch`` is below 1.
    """
    check_text("sync_update", "condition_name", condition_name)
    if num_batch is not None:
        check_count("sync_update", "num_batch", num_batch, 1)
    found = _conditions(self)
    if condition_name not in found:
        raise value_error("sync_update", f"the 'condition_name' must be among {list(found)}", f"'{condition_name}'")
    if found[condition_name] is not None:
        found[condition_name](data)


@operation
def disable_sync(self):
    """Called by MindSpore's scripts to let a held pipeline go; none is held here."""


@operation
def device_que(self, send_epoch_end=True, create_data_info_queue=False):
    """The same rows: MindSpore puts them into a device's queue, here they stay in memory.

    Raises:
        TypeError: If an argument is not a bool.
    """
    check_bool("device_que", "send_epoch_end", send_epoch_end)
    check_bool("device_que", "create_data_info_queue", create_data_info_queue)
    return TransferDataset(self)


def _conditions(dataset):
    """The callbacks of the ``sync_wait`` of a pipeline by name."""
    found = {name: callback for child in dataset.children for name, callback in _conditions(child).items()}
    if isinstance(dataset, SyncWaitDataset):
        found[dataset.condition_name] = dataset.callback
    return found


class SyncWaitDataset(Over):
    """The same rows, with a callback for ``sync_update``.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(3), ["x"], shuffle=False).sync_wait("go", num_batch=1)
        >>> found = []
        >>> for (x,) in data:
        ...     found.append(int(x))
        ...     data.sync_update("go")
        >>> print(found)
        [0, 1, 2]
    """

    def __init__(self, child, condition_name, num_batch=1, callback=None) -> None:
        super().__init__(child)
        check_text("sync_wait", "condition_name", condition_name)
        check_count("sync_wait", "num_batch", num_batch, 1)
        if callback is not None and not callable(callback):
            raise type_error("sync_wait", "the 'callback' must be a function or None", type(callback).__name__)
        if condition_name in _conditions(child):
            raise value_error("sync_wait", "the 'condition_name' must be new to the pipeline", f"'{condition_name}'")
        self.condition_name, self.num_batch, self.callback = condition_name, num_batch, callback

    def _items(self, run):
        return self.child._items(run)


class TransferDataset(Over):
    """The same rows, which MindSpore would send to a device.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(3), ["x"], shuffle=False).device_que()
        >>> print([int(x) for (x,) in data])
        [0, 1, 2]
    """

    def _items(self, run):
        return self.child._items(run)
