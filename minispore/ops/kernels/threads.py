"""The number of threads for this process, and that BLAS takes one of them, beside the workers that share a product.

The cores are the least that its affinity, its container's quota and its environment grant. A job that starts several
processes on one machine shares the cores among them: MPI and pytest-xdist say how many there are.
"""

import functools
import math
import os
from pathlib import Path

import numpy as np

__all__ = []

_NEIGHBOURS = ("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "PYTEST_XDIST_WORKER_COUNT")
_LIMITS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
_TIMES, _NUMBERS = 40, np.ones((3, 1 << 10))  # of short calculations, about 10 microseconds each
_GROUPS, _OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def cores():
    """``(number, reason)``: the threads that this process may compute with, at least 1, and what decided it."""
    every = os.cpu_count() or 1
    found = [(every, "cores of the machine")]
    if hasattr(os, "sched_getaffinity"):
        found.append((len(os.sched_getaffinity(0)), "cores of this process (affinity)"))
    found += [(max(1, math.ceil(quota)), "cores of its control group (cgroup)") for quota in _quotas()]
    found += [(max(1, every // count), f"share of {count} processes ({name})") for name, count in _counts(_NEIGHBOURS)]
    found += [(count, f"as {name} says") for name, count in _counts(_LIMITS)[:1]]
    return min(found, key=lambda each: each[0])


def _counts(names):
    """The variables of the environment that hold a positive number, or a list that begins with one, as OpenMP's may."""
    told = [(name, os.environ.get(name, "").partition(",")[0].strip()) for name in names]
    return [(name, int(text)) for name, text in told if text.isdecimal() and int(text) > 0]


def _quotas():
    """The cores that each control group around this process grants in a period; none where there is no limit."""
    for folder in _group_folders():
        both = _words(folder / "cpu.max") or _words(folder / "cpu.cfs_quota_us") + _words(folder / "cpu.cfs_period_us")
        if len(both) == 2 and all(word.isdecimal() for word in both):
            yield int(both[0]) / int(both[1])


def _group_folders():
    """The folders of this process's control groups, version 2's and version 1's, and those around them."""
    lines = [line.split(":", 2) for line in _words(_OWN_GROUP) if line.count(":") >= 2]
    for _, controllers, path in lines:
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = _GROUPS / controllers if controllers else _GROUPS
        own = top / path.lstrip("/")
        yield from (folder for folder in (own, *own.parents) if folder.is_relative_to(top))


def _words(path):
    """The words of a small file; none where it cannot be read."""
    try:
        return path.read_text().split()
    except OSError:
        return []


def take_all(queue, count):
    """Take so many items, which other threads put into the queue; wait for them awake at first, then asleep.

    A thread that sleeps needs 30 to 60 microseconds to wake. NumPy's calculations release Python's lock, which the
    other threads need.
    """
    for _ in range(_TIMES):
        if queue.qsize() >= count:
            break
        np.fmod(*_NUMBERS)
    return [queue.get() for _ in range(count)]


@functools.cache
def one_blas_thread():
    """Have every BLAS that is loaded compute on the calling thread alone; the names of those that obey."""
    from threadpoolctl import ThreadpoolController  # here, so that importing minispore stays quick

    found = ThreadpoolController().select(user_api="blas")
    found.limit(limits=1)
    return [each["internal_api"] for each in found.info()]


@functools.cache
def blas_kernels():
    """The processors that the kernels of each loaded BLAS are written for, as it names them."""
    from threadpoolctl import ThreadpoolController  # here, for the same reason

    return {each.get("architecture") for each in ThreadpoolController().select(user_api="blas").info()}
