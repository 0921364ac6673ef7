"""MindSpore's address of decorators that check the arguments of users' own transforms."""

import functools
import inspect

from minispore.data.dataset.transforms.compound import checked_transforms

__all__ = ["check_random_transform_ops"]


def check_random_transform_ops(method):
    """``method``, an ``__init__`` with the argument ``transforms``, which must be a list of callables.

    Args:
        method (Callable): The method.
    """

    @functools.wraps(method)
    def checked(self, *args, **kwargs):
        bound = inspect.signature(method).bind(self, *args, **kwargs)
        checked_transforms(type(self).__name__, bound.arguments.get("transforms"))
        return method(self, *args, **kwargs)

    return checked
