"""A group whose processes are threads of this one, to hold the laws of the protocol without a launcher."""

import contextlib
import functools
import threading

import numpy as np

from minispore.core.context import settings
from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Group, late

_PATIENCE = 300  # seconds, after which a thread that does not come keeps the others no longer
_COMBINE = {"sum": np.add, "prod": np.multiply}


class EndedError(RuntimeError):
    """What a thread raises that would wait for one that has ended by an error, its cause."""


class ThreadGroup(Group):
    """The threads of :func:`in_threads`, each of which sees its own ``rank``.

    As in MPI, what one thread begins meets what the others begin at the same place of a lane: first meets first, second
    meets second, whenever they are awaited. The sums that go on beside other movements have a lane of their own.
    """

    def __init__(self, ranks, number=None):
        self.ranks, self.hosts = tuple(ranks), ("here",) * len(ranks)
        self._number = number or threading.local()
        self._parts, self._coming = {}, threading.Condition()
        self.begin()

    def begin(self):
        """Forget who has ended, and what has begun."""
        self._lanes = {lane: [[] for _ in self.ranks] for lane in ("calls", "sums")}  # lane -> rank -> what has begun
        self._awaited, self._ended, self._broken = threading.local(), None, False
        for part in self._parts.values():
            part.begin()

    def end(self, rank, error):
        """Tell those that wait for process ``rank``, now or later, that it has ended by an error."""
        if rank in self.ranks:
            with self._coming:
                self._ended = self._ended or (rank, error)
                self._coming.notify_all()
        for part in self._parts.values():
            part.end(rank, error)

    @property
    def rank(self):
        return self.ranks.index(self._number.value)

    @property
    def _begun(self):
        return getattr(self._awaited, "agreement", None)

    @_begun.setter
    def _begun(self, wait):
        self._awaited.agreement = wait

    def _begin(self, operation, kind, mine, lane="calls"):
        """Begin a movement of a kind; returns the function that waits, and returns what every thread moves."""
        with self._coming:
            lanes, rank = self._lanes[lane], self.rank
            number = len(lanes[rank])
            lanes[rank].append((kind, mine))
            self._coming.notify_all()
        return lambda: self._everyones(operation, lanes, number)

    def _everyones(self, operation, lanes, number):
        def all_here():
            return all(len(lane) > number for lane in lanes)

        with self._coming:
            patience = min(settings["op_timeout"] or _PATIENCE, _PATIENCE)
            if not self._coming.wait_for(lambda: all_here() or self._ended or self._broken, patience):
                self._broken = True
                self._coming.notify_all()
            if not all_here():
                raise self._why(operation)
        kinds = {lane[number][0] for lane in lanes}
        assert len(kinds) == 1, f"in {operation} movements meet that do not belong together: {kinds}"
        return [lane[number][1] for lane in lanes]

    def _why(self, operation):
        """The error of a thread that waits in vain."""
        if self._broken:
            return late(operation, self)
        rank, cause = self._ended
        error = EndedError(f"For '{operation}', rank {rank} must come, but has ended by {cause!r}.")
        error.__cause__ = cause
        return error

    def _start_exchange(self, operation, record):
        return self._begin(operation, f"records of {len(record)} bytes", record)

    def start_sum(self, operation, array):
        wait = self._begin(operation, f"sums of {array.size} numbers", array.copy(), "sums")
        return lambda: functools.reduce(np.add, wait())

    def _all_reduce(self, operation, array, op):
        return functools.reduce(_COMBINE[op], self._begin(operation, op, array.copy())())

    def _all_gather(self, operation, array):
        return np.stack(self._begin(operation, "gather", array.copy())())

    def _reduce_scatter(self, operation, array, op):
        return np.split(self._all_reduce(operation, array, op), self.size)[self.rank]

    def _broadcast(self, operation, array, root):
        return self._begin(operation, f"broadcast of {root}", array.copy())()[root].copy()

    def _split(self, ranks):
        part = self._parts.setdefault(tuple(ranks), ThreadGroup(ranks, self._number))
        return part if self._number.value in ranks else None


@contextlib.contextmanager
def processes(count):
    """The world is a ThreadGroup, as which it is given, during a ``with`` block."""
    world.enter(ThreadGroup(range(count)))
    try:
        yield world.world()
    finally:
        world.leave()


def in_threads(group, function):
    """What ``function(rank)`` returns or raises in the thread of each rank, as a list."""
    found = [None] * group.size
    group.begin()

    def run(rank):
        group._number.value = rank
        try:
            found[rank] = function(rank)
        except BaseException as error:  # what pytest.raises raises in vain is no Exception
            found[rank] = error
            group.end(rank, error)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(group.size)]
    list(map(threading.Thread.start, threads))
    list(map(threading.Thread.join, threads))
    return found


def values_of(found):
    """The results of :func:`in_threads`, if none is an error; the first one's cause comes before those who waited."""
    errors = [value for value in found if isinstance(value, BaseException)]
    for error in sorted(errors, key=lambda error: isinstance(error, EndedError)):
        raise error
    return found


def every(count, function):
    """``function(rank)`` of each of ``count`` processes."""
    with processes(count) as group:
        return values_of(in_threads(group, function))
