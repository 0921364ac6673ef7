"""The random numbers of transforms: the process's own stream, or the one that a pipeline names for each sample.

The process's own stream starts anew with ``set_seed``, of the framework or of the datasets; without a seed it is
different each time. A pipeline that applies transforms in several workers names a stream for each sample, so that the
numbers do not depend on which worker comes first.
"""

import contextlib
import threading

import numpy as np

from minispore import context

__all__ = ["drawing_from", "generator", "set_seed"]


class _Own(threading.local):
    """What one thread draws from: the stream that was named last, or its own of the process's seed."""

    key = None  # of the stream that a pipeline names
    made = None  # its generator, made when it is first asked for
    state, own = None, None


_thread = _Own()
_dataset_seed = [None, 0]  # the datasets' own seed, and how often it was set


def set_seed(seed):
    """Start the transforms' random numbers anew from ``seed``; None leaves them to the framework's seed again."""
    _dataset_seed[:] = [seed, _dataset_seed[1] + 1]


def generator():
    """The NumPy generator that the running transform draws from."""
    if _thread.key is not None:
        if _thread.made is None:
            _thread.made = np.random.default_rng(_thread.key)
        return _thread.made
    state = (*_dataset_seed, context.seed.value, context.seed.times)
    if _thread.state != state:
        seed = context.seed.value if _dataset_seed[0] is None else _dataset_seed[0]
        _thread.state, _thread.own = state, np.random.default_rng(seed)
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
