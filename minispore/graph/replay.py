"""Replay: a recording as a straight-line function of arrays, which runs without Python's cost for each operation.

The function is generated as source, which tells what a step does in the order in which it does it, and lets go of each
value after its last use. Whatever it writes is put in its place at the end, so that a run that leaves the recorded path
leaves no trace.
"""

import numpy as np

from minispore import backend, context
from minispore.autograd import rebuild
from minispore.graph.recorder import Guard, RefusedError, Value
from minispore.parameter import Parameter
from minispore.tensor import wrap


class LeftPathError(Exception):
    """What the host read was not what it read when the function was recorded."""


class Replay:
    """Two equal recordings of a function, as one that can be called.

    Args:
        first (Recording): What one run did.
        second (Recording): What the next run did.

    Raises:
        RefusedError: If the two runs did not do the same.
    """

    def __init__(self, first, second):
        _check_equal(first, second)
        self.recording, self.source = second, _source(second)
        self.live = [
            second.outside[n] if t is second.outside[n] else wrap(second.arrays[n]) for n, t in first.outside.items()
        ]
        self.run = _compiled(self.source, second)

    def __call__(self, inputs):
        """What the function returns for ``inputs``, a list of Tensors; or LeftPathError and no trace."""
        draws = context.seed.draws
        try:
            with backend.quiet():
                values = self.run(backend.xp, [x._data for x in inputs], [t._data for t in self.live])
        except LeftPathError:
            context.seed.draws = draws
            raise
        recording = self.recording
        leaves = [
            y if isinstance(y, Parameter) else wrap(next_) for y, next_ in zip(recording.returned, values, strict=False)
        ]
        for (t, _), array in zip(recording.writes, values[len(leaves) :], strict=True):
            t._data = array
        return rebuild(recording.out, iter(leaves))


def _check_equal(first, second):
    """Refuse two runs that differ: what follows from Python's state alone cannot be replayed."""
    if len(first.steps) != len(second.steps):
        raise RefusedError("two runs did not take the same operations")
    for a, b in zip(first.steps, second.steps, strict=True):
        if type(a) is not type(b):
            raise RefusedError("two runs did not take the same operations")
        if isinstance(a, Guard):
            if a.value != b.value or not np.array_equal(a.expected, b.expected, equal_nan=a.expected.dtype.kind == "f"):
                raise RefusedError("what it reads back to the host changes from call to call")
        elif not _same_step(a, b):
            raise RefusedError(f"two runs gave '{b.primitive.name}' different arguments")
    if list(first.outside) != list(second.outside) or not _same_returned(first, second):
        raise RefusedError("two runs did not use the same Tensors")
    if [(id(t), v) for t, v in first.writes] != [(id(t), v) for t, v in second.writes]:
        raise RefusedError("two runs did not write the same Tensors")
    for n, t in first.outside.items():
        if t is not second.outside[n] and not _equal_arrays(first.arrays[n], second.arrays[n]):
            raise RefusedError("a Tensor that it makes from Python's state changes from call to call")


def _same_returned(first, second):
    pairs = zip(first.returned, second.returned, strict=False)
    return len(first.returned) == len(second.returned) and all(
        a == b if isinstance(a, Value) and isinstance(b, Value) else a is b for a, b in pairs
    )


def _same_step(a, b):
    same_kind = a.primitive is b.primitive or (
        type(a.primitive) is type(b.primitive) and a.primitive.attrs == b.primitive.attrs
    )
    return (
        same_kind
        and a.results == b.results
        and all(map(_same, a.arguments, b.arguments))
        and (len(a.arguments) == len(b.arguments))
    )


def _same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and _equal_arrays(a, b)
    return type(a) is type(b) and (a is b or a == b)


def _equal_arrays(a, b):
    a, b = backend.to_host(a), backend.to_host(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def _source(recording):
    """The text of ``replay(xp, inputs, outside)``, which returns what is returned and what is written."""
    last = _last_uses(recording)
    lines = [f"({_names(range(recording.inputs))}) = inputs", f"({_names(recording.outside)}) = outside"]
    for i, step in enumerate(recording.steps):
        lines.append(_line(i, step))
        gone = sorted(n for n in last.get(i, ()))
        if gone:
            lines.append(f"del {', '.join(f'v{n}' for n in gone)}")
    returned = [f"v{y.number}" if isinstance(y, Value) else "None" for y in recording.returned]
    found = ", ".join([*returned, *(f"v{value.number}" for _, value in recording.writes)])
    lines.append(f"return [{found}]")
    return "\n    ".join(["def replay(xp, inputs, outside):", *lines]) + "\n"


def _names(numbers):
    return "".join(f"v{n}, " for n in numbers)


def _line(i, step):
    if isinstance(step, Guard):
        return f"check{i}(v{step.value.number})"
    arguments = ", ".join(f"v{a.number}" if isinstance(a, Value) else f"k{i}_{j}" for j, a in enumerate(step.arguments))
    call = f"f{i}(xp, {arguments})" + f"  # {step.primitive.name}"
    if step.scalar:
        call = f"array({step.primitive.name!r}, f{i}(xp, {arguments}))"
    return f"{', '.join(f'v{v.number}' for v in step.results)}{'' if step.single else ','} = {call}"


def _last_uses(recording):
    """For each step the numbers of the values that nothing uses after it."""
    kept = {y.number for y in recording.returned if isinstance(y, Value)} | {v.number for _, v in recording.writes}
    last = {}
    for i, step in enumerate(recording.steps):
        values = (step.value,) if isinstance(step, Guard) else (*step.arguments, *step.results)
        for v in values:
            if isinstance(v, Value) and v.number not in kept:
                last[v.number] = i
    by_step = {}
    for n, i in last.items():
        by_step.setdefault(i, []).append(n)
    return by_step


def _compiled(source, recording):
    names = {"array": backend.as_array}
    for i, step in enumerate(recording.steps):
        if isinstance(step, Guard):
            names[f"check{i}"] = _check(step.expected)
            continue
        names[f"f{i}"] = step.primitive.compute
        names.update({f"k{i}_{j}": a for j, a in enumerate(step.arguments) if not isinstance(a, Value)})
    exec(compile(source, "<minispore replay>", "exec"), names)
    return names["replay"]


def _check(expected):
    def check(array):
        if not np.array_equal(backend.to_host(array), expected, equal_nan=expected.dtype.kind == "f"):
            raise LeftPathError

    return check
