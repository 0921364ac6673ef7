"""The random numbers of the data: one seed for all, and a stream of its own for each sample that a pipeline works on.

The seed is the one set last, by ``set_seed`` of the framework or of ``dataset.config``; without one each iterator has a
random seed. A pipeline names a stream for each sample, so that the numbers that transforms draw do not depend on which
worker comes first.
"""

import contextlib
import threading

import numpy as np

from minispore import context

__all__ = ["drawing_from", "generator", "seed", "set_seed"]


class _Own(threading.local):
    """What one thread draws from: the stream that was named last, or its own of the process's seed."""

    key = None  # of the stream that a pipeline names
    made = None  # its generator, made when it is first asked for
    state, own = None, None


_thread = _Own()
_of_data = {"seed": None, "times": 0, "before": None}  # the seed, how often it was set, and the framework's times then


def set_seed(value):
    """Start the random numbers of the data anew from ``value``; None leaves them to the framework's seed again."""
    _of_data.update(seed=value, times=_of_data["times"] + 1, before=context.seed.times)


def seed():
    """The seed that was set last, or None."""
    mine = _of_data["seed"] is not None and _of_data["before"] == context.seed.times
    return _of_data["seed"] if mine else context.seed.value


def generator():
    """The NumPy generator that the running transform draws from."""
    if _thread.key is not None:
        if _thread.made is None:
            _thread.made = np.random.default_rng(_thread.key)
        return _thread.made
    state = (_of_data["times"], context.seed.times, seed())
    if _thread.state != state:
        _thread.state, _thread.own = state, np.random.default_rng(seed())
    return _thread.own


@contextlib.contextmanager
def drawing_from(*key):
    """Within it, this thread's transforms draw from the stream named by ``key``, ints that are at least 0."""
    before = _thread.key, _thread.made
    _thread.key, _thread.made = key, None
    try:
        yield
    finally:
        _thread.key, _thread.made = before
