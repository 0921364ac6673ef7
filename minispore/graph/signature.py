"""Signature: the properties of a call's arguments that a recording depends on, and stand-ins for the arguments."""

from typing import NamedTuple

import numpy as np

from minispore.core import nest
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor, wrap
from minispore.core.writes import write
from minispore.graph.outputs import constant, shape_of

_BY_VALUE = (type(None), bool, int, str, bytes, range, np.dtype)


class _Plain(NamedTuple):
    """The properties of a Tensor in the signature of a call."""

    shape: tuple
    dtype: object
    strides: tuple


class _Same:
    """An object in the signature of a call, equal only to itself."""

    def __init__(self, value):
        self._value = value  # kept alive, so that no other object takes its id

    def __eq__(self, other):
        return isinstance(other, _Same) and self._value is other._value

    def __hash__(self):
        return id(self._value)


def tensors_in(value):
    """The Tensors in a nest, in order, without Parameters: these are compared by identity."""
    return [x for x in nest.select(Tensor, value) if not isinstance(x, Parameter)]


def objects_in(value):
    """The leaves of a nest other than Tensors, in order."""
    return [x for x in nest.leaves(value) if not isinstance(x, Tensor)]


def described(inputs, args, kwargs):
    """The signature of a call; ``inputs`` are the Tensors in ``args`` and ``kwargs``, with repetitions."""
    # f(x, x) and f(x, y) need different replays: a write to one input would show in the other.
    which = [id(x) for x in inputs]
    alike = None if len(set(which)) == len(which) else tuple(map(which.index, which))
    return alike, shape_of(args, _described), shape_of(kwargs, _described) if kwargs else None


def _described(value):
    """A Tensor by its kind, Parameters and other objects by identity, numbers to the last bit (-0.0 is not 0.0)."""
    kind = type(value)
    if kind is Tensor:
        return _Plain(value.array.shape, value.array.dtype, value.array.strides)
    if kind in _BY_VALUE or isinstance(value, np.dtype):
        return kind, value
    if kind in (float, complex):
        return constant(value)
    if isinstance(value, np.generic):
        return kind, repr(value)
    if kind is slice:
        return slice, *map(_described, (value.start, value.stop, value.step))
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return kind, _Plain(value.array.shape, value.array.dtype, value.array.strides)
    return _Same(value)


class StandIns:
    """Replaces each input by a Tensor with its own view of the values: an array that stands for this input alone.

    The function may hold the same Tensor, or a view of it. The next call's input need not be so connected.

    Args:
        inputs (list[Tensor]): The Tensors among the arguments.
    """

    def __init__(self, inputs):
        self._inputs = {id(x): (x, wrap(x.array.view())) for x in inputs}
        self._before = [(y, y.array) for _, y in self._inputs.values()]
        self._containers = []

    def __call__(self, value):
        """``value`` with stand-ins for the inputs."""
        if not nest.is_nest(value):
            return self._inputs[id(value)][1] if id(value) in self._inputs else value
        if not tensors_in(value):
            return value
        found = nest.with_parts(value, [self(part) for part in nest.parts_of(value)])
        if isinstance(value, (list, dict)):
            self._containers.append((value, found, _entries(found)))
        return found

    def hand_back(self, recorder):
        """Copy the function's assignments to an input, list or dict back to the caller's object.

        Such a run cannot be replayed.
        """
        for (x, y), (_, array) in zip(self._inputs.values(), self._before, strict=True):
            if y.array is not array:
                write(x, y.array)
                recorder.refuse("an input is assigned to")
        for mine, given, before in self._containers:
            now = _entries(given)
            if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
                _put(given, mine)
                recorder.refuse(f"a {'dict' if isinstance(mine, dict) else 'list'} among the arguments is changed")


def _entries(container):
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _put(entries, container):
    """Replace the contents of ``container`` by the entries of another list or dict."""
    if isinstance(container, dict):
        container.clear()
        container.update(entries)
    else:
        container[:] = entries
