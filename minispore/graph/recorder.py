"""Recorder: records the operations of one run of a function: the primitive, its arguments and its results.

A value is an input, an outside Tensor (a Parameter, a constant), or the result of an operation. Its array identifies
it. A run that cannot be reproduced from its operations alone is refused, with the reason.
"""

import weakref
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend, nest
from minispore.core.observation import Noting
from minispore.core.parameter import Parameter, living
from minispore.core.primitive import Spec
from minispore.core.tensor import Tensor, wrap
from minispore.core.writes import settle
from minispore.devices import transfers
from minispore.graph import facts
from minispore.graph.outputs import RefusedError, check_returned

_READABLE = 16  # largest size of a Tensor that a function may read back to the host; each is checked at every replay


class Value(NamedTuple):
    """A value by its number."""

    number: int


class Step(NamedTuple):
    """One operation: ``results = primitive.compute(arguments)``; an argument is a Value or a constant."""

    primitive: Any
    arguments: tuple
    results: tuple
    single: bool  # True if compute returns one array rather than a tuple
    scalar: bool  # True if it may return a NumPy scalar instead of an array


class Guard(NamedTuple):
    """A value that the host has read: the function's path may depend on it."""

    value: Value
    expected: np.ndarray

    def agrees(self, host):
        """True if the host would read the same values in another run; nan equals nan."""
        return np.array_equal(host, self.expected, equal_nan=self.expected.dtype.kind == "f")


def values_of(step):
    """The Values that a Step takes, or that a Guard reads."""
    return [x for x in ((step.value,) if isinstance(step, Guard) else step.arguments) if isinstance(x, Value)]


class Skip(NamedTuple):
    """A condition: if the bool at ``index`` of the results is true, all writes are skipped, except those to ``but``."""

    index: int
    but: list


class BufferInfo(NamedTuple):
    """The description of a value's array; the array itself may be freed as soon as the function releases it."""

    shape: tuple
    dtype: np.dtype
    strides: tuple
    owner: int  # the number of its piece of memory
    whole: bool  # True if it owns that piece, False for a view
    array: weakref.ref


@dataclass
class Recording:
    """The record of one run: its steps, the outside Tensors it began with, its outputs and its writes."""

    steps: list
    memories: list  # by the numbers of the values
    inputs: int
    outside: dict  # number -> (Tensor, its array at the beginning)
    also: list  # pairs (number, weak reference to another Tensor that shared an outside Tensor's array)
    nest: Any  # the function's output with empty Tensors: its structure
    returned: list  # for each Tensor in it a Value, or the Tensor itself if it is a Parameter
    writes: list  # pairs (Tensor, Value)
    skip: Any  # a Skip, or None


