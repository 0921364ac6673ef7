"""NumpySlicesDataset and PaddedDataset: rows of data in memory."""

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.sources.indexed import ArraysDataset, MappableDataset, UnionBaseDataset
from minispore.ops.list_checks import check_names

__all__ = ["NumpySlicesDataset", "PaddedDataset"]


class NumpySlicesDataset(ArraysDataset, UnionBaseDataset):
    """The slices ``data[i]`` of arrays along their first axis.

    Args:
        data: An array or a list (one column), a tuple of them (several), or a dict from column name to them.
        column_names: The names; ``column_0``, ``column_1``, … when None. A dict brings its own.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; reading arrays needs no workers.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.

    Raises:
        TypeError: If ``data`` has another type.
        ValueError: If it is empty, its columns differ in length, or there are more or fewer names than columns.

    Examples:
        >>> from minispore.dataset import NumpySlicesDataset
        >>> rows = NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).batch(2)
        >>> [row["x"].tolist() for row in rows.create_dict_iterator(output_numpy=True)]
        [[1, 2], [3]]
    """

    def __init__(
        self,
        data,
        column_names=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
    ):
        columns = _columns(data, column_names)
        super().__init__(columns, num_samples, shuffle, sampler, num_shards, shard_id, num_parallel_workers)


def _columns(data, column_names):
    """Arrays by column name from the forms of data that ``NumpySlicesDataset`` takes."""
    operation = "NumpySlicesDataset"
    if not isinstance(data, list | tuple | dict | np.ndarray):
        raise type_error(operation, "the 'data' must be a list, tuple, dict or NumPy array", type(data).__name__)
    if len(data) == 0:
        raise value_error(operation, "the 'data' must not be empty")
    if isinstance(data, dict):
        names, values = list(data), list(data.values())
    else:
        values = list(data) if isinstance(data, tuple) else [data]
        names = [f"column_{i}" for i in range(len(values))]
    arrays = [_as_array(operation, value) for value in values]
    if len({len(array) for array in arrays}) > 1:
        raise value_error(operation, "the columns must have one length", [len(array) for array in arrays])
    names = names if column_names is None else checked_names(operation, column_names)
    if len(names) != len(arrays):
        raise value_error(operation, f"the 'column_names' must be {len(arrays)} names", len(names))
    return dict(zip(names, arrays, strict=True))


def _as_array(operation, value):
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise value_error(operation, f"the rows of a column must have one shape ({error})") from error
    if array.ndim == 0:
        raise type_error(operation, "a column must be an array or a list", type(value).__name__)
    return array


def checked_names(operation, column_names):
    """The names of columns as a list: some, each another."""
    names = check_names(operation, "column_names", () if column_names is None else column_names)
    if not names:
        raise value_error(operation, "the 'column_names' must not be empty")
    if len(set(names)) != len(names):
        raise value_error(operation, "the 'column_names' must differ from one another", names)
    return names


class PaddedDataset(MappableDataset, UnionBaseDataset):
    """The rows of a list of dicts from column name to array, in its order: what fills up a dataset for its shards.

    Args:
        padded_samples (list): The rows.

    Raises:
        TypeError: If it is not a list of dicts of arrays.
        ValueError: If it is empty, or its rows differ in their columns.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.PaddedDataset([{"x": np.array([1, 2])}, {"x": np.array([0, 0])}])
        >>> print([x.asnumpy().tolist() for (x,) in data])
        [[1, 2], [0, 0]]
    """

    def __init__(self, padded_samples):
        name = "PaddedDataset"
        if not isinstance(padded_samples, list) or not all(isinstance(row, dict) for row in padded_samples):
            raise type_error(name, "the 'padded_samples' must be a list of dicts", shown(padded_samples))
        if not padded_samples:
            raise value_error(name, "the 'padded_samples' must not be empty")
        self.names, self.padded_samples = sorted(padded_samples[0]), padded_samples
        for row in padded_samples:
            if sorted(row) != self.names:
                raise value_error(name, f"all 'padded_samples' must have the columns {self.names}", sorted(row))
            if not all(isinstance(value, np.ndarray) for value in row.values()):
                raise type_error(name, "the 'padded_samples' must hold NumPy arrays", shown(row))
        super().__init__(len(padded_samples), None, False, None, None, None)

    def _row(self, item):
        return tuple(self.padded_samples[item][name] for name in self.names)

    def _names(self):
        return self.names
