"""Comparison of two runs of a function: if they did the same, the next run may be a replay."""

import numpy as np

from minispore.core import backend
from minispore.core.parameter import Parameter
from minispore.graph.outputs import RefusedError, shape_of
from minispore.graph.recorder import Guard, Value


def check_equal(first, second):
    """Raise RefusedError if two runs differ: results of Python state alone cannot be replayed."""
    if len(first.steps) != len(second.steps):
        raise RefusedError("two runs did not take the same operations")
    for a, b in zip(first.steps, second.steps, strict=True):
        if type(a) is not type(b):
            raise RefusedError("two runs did not take the same operations")
        if isinstance(a, Guard):
            if a.value != b.value or not a.agrees(b.expected):
                raise RefusedError("a value that it reads back to the host changes from call to call")
        elif not _same_step(a, b):
            raise RefusedError(f"two runs gave '{b.primitive.name}' different arguments")
    if shape_of(first.nest) != shape_of(second.nest):
        raise RefusedError("two runs returned different values beside Tensors")
    if list(first.outside) != list(second.outside) or not _same_returned(first, second):
        raise RefusedError("two runs did not use the same Tensors")
    if _skipped(first.skip) != _skipped(second.skip):
        raise RefusedError("two runs did not skip the same writes")
    if [(id(t), v) for t, v in first.writes] != [(id(t), v) for t, v in second.writes]:
        raise RefusedError("two runs did not write the same Tensors")
    for (t, a), (other, b) in zip(first.outside.values(), second.outside.values(), strict=True):
        if t is not other and (isinstance(t, Parameter) or isinstance(other, Parameter)):
            raise RefusedError("two runs did not use the same Parameters")
        if t is not other and not _equal_arrays(a, b):
            raise RefusedError("a Tensor that it makes from Python's state changes from call to call")


def _skipped(skip):
    """A Skip's key for comparison: Tensors count by identity, not by value."""
    return None if skip is None else (skip.index, [id(t) for t in skip.but])


def _same_returned(first, second):
    pairs = zip(first.returned, second.returned, strict=False)
    return len(first.returned) == len(second.returned) and all(
        a == b if isinstance(a, Value) and isinstance(b, Value) else a is b for a, b in pairs
    )


def _same_step(a, b):
    if len(a.arguments) != len(b.arguments) or a.results != b.results:
        return False
    return _same_primitive(a.primitive, b.primitive) and all(map(_same, a.arguments, b.arguments))


def _same_primitive(a, b):
    """True if two steps use one primitive, or two of the same class and state."""
    if a is b:
        return True
    held, other = a.__getstate__(), b.__getstate__()
    return type(a) is type(b) and held.keys() == other.keys() and all(_same(held[name], other[name]) for name in held)


def _same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and _equal_arrays(a, b)
    return type(a) is type(b) and (a is b or shape_of(a) == shape_of(b))


def _equal_arrays(a, b):
    a, b = backend.to_host(a), backend.to_host(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
