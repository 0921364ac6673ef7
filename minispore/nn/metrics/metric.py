"""Metric: a number about all batches since ``clear``; ``update`` adds a batch and ``eval`` returns the number."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from functools import wraps
from typing import Any

import numpy as np

from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.object_checks import check_callable
from minispore.ops.object_text import of_arguments

__all__ = ["Metric", "rearrange_inputs"]


class Metric(metaclass=ABCMeta):
    """Base of metrics: state on the host, updated batch by batch.

    A subclass defines ``clear()``, which forgets, ``update(*inputs)``, which takes a batch in, and ``eval()``, which
    gives the result. Shapes and dtypes are what its ``update`` takes.

    Raises:
        TypeError: If a class that lacks one of the three is called.

    Examples:
        >>> import minispore as ms
        >>> class Largest(ms.nn.Metric):
        ...     def clear(self):
        ...         self.found = 0.0
        ...
        ...     def update(self, prediction, label):
        ...         self.found = max(self.found, abs(prediction - label).max().item())
        ...
        ...     def eval(self):
        ...         return self.found
        >>> metric = Largest()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1.0, 4.0]), ms.Tensor([2.0, 1.0]))
        >>> print(metric.eval())
        3.0
    """

    __repr__ = of_arguments

    def __new__(cls, *args, **kwargs):
        """Refuse a class without the methods of a metric."""
        if cls.__abstractmethods__:
            names = ", ".join(f"'{name}'" for name in sorted(cls.__abstractmethods__))
            raise type_error(cls.__name__, f"the class is abstract: a subclass must define {names}")
        return super().__new__(cls)

    def __init__(self) -> None:
        self._indexes = None

    @property
    def indexes(self) -> Any:
        """The positions of the inputs that ``update`` uses, in order; None for all of them."""
        return self._indexes

    def set_indexes(self, indexes) -> Any:
        """Let ``update`` use the inputs at these positions; returns the metric.

        Raises:
            ValueError: If they are not a list of ints.
        """
        if not isinstance(indexes, list) or not all(isinstance(i, int) for i in indexes):
            raise value_error("set_indexes", "the 'indexes' must be a list of ints", shown(indexes))
        self._indexes = indexes
        return self

    def __call__(self, *inputs) -> Any:
        """The metric of a single batch: ``clear``, ``update`` with it, ``eval``."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    def _taken(self, inputs, count):
        """The inputs of ``update`` as arrays; there must be ``count`` of them."""
        name = f"{type(self).__name__}.update"
        if len(inputs) != count:
            raise value_error(name, f"there must be {count} inputs", len(inputs))
        return [self._convert_data(x) for x in inputs]

    def _convert_data(self, data):
        """A Tensor, list or array as a NumPy array."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        expected, name = "the inputs must be Tensors, lists or NumPy arrays", f"{type(self).__name__}.update"
        if not isinstance(data, (list, np.ndarray)):
            raise type_error(name, expected, type(data).__name__)
        try:
            array = np.array(data)
        except ValueError as error:  # rows of several lengths, or lists deeper than an array has axes
            raise value_error(name, f"an input must have one shape ({error})", shown(data)) from error
        if array.dtype.kind in "OSUc":
            raise type_error(name, f"{expected} of real numbers", shown(data))
        return array

    def _mean(self, total, count):
        """``total / count``; raises if no samples were added."""
        if not count:
            raise runtime_error(type(self).__name__, "'update' must take samples in before 'eval' is called")
        return total / count

    @abstractmethod
    def clear(self) -> Any:
        """Forget all batches."""

    @abstractmethod
    def update(self, *inputs) -> Any:
        """Add a batch."""

    @abstractmethod
    def eval(self) -> Any:
        """The metric of all batches."""


def rearrange_inputs(func) -> Any:
    """Decorate a metric's ``update``: it gets the inputs chosen by ``set_indexes``, in that order.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.MAE().set_indexes([2, 0])
        >>> metric.update(ms.Tensor([1.0]), ms.Tensor([9.0]), ms.Tensor([3.0]))
        >>> print(metric.eval())
        2.0
    """
    check_callable("rearrange_inputs", "func", func)

    @wraps(func)
    def update(self, *inputs):
        return func(self, *(inputs if self.indexes is None else [inputs[i] for i in self.indexes]))

    return update
