"""Arguments: what of a call's arguments a recording depends on, and stand-ins for them while the call is recorded."""

from typing import NamedTuple

import numpy as np

from minispore.autograd import nested_as
from minispore.context import running
from minispore.parameter import Parameter
from minispore.tensor import Tensor, wrap


class _Plain(NamedTuple):
    """A Tensor in the description of a call: what matters of it."""

    shape: tuple
    dtype: object
    strides: tuple


def tensors_in(nest):
    """The Tensors in nested tuples and lists, in order, but Parameters, which are their own."""
    if isinstance(nest, Tensor):
        return [] if isinstance(nest, Parameter) else [nest]
    return [leaf for part in nest for leaf in tensors_in(part)] if isinstance(nest, (tuple, list)) else []


def objects_in(nest):
    """What is no Tensor in nested tuples and lists, in order."""
    if isinstance(nest, (tuple, list)):
        return [leaf for part in nest for leaf in objects_in(part)]
    return [] if isinstance(nest, Tensor) else [nest]


def described(inputs, args, kwargs):
    """What a recording depends on; ``inputs`` are the Tensors in ``args`` and ``kwargs``, some of them perhaps one."""
    which = [id(x) for x in inputs]
    alike = None if len(set(which)) == len(which) else tuple(map(which.index, which))
    return alike, _described(args), _described(tuple(kwargs.items()))


def _described(value):
    """A Tensor by its kind, a Parameter and any other object by itself, numbers to the last bit (-0.0 is not 0.0)."""
    if isinstance(value, Parameter):
        return value
    if isinstance(value, Tensor):
        return _Plain(value._data.shape, value._data.dtype, value._data.strides)
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_described, value))
    if isinstance(value, (float, complex, np.generic)):
        return type(value), repr(value)
    return type(value), value


class StandIns:
    """For each input a Tensor of the same values in an array of its own, so that what is recorded of it is its alone.

    The function may hold the same Tensor, or one of the same memory, which the next call's input need not be.

    Args:
        inputs (list[Tensor]): The Tensors among the arguments.
    """

    def __init__(self, inputs):
        self._inputs = {id(x): (x, wrap(x._data.view())) for x in inputs}
        self._before = [(y, y._data) for _, y in self._inputs.values()]
        self._lists = []

    def __call__(self, nest):
        """``nest`` with stand-ins for the inputs."""
        if isinstance(nest, Tensor):
            return self._inputs[id(nest)][1] if id(nest) in self._inputs else nest
        if not isinstance(nest, (tuple, list)) or not tensors_in(nest):
            return nest
        parts = [self(part) for part in nest]
        found = nested_as(nest, parts)
        if isinstance(nest, list):
            self._lists.append((nest, found, parts))
        return found

    def hand_back(self, recorder):
        """Let the caller see what the function assigned to an input, or put into a list; that cannot be replayed."""
        for (x, y), (_, array) in zip(self._inputs.values(), self._before, strict=True):
            if y._data is not array:
                if running.journal is not None:
                    running.journal.note(x)
                x._data = y._data
                recorder.refuse("an input is assigned to")
        for mine, given, before in self._lists:
            if len(given) != len(before) or any(a is not b for a, b in zip(given, before, strict=True)):
                mine[:] = given
                recorder.refuse("a list among the arguments is changed")
