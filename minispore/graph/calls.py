"""Recorded: a function that is recorded twice for each kind of input, and replayed from then on.

Whatever cannot be replayed runs as it stands; ``reason`` says why.
"""

import logging
from typing import NamedTuple

from minispore import backend, context
from minispore.autograd import flatten
from minispore.context import running, under
from minispore.graph.recorder import Recorder, RefusedError
from minispore.graph.replay import LeftPathError, Replay
from minispore.parameter import Parameter
from minispore.tensor import Tensor

_KINDS = 16  # kinds of input that one function keeps replays for
_PATIENCE = 8  # failures (a departure from the recorded path, two unlike runs) more than replays, and it is left alone


class _Plain(NamedTuple):
    """A Tensor in the description of a call: what matters of it."""

    shape: tuple
    dtype: object


def _described(value):
    """What of an argument a recording depends on: a Tensor's shape and dtype, any other value itself."""
    if isinstance(value, Parameter):
        return value
    if isinstance(value, Tensor):
        return _Plain(value._data.shape, value._data.dtype)
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_described, value))
    return type(value), value


class Recorded:
    """``function``, replayed where that gives the same numbers bit for bit.

    Args:
        function (Callable): What to record.
        name (str): What to call it when it cannot be replayed.
    """

    def __init__(self, function, name):
        self.function, self.name = function, name
        self.reason = None  # why the function is not replayed
        self._replays, self._first = {}, {}
        self._since, self._used, self._failures = None, False, 0

    def __call__(self, *args, **kwargs):
        """Replay, or record, or run."""
        if self.reason or not may_replay():
            return self.function(*args, **kwargs)
        self._notice_changes()
        inputs = _inputs(args, kwargs)
        try:
            key = running.cast, *map(_described, (args, tuple(kwargs.items())))
            replay = self._replays.get(key)
        except TypeError as error:
            self._leave_alone(f"an argument cannot be told apart from others ({error})")
            return self.function(*args, **kwargs)
        if replay is None:
            return self._record(key, inputs, args, kwargs)
        try:
            out = replay(inputs)
        except LeftPathError:
            del self._replays[key]
            self._count_failure("what it reads back to the host changes from call to call")
            return self._record(key, inputs, args, kwargs)
        self._used, self._failures = True, max(0, self._failures - 1)
        return out

    def _notice_changes(self):
        """Begin anew where a setting or an attribute of a cell has changed."""
        if context.changes.count != self._since:
            if self._since is not None and not self._used:
                self._count_failure("attributes of cells, or settings, change at every call")
            self._forget()

    def _forget(self):
        self._replays.clear()
        self._first.clear()
        self._since, self._used = context.changes.count, False

    def _record(self, key, inputs, args, kwargs):
        recorder = Recorder(inputs)
        with under(recorder=recorder, quiet=False):
            out = self.function(*args, **kwargs)
        try:
            found = recorder.finished(out)
        except RefusedError as reason:
            self._leave_alone(str(reason))
            return out
        first, self._first[key] = self._first.get(key), found
        if first is not None:
            self._keep(key, first, found)
        return out

    def _keep(self, key, first, second):
        """Replay what two runs did alike; where they did not, the next run may do as the second did."""
        try:
            self._replays[key] = Replay(first, second)
        except RefusedError as reason:
            self._count_failure(str(reason))
            return
        del self._first[key]
        if len(self._replays) > _KINDS:
            self._replays.pop(next(iter(self._replays)))
            self._count_failure("it is called with ever other kinds of input")

    def _count_failure(self, reason):
        self._failures += 1
        if self._failures > _PATIENCE:
            self._leave_alone(reason)

    def _leave_alone(self, reason):
        self.reason = reason
        self._forget()
        logging.getLogger("minispore").info("'%s' runs operation by operation: %s.", self.name, reason)

    def __reduce__(self):
        return Recorded, (self.function, self.name)  # a copy records anew

    @property
    def sources(self):
        """The texts of the replays, one for each kind of input."""
        return [replay.source for replay in self._replays.values()]


def may_replay():
    """Whether nothing watches the operations: no tape, no other recorder, no overflow register."""
    return running.tape is None and running.recorder is None and backend.register is None


def _inputs(args, kwargs):
    """The Tensors among the arguments, but Parameters, which are their own."""
    return [x for x in flatten([args, tuple(kwargs.values())]) if not isinstance(x, Parameter)]
