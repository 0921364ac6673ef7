"""Workers of a pipeline: threads or processes that work on several items at once and answer in the items' order.

Processes are forked, so that functions need not be pickled; where the system cannot fork, threads take their place. A
process starts each item with NumPy's and Python's random numbers seeded for it. So a function's draws do not depend on
the process that it ran in. All end with the pass: at its end, at an error, and when an iterator is dropped half-way. A
process leaves Ctrl-C to its parent, and ends by itself when its parent is gone.
"""

import os
import random
import signal
import sys
import traceback
import warnings
from collections import deque

import numpy as np

from minispore.core.context import set_context
from minispore.core.errors import is_own_sentence, runtime_error
from minispore.data.dataset import config

__all__ = ["ordered"]

_CAN_FORK = sys.platform == "linux"
_PATIENCE = 1.0  # seconds after which a waiting process looks whether its parent is there


def ordered(work, items, workers, processes=False, seed=()):
    """``work(item)`` for each of ``items``, in their order, worked out by ``workers`` at once.

    Args:
        work (Callable): A function of one item.
        items (Iterable): The items, taken by the calling thread.
        workers (int): How many work at once; 1 is the calling thread alone.
        processes (bool): True if they are processes.
        seed (tuple): The seed of a process's random numbers, beside the number of the item.
    """
    if workers == 1:
        return map(work, items)
    return _by_processes(work, items, workers, seed) if processes and _CAN_FORK else _by_threads(work, items, workers)


def _by_threads(work, items, workers):
    from concurrent.futures import ThreadPoolExecutor  # here and below, so that importing minispore stays quick

    window = max(workers, config.get_prefetch_size())
    size = max(window // (2 * workers), 1)  # one item at a time would cost threads more than a small image does
    pool = ThreadPoolExecutor(workers, "minispore data worker")
    try:
        for done, error in _flow(lambda group: pool.submit(_each, work, group), _groups(items, size), window // size):
            yield from done
            if error is not None:
                raise error
    finally:
        pool.shutdown(cancel_futures=True)


def _groups(items, size):
    """Lists of ``size`` items; an error of ``items`` comes after those before it."""
    items, group, failure = iter(items), [], None
    while failure is None:
        try:
            group.append(next(items))
        except StopIteration:
            break
        except Exception as error:  # raised below
            failure = error
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
    if failure is not None:
        raise failure


def _each(work, group):
    """The results of ``work`` for a group of items, up to the first error, and that error or None."""
    done = []
    for item in group:
        try:
            done.append(work(item))
        except Exception as error:  # raised where the result is asked for
            return done, error
    return done, None


def _by_processes(work, items, workers, seed):
    team = deque(_Process(work, seed) for _ in range(workers))
    try:
        yield from _flow(lambda item: _next_of(team).begin(item), enumerate(items), workers)
    finally:
        for process in team:
            process.end()


def _next_of(team):
    """The process for the next item: they take turns, so each has at most one item."""
    team.rotate(-1)
    return team[-1]


def _flow(submit, items, window):
    """The results in order, while at most ``window`` items are at work; an error of ``items`` comes in its place."""
    waiting, failure, items = deque(), None, iter(items)
    while failure is None:
        try:
            item = next(items)
        except StopIteration:
            break
        except Exception as error:  # raised below, after the results of the items before it
            failure = error
            break
        done = [waiting.popleft().result()] if len(waiting) == window else []
        waiting.append(submit(item))
        yield from done
    while waiting:
        yield waiting.popleft().result()
    if failure is not None:
        raise failure


class _RemoteError(Exception):
    """The place in a process where an error was raised."""

    def __str__(self):
        return f"\n{self.args[0]}"


class _Process:
    """A forked process that works on one item at a time."""

    def __init__(self, work, seed):
        from multiprocessing import get_context

        fork = get_context("fork")
        self.connection, theirs = fork.Pipe()
        arguments = (work, seed, theirs, self.connection, os.getpid())
        self.process = fork.Process(target=_serve, args=arguments, name="minispore data worker", daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: only NumPy's and ours run
            self.process.start()
        theirs.close()

    def begin(self, item):
        """Send an item; ``result`` waits for its outcome."""
        try:
            self.connection.send(item)
        except BrokenPipeError:
            raise self._death() from None
        return self

    def result(self):
        """The result of the item sent last, or its error."""
        try:
            succeeded, outcome = self.connection.recv()
        except (EOFError, ConnectionResetError):
            raise self._death() from None
        if succeeded:
            return outcome
        error, trace = outcome
        raise error from _RemoteError(trace)

    def _death(self):
        self.process.join()
        expected = "a worker process must live until its work is done"
        return runtime_error("Dataset", expected, f"its end with code {self.process.exitcode}")

    def end(self):
        """Stop the process, whatever it does, and wait for its end."""
        self.process.terminate()
        self.process.join()
        self.process.close()
        self.connection.close()


def _serve(work, seed, connection, parents_end, parent):
    """Work on the items that come until the parent ends the process or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    set_context(runtime_num_threads=1)  # the processes share the cores among them
    parents_end.close()
    while os.getppid() == parent:
        if connection.poll(_PATIENCE):
            number, item = connection.recv()
            key = [*seed, number]
            np.random.seed(key)
            random.seed(repr(key))
            _answer(connection, work, item)


def _answer(connection, work, item):
    """Send the result or the error; a result that cannot be sent is an error."""
    try:
        connection.send((True, work(item)))
    except Exception as error:
        trace = "".join(traceback.format_exception(error))
        known = is_own_sentence(error) and type(error) in (RuntimeError, TypeError, ValueError)
        reported = (
            error if known else runtime_error("Dataset", "a worker must answer", f"{type(error).__name__}: {error}")
        )
        connection.send((False, (type(reported)(str(reported)), trace)))