class Recorder(Noting):
    """Records the operations of its thread during a ``with`` block."""

    def __init__(self, inputs):
        self.steps, self.memories, self.outside, self.also = [], [], {}, {}
        self.written = {}  # the Tensors that this run has written, by id
        self.begun = {}  # id of an outside Tensor's array -> its number, even if an operation returns the array
        self.numbers, self.owners, self.refusal = {}, {}, None  # by the ids of living arrays
        self.inputs, self._skip, self._calls = len(inputs), None, False
        self.shown = []  # pairs of an array given to the user, perhaps a Tensor's own memory, and a copy of it
        _give_arrays_of_their_own(living())
        self.before = [(p, p.array) for p in living()]
        self.held = {id(array): p for p, array in self.before}
        for x in inputs:
            self._number(x.array)

    def refuse(self, reason):
        """Record why the run cannot be replayed; the first reason stays."""
        self.refusal = self.refusal or reason

    def note(self, primitive, args, arrays, made, single, results):
        """Record a computed operation."""
        if primitive.name in ("HookBackward", "InsertGradientOf"):
            self.refuse("a hook must run in Python")
        if facts.waits(primitive):
            self.refuse(f"'{primitive.name}' waits for other processes, whose replays may stop elsewhere")
        if None in _lengths(primitive, args):
            self.refuse(f"the shape of the result of '{primitive.name}' depends on data")
        arguments = tuple(self._value(a, x) if isinstance(a, Tensor) else a for a, x in zip(args, arrays, strict=True))
        scalar = any(y is not x for y, x in zip(made, results, strict=True))
        self._calls = self._calls or (facts.runs_python(primitive) and not made)  # such a call cannot be undone
        self.steps.append(Step(primitive, arguments, tuple([Value(self._number(y)) for y in made]), single, scalar))

    def writes(self, tensor, array):
        """Record that this run gives a Tensor another array; writes of other threads are not recorded here."""
        self._value(tensor, tensor.array)  # from now on it has a number: it may outlive the run
        self.written[id(tensor)] = tensor
        if id(array) not in self.numbers:
            self.refuse(f"'{getattr(tensor, 'name', 'a Tensor')}' is given values that no operation made")

    def skips(self, condition, journal, but):
        """Record that a bool decides if the writes in a journal are undone, except those to the Tensors ``but``.

        The run must return the bool. Returns False if the host must decide, since no device skips by itself.
        """
        if not device_skips():
            self.refuse("the host decides whether a step is skipped")
            return False
        rule = [x for x in self.written.values() if x not in journal.before]  # written after the journal ended
        self._skip = condition, [*but, *[x for x in rule if not any(x is y for y in but)]]
        return True

    def undo_skipped(self, journal):
        """Undo the writes in a journal of the run, if the run has a condition for that, and it is true."""
        if self._skip is not None and self._skip[0]:
            journal.undo(self._skip[1])

    def read(self, tensor):
        """Record that the host reads a Tensor: later operations may depend on its values."""
        if tensor.array.size > _READABLE:
            self.refuse(f"a Tensor of shape {tensor.shape} is read back to the host")
        if self._calls:
            self.refuse("a Tensor is read back to the host after gradients have been sent")
        host = backend.to_host(tensor.array)
        self.steps.append(Guard(self._value(tensor, tensor.array), np.array(host)))
        self.shown.append((host, self.steps[-1].expected))

    def finished(self, out):
        """The Recording of the run that returned ``out``.

        Raises:
            RefusedError: If the run cannot be replayed.
        """
        check_returned(out)
        found = nest.select(Tensor, out)
        returned = [y if isinstance(y, Parameter) else self._value(y, y.array) for y in found]
        writes = self._writes()
        # On the CPU `asnumpy` may share the Tensor's memory: a write there is an operation without a record.
        if any(array.tobytes() != before.tobytes() for array, before in self.shown):
            self.refuse("an array that 'asnumpy' gave is written, which is a Tensor's own memory")
        if self.refusal:
            raise RefusedError(self.refusal)
        empty = nest.replace_leaves(Tensor, out, [y if isinstance(y, Parameter) else wrap(None) for y in found])
        given = set(map(id, found))  # Tensors that each replay returns anew need no reference
        also = [(number, weakref.ref(t)) for t, number in self.also.values() if id(t) not in given]
        return Recording(
            self.steps, self.memories, self.inputs, self.outside, also, empty, returned, writes, self._skipped(returned)
        )

    def _skipped(self, returned):
        if self._skip is None:
            return None
        condition, but = self._skip
        return Skip(returned.index(self._value(condition, condition.array)), but)

    def _writes(self):
        begun = {id(t): (t, array) for t, array in self.outside.values()}
        begun.update({id(p): (p, array) for p, array in self.before})
        changed = [t for t, array in begun.values() if id(t) in self.written and t.array is not array]
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
        """The Value of a Tensor's array; an array that is neither an input nor a result comes from outside."""
        if id(array) not in self.numbers:
            self.begun[id(array)] = number = self._number(array)
            self.outside[number] = self.held.get(id(array), tensor), array
        number = self.begun.get(id(array))
        if number is not None and self.outside[number][0] is not tensor:
            self.also[id(tensor)] = tensor, number
        return Value(self.numbers[id(array)])


def device_skips():
    """True if a replay on this device skips a step by itself, without the host."""
    return backend.has_kernels()


def _give_arrays_of_their_own(parameters):
    """Give each Parameter an array of its own, also apart from cached numbers: a recorder goes by the arrays."""
    taken = set(map(id, transfers.numbers()))
    for p in parameters:
        if id(p.array) in taken:
            settle(p, p.array.view())
        taken.add(id(p.array))


def _watched(x, table):
    """A weak reference to ``x``; it removes the id from ``table`` when ``x`` is freed, so that none is reused."""
    key = id(x)
    return weakref.ref(x, lambda _: table.pop(key, None))


def _owner(array):
    """The array that owns this array's memory."""
    while isinstance(getattr(array, "base", None), backend.array_type):
        array = array.base
    return array


def _lengths(primitive, args):
    """The inferred lengths of all axes of the primitive's results."""
    inferred = primitive.infer(*[Spec(a.array.shape, a.array.dtype) if isinstance(a, Tensor) else a for a in args])
    specs = (inferred,) if isinstance(inferred, Spec) else inferred
    return [n for spec in specs for n in (spec.shape if spec.shape is not None else (None,))]
