"""Recorder: notes each operation of one run of a function: which primitive, on which values, with which results.

A value is an input, an outside Tensor (a Parameter, a constant), or what an operation made; its array tells which. What
cannot be told from the operations alone makes the recorder refuse, with the reason.
"""

import weakref
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minispore import backend, nest
from minispore.graph.outputs import RefusedError, check_returned
from minispore.ops.primitive import Spec
from minispore.parameter import Parameter, living
from minispore.tensor import Tensor, wrap

_READABLE = 16  # elements that a function may read back to the host, each of which is checked at every replay


class Value(NamedTuple):
    """A value by its number."""

    number: int


class Step(NamedTuple):
    """One operation: ``results = primitive.compute(arguments)``; an argument is a Value or a constant."""

    primitive: Any
    arguments: tuple
    results: tuple
    single: bool  # whether compute returns one array rather than a tuple
    scalar: bool  # whether it may return a NumPy scalar, which is no array yet


class Guard(NamedTuple):
    """What the host read of a value, on which the function's path may depend."""

    value: Value
    expected: np.ndarray

    def agrees(self, host):
        """Whether the host would read the same of another run's value; nan is nan."""
        return np.array_equal(host, self.expected, equal_nan=self.expected.dtype.kind == "f")


class BufferInfo(NamedTuple):
    """What is kept of a value's array, which itself may go as soon as the function lets it go."""

    shape: tuple
    dtype: np.dtype
    strides: tuple
    owner: int  # the number of the piece of memory that it lies in
    whole: bool  # whether it owns that piece, rather than being a view
    array: weakref.ref


@dataclass
class Recording:
    """All that one run did: the steps, the outside Tensors it began from, what it returned and what it wrote."""

    steps: list
    memories: list  # by the values' numbers
    inputs: int
    outside: dict  # number -> (Tensor, the array that it began with)
    also: list  # pairs (number, weak reference to another Tensor that shared an outside Tensor's array)
    nest: Any  # what the function returned, with empty Tensors: how it is nested
    returned: list  # for each Tensor in it a Value, or itself where it is a Parameter
    writes: list  # pairs (Tensor, Value)


class Recorder:
    """Takes notes while it stands in ``running.recorder``."""

    def __init__(self, inputs):
        self.steps, self.memories, self.outside, self.also = [], [], {}, {}
        self.assigned = {}  # the Tensors that this run gave other values, by their ids
        self.begun = {}  # id of an outside Tensor's array -> its number, whatever operations hand it on
        self.numbers, self.owners, self.refusal = {}, {}, None  # by the ids of arrays, as long as they live
        self.inputs = len(inputs)
        self.before = [(p, p.array) for p in living()]
        self.held = {id(array): p for p, array in self.before}
        for x in inputs:
            self._number(x.array)

    def refuse(self, reason):
        """Note why the run cannot be replayed; the first reason stays."""
        self.refusal = self.refusal or reason

    def note(self, primitive, args, arrays, made, single, results):
        """One operation has been computed: ``made`` are the arrays of ``results``, which may hold NumPy scalars."""
        if primitive.name in ("HookBackward", "InsertGradientOf"):
            self.refuse("a hook must run in Python")
        if None in _lengths(primitive, args):
            self.refuse(f"the shape of what '{primitive.name}' makes depends on data")
        arguments = tuple(self._value(a, x) if isinstance(a, Tensor) else a for a, x in zip(args, arrays, strict=True))
        for i in primitive.writes:
            self.note_assignment(args[i])
        scalar = any(y is not x for y, x in zip(made, results, strict=True))
        self.steps.append(Step(primitive, arguments, tuple(Value(self._number(y)) for y in made), single, scalar))

    def note_assignment(self, tensor):
        """A Tensor is given other values by this run: what other threads assign to is theirs."""
        self.assigned[id(tensor)] = tensor

    def read(self, tensor):
        """The host reads a Tensor: what follows may depend on it."""
        if tensor.array.size > _READABLE:
            self.refuse(f"a Tensor of shape {tensor.shape} is read back to the host")
        self.steps.append(Guard(self._value(tensor, tensor.array), np.array(backend.to_host(tensor.array))))

    def finished(self, out):
        """The Recording of the run that returned ``out``.

        Raises:
            RefusedError: If the run cannot be replayed.
        """
        check_returned(out)
        found = nest.select(Tensor, out)
        returned = [y if isinstance(y, Parameter) else self._value(y, y.array) for y in found]
        writes = self._writes()
        if self.refusal:
            raise RefusedError(self.refusal)
        empty = nest.replace_leaves(Tensor, out, [y if isinstance(y, Parameter) else wrap(None) for y in found])
        given = set(map(id, found))  # what the caller is given anew by each replay is not held
        also = [(number, weakref.ref(t)) for t, number in self.also.values() if id(t) not in given]
        return Recording(self.steps, self.memories, self.inputs, self.outside, also, empty, returned, writes)

    def _writes(self):
        begun = {id(t): (t, array) for t, array in self.outside.values()}
        begun.update({id(p): (p, array) for p, array in self.before})
        changed = [t for t, array in begun.values() if id(t) in self.assigned and t.array is not array]
        for t in changed:
            if id(t.array) not in self.numbers:
                self.refuse(f"'{getattr(t, 'name', 'a Tensor')}' is given values that no operation made")
        return [(t, Value(self.numbers[id(t.array)])) for t in changed if id(t.array) in self.numbers]

    def _number(self, array):
        self.numbers[id(array)] = number = len(self.memories)
        owner = _owner(array)
        if id(owner) not in self.owners:
            self.owners[id(owner)] = number, _watched(owner, self.owners)
        piece, gone = self.owners[id(owner)][0], _watched(array, self.numbers)
        self.memories.append(BufferInfo(array.shape, array.dtype, array.strides, piece, array is owner, gone))
        return number

    def _value(self, tensor, array):
        """The number of a Tensor's array; what no operation has made and no input is, comes from outside."""
        if id(array) not in self.numbers:
            self.begun[id(array)] = number = self._number(array)
            self.outside[number] = self.held.get(id(array), tensor), array
        number = self.begun.get(id(array))
        if number is not None and self.outside[number][0] is not tensor:
            self.also[id(tensor)] = tensor, number
        return Value(self.numbers[id(array)])


def _watched(x, table):
    """A reference to ``x`` that takes its id from the table when ``x`` goes, before another may have the same id."""
    key = id(x)
    return weakref.ref(x, lambda _: table.pop(key, None))


def _owner(array):
    """The array that owns the memory of this one."""
    while isinstance(getattr(array, "base", None), backend.array_type):
        array = array.base
    return array


def _lengths(primitive, args):
    """The lengths of all axes of what the primitive says it makes."""
    told = primitive.infer(*[Spec(a.array.shape, a.array.dtype) if isinstance(a, Tensor) else a for a in args])
    specs = (told,) if isinstance(told, Spec) else told
    return [n for spec in specs for n in (spec.shape if spec.shape is not None else (None,))]
