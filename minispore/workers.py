"""Workers: threads that share the pieces of one large operation. NumPy releases Python's lock in loops and products.

How many there are is the context's ``runtime_num_threads``. The calling thread is one of them; the others wait for
pieces, in which NumPy's calls should take 50 microseconds or more, since handing over costs about as much.
"""

import os
import threading
from queue import SimpleQueue

import numpy as np

from minispore import _startup, context

_piece = threading.local()  # ``.at_work``: whether this thread is inside a piece, whose own pieces it does alone
_jobs = SimpleQueue()
_threads = []


class _Job:
    """``work`` on each of ``pieces``: whoever is free takes the next one."""

    def __init__(self, work, pieces):
        self.work, self.results, self.errors = work, [None] * len(pieces), []
        self.next, self.ended = iter(list(enumerate(pieces))), SimpleQueue()

    def take_part(self):
        """Do pieces until none is left."""
        before, _piece.at_work = at_work(), True
        try:
            for i, piece in self.next:
                try:
                    self.results[i] = self.work(piece)
                except Exception as error:  # raised by the thread that waits for all pieces
                    self.errors.append(error)
                self.ended.put(i)
        finally:
            _piece.at_work = before


def at_work():
    """Whether this thread is inside a piece."""
    return getattr(_piece, "at_work", False)


def share(work, pieces):
    """``[work(piece) for piece in pieces]``, the pieces spread over the workers.

    A piece must write nothing that another reads or writes. The first error of a piece is raised when all have ended.
    """
    pieces = list(pieces)
    helpers = min(count(), len(pieces)) - 1
    if helpers < 1 or at_work():
        return [work(piece) for piece in pieces]
    job = _Job(work, pieces)
    _start(helpers)
    for _ in range(helpers):
        _jobs.put(job)
    job.take_part()
    for _ in pieces:
        job.ended.get()
    if job.errors:
        raise job.errors[0]
    return job.results


def count():
    """How many threads work on one operation, the calling one among them."""
    return context.settings["runtime_num_threads"] or _startup.WORKERS


def useful(size, least):
    """How many workers to spread a work of ``size`` over, so that each has at least about ``least`` of it."""
    return 1 if at_work() else max(1, min(count(), size // least))


def _start(helpers):
    """Have at least so many threads that wait for jobs."""
    while len(_threads) < helpers:
        thread = threading.Thread(target=_wait_for_jobs, name=f"minispore worker {len(_threads) + 1}", daemon=True)
        _threads.append(thread)
        thread.start()


def _wait_for_jobs():
    with np.errstate(all="ignore"):  # inf and nan are results here, and each thread has its own settings
        while True:
            _jobs.get().take_part()


def _begin_anew():
    """A forked process has none of the threads."""
    global _jobs
    _jobs = SimpleQueue()
    _threads.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
