"""Workers: threads that share the pieces of one large operation. NumPy releases the GIL in loops and products.

Their number is the context's ``runtime_num_threads``. The calling thread is one of them; the others wait for pieces. A
piece's NumPy calls should take 50 microseconds or more, since a thread that sleeps needs about as long to wake.
"""

import os
import threading
from queue import SimpleQueue

import numpy as np

from minispore.core import _startup, context
from minispore.ops.kernels.threads import cores, one_blas_thread, take_all

DEFAULT, REASON = (1, "as MINISPORE_STARTUP=0 says") if "startup" in _startup.REPORT else cores()
context.settings.add_keys({"runtime_num_threads": (DEFAULT, range(1025))})
if _startup.NUMPY_CAME_FIRST and "startup" not in _startup.REPORT:
    one_blas_thread()

_piece = threading.local()  # ``.at_work``: whether this thread is inside a piece; it then does nested pieces alone
_jobs = SimpleQueue()
_threads = []


class _Job:
    """``work`` on each of ``pieces``: an idle worker takes the next one."""

    def __init__(self, work, pieces):
        self.work, self.results, self.errors = work, [None] * len(pieces), []
        self.buffer = np.getbufsize()  # sums may depend on it, and must not depend on who takes a piece
        self.next, self.ended = iter(list(enumerate(pieces))), SimpleQueue()

    def take_part(self):
        """Do pieces until none is left."""
        _piece.at_work = True  # nobody inside a piece takes part in a further job
        np.setbufsize(self.buffer)
        try:
            for i, piece in self.next:
                try:
                    self.results[i] = self.work(piece)
                except Exception as error:  # raised by the thread that waits for all pieces
                    self.errors.append(error)
                self.ended.put(i)
        finally:
            _piece.at_work = False


def at_work():
    """True if this thread is inside a piece."""
    return getattr(_piece, "at_work", False)


def share(work, pieces):
    """``[work(piece) for piece in pieces]``, with the pieces spread over the workers.

    A piece must not write anything that another reads or writes. The first error is raised when all pieces have ended.
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
    take_all(job.ended, len(pieces))
    if job.errors:
        raise job.errors[0]
    return job.results


def count():
    """The number of threads that work on one operation, the calling one included."""
    return context.settings["runtime_num_threads"] or DEFAULT


def useful(size, least):
    """The number of workers to share ``size`` units of work, each with about ``least`` or more."""
    return 1 if size < 2 * least or at_work() else max(1, min(count(), size // least))


def _start(helpers):
    """Have at least this many helper threads waiting for jobs, and BLAS on one thread beside them."""
    one_blas_thread()
    while len(_threads) < helpers:
        thread = threading.Thread(target=_wait_for_jobs, name=f"minispore worker {len(_threads) + 1}", daemon=True)
        _threads.append(thread)
        thread.start()


def _wait_for_jobs():
    with np.errstate(all="ignore"):  # inf and nan are results here, and errstate is per thread
        while True:
            _jobs.get().take_part()


def _begin_anew():
    """Forget the helper threads in a forked process: threads are not forked."""
    global _jobs
    _jobs = SimpleQueue()
    _threads.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
