"""JitFunction: a function that is recorded twice for each kind of input, and replayed from then on.

A function that cannot be replayed runs eagerly; ``reason`` says why.
"""

import logging

from minispore.core import backend
from minispore.core.journal import Journal
from minispore.core.layers import Layer
from minispore.core.observation import are_seen
from minispore.core.running import changes, running
from minispore.graph.guards import Guards
from minispore.graph.opcodes import untested_python
from minispore.graph.outputs import RefusedError
from minispore.graph.recorder import Recorder
from minispore.graph.replay import LeftPathError, Replay
from minispore.graph.signature import StandIns, described, objects_in, tensors_in

_KINDS = 16  # kinds of input that one function keeps replays for
_UNTESTED = "Graph mode is not tested on %s, so every function and cell runs operation by operation."
captured_replay = None  # what makes one CUDA graph of a recording: ``devices/cuda/capture.py`` puts its class here
_warned = set()  # Pythons with a warning already
_PATIENCE = 8  # failures (a left path, two unlike runs) minus replays, after which recording ends


class Compiled(Layer):
    """Mark of code that MindSpore would compile: in it the hooks of cells have no effect."""

    without_hooks = True


class JitFunction:
    """``function``, replayed whenever that gives the same numbers bit for bit.

    Args:
        function (Callable): The function to record.
        name (str): Its name in the reason for not replaying it.
        owner (object): The cell whose call ends with this function: nothing can raise after it. Default: None.
    """

    def __init__(self, function, name, owner=None):
        self.function, self.name, self._owner = function, name, owner
        self.reason = None  # the reason why the function is not replayed
        self._replays, self._first = {}, {}
        self._since, self._used, self._failures = None, False, 0
        self._around = None  # guards of the recordings, besides the count of changes

    def __call__(self, *args, **kwargs):
        """Replay, or record, or run."""
        if self.reason or not may_replay():
            return self._run(args, kwargs)
        self._notice_changes()
        inputs = tensors_in((args, kwargs) if kwargs else args)
        try:
            # The cast is in the key: the same cell may run inside a float16 network and alone.
            key = running.cast, *described(inputs, args, kwargs)
            replay = self._replays.get(key)
        except TypeError as error:
            self._leave_alone(f"an argument cannot be compared with others ({error})")
            return self._run(args, kwargs)
        if replay is None:
            return self._record(key, inputs, args, kwargs)
        try:
            out = replay(inputs)
        except LeftPathError as what:
            self._replays.pop(key, None)
            self._count_failure(f"{what} changes from call to call")
            return self._record(key, inputs, args, kwargs)
        # A success pays a failure back: a function that changes now and then goes on being replayed.
        self._used, self._failures = True, max(0, self._failures - 1)
        return out

    def _run(self, args, kwargs):
        with Compiled():
            return self.function(*args, **kwargs)

    def _notice_changes(self):
        """Start over if anything that the function sees has changed: a setting, a cell's attribute, a name, a list."""
        # The count is one comparison. It covers cells and settings; lists, globals and the like have to be read again.
        if changes.count == self._since and not (self._around is not None and self._around.changed()):
            return
        if self._since is not None and not self._used:
            self._count_failure(
                "the state that it sees (globals, lists, attributes of cells, settings) changes from call to call"
            )
        self._forget()

    def _forget(self):
        self._replays.clear()
        self._first.clear()
        self._since, self._used, self._around = changes.count, False, None

    def _record(self, key, inputs, args, kwargs):
        unseen = self._look_around(objects_in((args, kwargs)))
        if unseen:
            self._leave_alone(unseen)
            return self._run(args, kwargs)
        out, recorder, journal = self._run_recorded(inputs, args, kwargs)
        try:
            found = recorder.finished(out)
        except RefusedError as reason:
            self._leave_alone(str(reason))
            return out
        finally:
            # The recorded run has made its writes. A skipped step undoes them now, as every replay will.
            recorder.undo_skipped(journal)
        first = self._first.pop(key, None)
        if (first is None or not self._keep(key, first, found)) and self.reason is None:
            self._wait(key, found)
        return out

    def _look_around(self, objects):
        """Guard the function's state and the arguments other than Tensors; returns the reason against it, or None."""
        python = untested_python()
        if python:
            _warn_once(python)
            return f"graph mode is not tested on {python}"
        around = self._around
        if around is None:
            around = self._around = Guards(self.function, objects)
        else:
            around.add(objects)
        return around.refusal

    def _run_recorded(self, inputs, args, kwargs):
        """The function's result for stand-ins of its inputs, the recorder of the run, and its journal."""
        stand_ins = StandIns(inputs)
        args, kwargs = stand_ins(args), {name: stand_ins(x) for name, x in kwargs.items()}
        recorder = Recorder([stand_ins(x) for x in inputs])
        with Journal() as journal:
            try:
                with recorder:
                    out = self._run(args, kwargs)
            finally:
                stand_ins.hand_back(recorder)
        return out, recorder, journal

    def _wait(self, key, found):
        """Keep a recording, to compare it with the next run of this kind."""
        self._first[key] = found
        if len(self._first) > _KINDS:
            self._first.pop(next(iter(self._first)))
            self._count_failure("it is called with ever new kinds of input")

    def _keep(self, key, first, second):
        """Make a replay of two equal runs; returns False if they differ."""
        try:
            captures = backend.has_kernels()
            made = captured_replay(first, second, self.name, self._owner) if captures else Replay(first, second)
            self._replays[key] = made
        except RefusedError as reason:
            self._count_failure(str(reason))
            return False
        if len(self._replays) > _KINDS:
            self._replays.pop(next(iter(self._replays)))
            self._count_failure("it is called with ever new kinds of input")
        return True

    def _count_failure(self, reason):
        self._failures += 1
        if self._failures > _PATIENCE:
            self._leave_alone(reason)

    def _leave_alone(self, reason):
        self.reason = reason
        self._forget()
        logging.getLogger("minispore").info("'%s' runs operation by operation: %s.", self.name, reason)

    def __reduce__(self):
        return JitFunction, (self.function, self.name, self._owner)  # a copy records anew

    @property
    def not_captured(self):
        """On a GPU, a reason for each kind of input that is not replayed as one CUDA graph; None for the others."""
        return [replay.reason for replay in self._replays.values() if hasattr(replay, "reason")]

    @property
    def sources(self):
        """The source texts of the replays, one for each kind of input."""
        return [replay.source for replay in self._replays.values()]


def _warn_once(python):
    """Warn that nothing is replayed on this Python."""
    if python not in _warned:
        _warned.add(python)
        logging.getLogger("minispore").warning(_UNTESTED, python)


def may_replay():
    """True if neither a tape nor a layer sees the operations."""
    return running.tape is None and not are_seen()
