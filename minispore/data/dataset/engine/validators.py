"""MindSpore's address of decorators that check the arguments of users' own methods of datasets."""

import functools
import inspect

from minispore.data.dataset.engine.datasets import Dataset

__all__ = ["check_batch"]


def check_batch(method):
    """``method``, a ``batch`` of a user's own dataset, which checks its arguments as ``Dataset.batch`` does.

    Args:
        method (Callable): Takes the dataset and the arguments of ``Dataset.batch``, or some of them.
    """
    known = inspect.signature(Dataset.batch).parameters

    @functools.wraps(method)
    def checked(self, *args, **kwargs):
        bound = inspect.signature(method).bind(self, *args, **kwargs)
        given = {name: value for name, value in bound.arguments.items() if name in known and name != "self"}
        Dataset.batch(self, **given)  # it raises if they are wrong
        return method(self, *args, **kwargs)

    return checked
