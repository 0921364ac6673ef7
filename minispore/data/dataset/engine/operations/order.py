"""The choice of rows and their order: shuffle, take, skip and repeat."""

from __future__ import annotations

import itertools
from typing import Any

from minispore.data.dataset.engine.dataset import Over, check_count, operation

__all__ = ["RepeatDataset", "ShuffleDataset", "SkipDataset", "TakeDataset"]


@operation
def shuffle(self, buffer_size):
    """Draw each row at random from a buffer of ``buffer_size`` rows; one as large as the data shuffles fully.

    The order follows from ``set_seed`` and differs in every epoch; without a seed it is new each time.

    Raises:
        TypeError: If ``buffer_size`` is not an int.
        ValueError: If ``buffer_size`` is below 2.
    """
    return ShuffleDataset(self, buffer_size)


@operation
def repeat(self, count=None):
    """Iterate over the data ``count`` times, shuffled anew each time; without an end if ``count`` is None or -1.

    Raises:
        TypeError: If ``count`` is not an int.
        ValueError: If ``count`` is neither -1 nor at least 1.
    """
    return RepeatDataset(self, -1 if count is None else count)


@operation
def take(self, count=-1):
    """Keep the first ``count`` rows of each pass; all of them if ``count`` is -1.

    Raises:
        TypeError: If ``count`` is not an int.
        ValueError: If ``count`` is neither -1 nor at least 1.
    """
    return TakeDataset(self, count)


@operation
def skip(self, count):
    """Skip the first ``count`` rows of each pass.

    Raises:
        TypeError: If ``count`` is not an int.
        ValueError: If ``count`` is negative.
    """
    return SkipDataset(self, count)


class ShuffleDataset(Over):
    """Rows drawn at random from a window of ``buffer_size`` rows that moves over the data.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(4), ["x"], shuffle=False).shuffle(4)
        >>> print(sorted(int(x) for (x,) in data))
        [0, 1, 2, 3]
    """

    def __init__(self, child, buffer_size) -> None:
        check_count("shuffle", "buffer_size", buffer_size, 2)
        super().__init__(child)
        self.buffer_size = buffer_size

    def _items(self, run):
        stream = run.stream(self.depth)
        rest = iter(self.child._items(run))
        window = list(itertools.islice(rest, self.buffer_size))
        picks = _integers(stream, len(window))
        for item in rest:
            place = next(picks)
            yield window[place]
            window[place] = item
        for place in stream.permutation(len(window)).tolist():
            yield window[place]

    def is_shuffled(self) -> Any:
        return True


def _integers(stream, below):
    """Endless random integers in [0, below), drawn many at a time: single draws would cost a hundred times as much."""
    while True:
        yield from stream.integers(0, below, (1024,)).tolist()


class TakeDataset(Over):
    """The first ``count`` rows; all if ``count`` is -1.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(4), ["x"], shuffle=False).take(3)
        >>> print([int(x) for (x,) in data])
        [0, 1, 2]
    """

    def __init__(self, child, count) -> None:
        check_count("take", "count", count, 1, also=(-1,))
        super().__init__(child)
        self.count = count

    def _items(self, run):
        return itertools.islice(self.child._items(run), None if self.count == -1 else self.count)

    def get_dataset_size(self) -> Any:
        size = self.child.get_dataset_size()
        return size if self.count == -1 else min(size, self.count)


class SkipDataset(Over):
    """The rows after the first ``count``.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(4), ["x"], shuffle=False).skip(2)
        >>> print([int(x) for (x,) in data])
        [2, 3]
    """

    def __init__(self, child, count) -> None:
        check_count("skip", "count", count, 0)
        super().__init__(child)
        self.count = count

    def _items(self, run):
        return itertools.islice(self.child._items(run), self.count, None)

    def get_dataset_size(self) -> Any:
        return max(self.child.get_dataset_size() - self.count, 0)


class RepeatDataset(Over):
    """The data ``count`` times; endless for -1; then the size counts one repetition.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset(np.arange(2), ["x"], shuffle=False).repeat(2)
        >>> print([int(x) for (x,) in data])
        [0, 1, 0, 1]
    """

    def __init__(self, child, count) -> None:
        check_count("repeat", "count", count, 1, also=(-1,))
        super().__init__(child)
        self.count = count

    def _items(self, run):
        times = itertools.count() if self.count == -1 else range(self.count)
        for time in times:
            empty = True
            for item in self.child._items(run._replace(epoch=run.epoch * max(self.count, 1) + time)):
                empty = False
                yield item
            if empty:
                return  # or an endless repetition of nothing would not come back

    def get_dataset_size(self) -> Any:
        return self.child.get_dataset_size() * max(self.count, 1)

    def get_repeat_count(self) -> Any:
        return self.count
