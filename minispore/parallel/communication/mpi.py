"""The engine MPI: groups of processes started by ``mpiexec``, through mpi4py."""

import atexit
import importlib
import os
import sys
import time

import numpy as np

from minispore.core.context import settings
from minispore.core.errors import runtime_error
from minispore.parallel.communication.protocol import Group, late

__all__ = []

LAUNCHERS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE")  # variables in which MPI's launchers give the number of processes
_SPINS = 1000  # questions of a wait before it sleeps between two
_NAP = 5e-5  # seconds
_LAST_WORDS = 2.0  # seconds that a failing process gives the others to fail with a message of their own


def _library():
    try:
        return importlib.import_module("mpi4py.MPI")
    except (ImportError, RuntimeError) as error:  # RuntimeError: mpi4py has found no library of MPI
        expected = 'MPI needs mpi4py and a library of MPI: pip install "mpi4py>=4.0" "mpich>=4.2" (the extra mpi)'
        raise runtime_error("init", expected, str(error)) from error


class _Movement:
    """A movement of data by MPI between the ``buffers``, which stay as long as it may use them."""

    def __init__(self, operation, request, buffers):
        self.operation, self.request, self.buffers = operation, request, buffers


class MPIGroup(Group):
    """The processes of an MPI communicator.

    Each movement is MPI's non-blocking one and a wait for it, so that ``op_timeout`` ends a wait for a process that
    does not come. Sums that go on beside other movements have a communicator of their own: the order of the two kinds
    may differ from process to process.
    """

    def __init__(self, mpi, communicator, ranks, hosts, beside=None):
        self._mpi, self._communicator, self.ranks, self.hosts = mpi, communicator, tuple(ranks), tuple(hosts)
        self._beside = beside
        self.rank = communicator.Get_rank()
        self._ops = {"sum": mpi.SUM, "prod": mpi.PROD}
        self._moving = []  # the movements that have begun
        self._given_up = None  # the operation whose end was not awaited

    def _begin(self, operation, start, *buffers):
        """Begin the movement whose request ``start(*buffers)`` returns."""
        self._check_usable(operation)
        movement = _Movement(operation, start(*buffers), buffers)
        self._moving.append(movement)
        return movement

    def _check_usable(self, operation):
        if self._given_up is not None:
            raise runtime_error(operation, f"the group cannot be used after '{self._given_up}' has not ended")

    def _end(self, movement):
        """Wait for a movement that has begun."""
        self._check_usable(movement.operation)
        self._given_up, asked, limit = movement.operation, 0, settings["op_timeout"]
        end = time.monotonic() + limit
        while not movement.request.Test():
            asked += 1
            if asked > _SPINS:
                time.sleep(_NAP)
                if limit and time.monotonic() > end:
                    raise late(movement.operation, self)
        self._given_up = None
        self._moving.remove(movement)

    def _wait(self, operation, start, *buffers):
        self._end(self._begin(operation, start, *buffers))

    def advance(self):
        for movement in self._moving:
            movement.request.Test()

    def give_up(self, operation):
        self._given_up = operation

    def _start_exchange(self, operation, record):
        mine, all_ = np.frombuffer(record, np.uint8), np.empty((self.size, len(record)), np.uint8)
        movement = self._begin(operation, self._communicator.Iallgather, mine, all_)

        def finish():
            self._end(movement)
            return [row.tobytes() for row in all_]

        return finish

    def start_sum(self, operation, array):
        movement = self._begin(operation, self._reduction(self._beside.Iallreduce, "sum"), self._mpi.IN_PLACE, array)

        def finish():
            self._end(movement)
            return array

        return finish

    def _all_reduce(self, operation, array, op):
        out = np.empty_like(array)
        self._wait(operation, self._reduction(self._communicator.Iallreduce, op), array, out)
        return out

    def _all_gather(self, operation, array):
        mine = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        out = np.empty((self.size, mine.size), np.uint8)
        self._wait(operation, self._communicator.Iallgather, mine, out)
        return out.view(array.dtype).reshape(self.size, *array.shape)

    def _reduce_scatter(self, operation, array, op):
        out = np.empty((array.shape[0] // self.size, *array.shape[1:]), array.dtype)
        self._wait(operation, self._reduction(self._communicator.Ireduce_scatter_block, op), array, out)
        return out

    def _broadcast(self, operation, array, root):
        out = np.array(array, order="C")
        self._wait(operation, lambda buffer: self._communicator.Ibcast(buffer, root), out.reshape(-1).view(np.uint8))
        return out

    def _split(self, ranks):
        inside = self.rank in ranks
        color = 0 if inside else self._mpi.UNDEFINED
        communicator = self._communicator.Split(color, ranks.index(self.rank) if inside else 0)
        if not inside:
            return None
        return MPIGroup(self._mpi, communicator, ranks, [self.hosts[r] for r in ranks], communicator.Dup())

    def _reduction(self, start, op):
        return lambda array, out: start(array, out, self._ops[op])

    def abort(self, sentence):
        """Print ``sentence`` and end every process of the job."""
        print(sentence, file=sys.stderr, flush=True)
        self._communicator.Abort(1)

    def close(self):
        if _job.get("group") is self:
            _job.update(group=None, last=None)
        if self._given_up is None:
            self._communicator.Free()
            self._beside.Free()


def world():
    """The group of all processes that MPI's launcher has started.

    Raises:
        RuntimeError: If mpi4py or a library of MPI is missing, the launcher is that of another library, or a process
            does not come.
    """
    mpi = _library()
    everyone = MPIGroup(mpi, mpi.COMM_WORLD, range(mpi.COMM_WORLD.Get_size()), ())
    for key in LAUNCHERS:
        count = os.environ.get(key, "")
        if count not in ("", "0", str(everyone.size)):
            expected = "the launcher must be that of the library of MPI that mpi4py has loaded"
            raise runtime_error("init", expected, f"{key}={count} and {everyone.size} processes that see one another")
    everyone.agree("init", "all ranks")
    hosts = everyone.exchange_texts("init", mpi.Get_processor_name())
    group = MPIGroup(mpi, mpi.COMM_WORLD.Dup(), everyone.ranks, hosts, mpi.COMM_WORLD.Dup())
    if group.size > 1:
        _end_together(group, mpi.COMM_WORLD.Dup())
    return group


_job = {}  # between init and release: "group" of all processes, "last", what they meet by when they fail
_ended = []  # errors that nothing has caught


def _end_together(group, last):
    """Let an error that nothing catches end all processes, and the end of one tell those that still wait for it."""
    if not _job:
        atexit.register(_at_exit)
        sys.excepthook = _after(sys.excepthook)
    _job.update(group=group, last=last)


def _after(before):
    """An excepthook that calls ``before``, and then ends all processes of a job that still communicate."""

    def on_error(kind, error, trace):
        before(kind, error, trace)
        _ended.append(kind)
        group = _job["group"]
        if group is not None:
            _others_fail_too(_job["last"])
            name = f"rank {group.rank} of {group.size}"
            group.abort(f"For 'communication', {name} has ended by {kind.__name__}: all others end too.")

    return on_error


def _at_exit():
    """Tell the others that this process has ended; those that still work on something else may take their time.

    After a wait that has been given up they cannot be told: all end.
    """
    group = _job["group"]
    if group is None or _ended:
        return
    if group._given_up is not None:
        name = f"rank {group.rank} of {group.size}"
        group.abort(f"For 'communication', {name} has ended, and '{group._given_up}' has not: all others end too.")
    else:
        settings["op_timeout"] = 0
        group.agree("the end of the process", "all ranks")


def _others_fail_too(last):
    """Wait a moment for the others, so that each prints its own error before one ends all."""
    request, end = last.Ibarrier(), time.monotonic() + _LAST_WORDS
    while not request.Test() and time.monotonic() < end:
        time.sleep(_NAP)
