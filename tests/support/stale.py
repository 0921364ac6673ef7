"""What tests of stale replays share: places where a function finds an object, and the comparison with eager mode."""

import functools
import types
from contextlib import suppress

import minispore as ms
from minispore import Tensor, nn

X = Tensor([1.0, 2.0, 3.0])

# Where the function finds the object

PLACES = {
    "a closure": lambda read, o: lambda x: x * read(o),
    "a default": lambda read, o: lambda x, o=o: x * read(o),
    "a keyword default": lambda read, o: lambda x, *, o=o: x * read(o),
    "a list": lambda read, o: (lambda held: lambda x: x * read(held[0]))([o]),
    "a dict": lambda read, o: (lambda held: lambda x: x * read(held["o"]))({"o": (o,)[0]}),
    "an attribute": lambda read, o: (lambda held: lambda x: x * read(held.inner.o))(
        types.SimpleNamespace(inner=types.SimpleNamespace(o=o))
    ),
    "a partial": lambda read, o: functools.partial(lambda o, x: x * read(o), o),
    "a function's attribute": lambda read, o: _reading_itself(read, o),
    "a cell": lambda read, o: Reading(read, o),
    "a cell in a cell": lambda read, o: nn.SequentialCell(nn.ReLU(), Reading(read, o)),
    "a gradient": lambda read, o: ms.grad(lambda x: (x * read(o)).sum()),
    "another jit": lambda read, o: ms.jit(lambda x: x * read(o)),
}


def _reading_itself(read, o):
    def function(x):
        return x * read(function.o)

    function.o = o
    return function


class Reading(nn.Cell):
    def __init__(self, read, o):
        super().__init__()
        self.read, self.held = read, [o]

    def construct(self, x):
        return x * self.read(self.held[0])


def outcome(function):
    """What a call gives, to the last bit of its text, or the kind of error that it raises."""
    try:
        return repr(function(X).asnumpy().tolist())
    except Exception as error:
        return type(error)


def check(function, changes):
    """After each of the changes, as far as they are possible, a replay gives what the function gives as it stands.

    Returns whether it was replayed before one that made a difference.
    """
    before, replayed, counted = outcome(function), ms.jit(function), False
    if isinstance(before, type):
        return False
    for change in changes:
        for _ in range(3):
            assert outcome(replayed) == before
        recorded = bool(replayed.recorded.sources)
        with suppress(Exception):  # one that is not possible may have changed half of it
            change()
        before, last = outcome(function), before
        assert outcome(replayed) == before, replayed.recorded.reason
        counted = counted or (recorded and before != last)
    return counted
