"""The processes of ``minispore train --distributed``. Each trains on its rows of every batch; the first one reports."""

import numpy as np

from minispore.core import context
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.parallel import communication
from minispore.parallel.communication import world

__all__ = []

_NAME = "train"


def join(job):
    """Begin to communicate with the other processes, if the job is for several.

    Raises:
        RuntimeError: If they cannot communicate.
        ValueError: If they cannot share a batch evenly.
    """
    if not job.distributed:
        return
    communication.init()
    context.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    count = world.world().size
    if job.batch_size % count:
        expected = f"the '--batch-size' must be divisible by {count}, the number of processes"
        raise value_error(_NAME, expected, job.batch_size)


def leave(job):
    """End what :func:`join` has begun."""
    if job.distributed:
        context.reset_auto_parallel_context()
        communication.release()


def meet():
    """Wait until all processes are here."""
    if world.world().size > 1:
        world.world().barrier(_NAME)


def is_first():
    """True in the process that prints and saves."""
    return world.world().rank == 0


def part(x):
    """This process's rows of a Tensor: an even share, for which the first rows of a smaller last batch come again."""
    group = world.world()
    if group.size == 1:
        return x
    rows = -(-len(x) // group.size)
    return Tensor(x.asnumpy()[(group.rank * rows + np.arange(rows)) % len(x)])


def mean(numbers):
    """The numbers averaged over the processes."""
    group = world.world()
    if group.size == 1:
        return numbers
    return group.all_reduce(_NAME, np.array(numbers, np.float64), factor=1 / group.size).tolist()


def anywhere(flag):
    """True if the flag is set in any process."""
    group = world.world()
    return flag if group.size == 1 else bool(group.all_reduce(_NAME, np.array(flag, np.int32), "max"))


def of_first(function):
    """The function's result in the first process, a float."""
    found = np.array(function() if is_first() else 0.0, np.float64)
    return float(world.world().broadcast(_NAME, [found], 0)[0])
