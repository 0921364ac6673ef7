"""The random numbers of the data: one seed for all, and a stream of its own for each sample that a pipeline works on.

The seed is the one set last, by ``set_seed`` of the framework or of ``dataset.config``; without one each iterator has a
random seed. A pipeline names a stream for each sample: so the numbers that transforms draw do not depend on the order
of the workers.
"""

import threading

import numpy as np

from minispore.core import seeds

__all__ = ["drawing_from", "generator", "seed", "set_seed"]


class _Own(threading.local):
    """The stream that one thread draws from: the one named last, or its own of the process's seed."""

    key = None  # of the stream that a pipeline names
    made = None  # its generator, made when it is first asked for
    spare = None  # a generator that no stream uses: to start it anew is quicker than to make one
    state, own = None, None


_thread = _Own()
_begun = [0]
_of_data = {"seed": None, "times": 0, "before": None}  # the seed, how often it was set, and the framework's times then


def set_seed(value):
    """Start the random numbers of the data anew from ``value``; None leaves them to the framework's seed again."""
    _of_data.update(seed=value, times=_of_data["times"] + 1, before=seeds.seed.times)


def seed():
    """The seed that was set last, or None."""
    mine = _of_data["seed"] is not None and _of_data["before"] == seeds.seed.times
    return _of_data["seed"] if mine else seeds.seed.value


def generator():
    """The NumPy generator that the running transform draws from."""
    if _thread.key is not None:
        if _thread.made is None:
            _thread.made = _of_key(_thread.key)
            _begun[0] += 1
        return _thread.made
    state = (_of_data["times"], seeds.seed.times, seed())
    if _thread.state != state:
        _thread.state, _thread.own = state, np.random.default_rng(seed())
    return _thread.own


def streams_begun():
    """The number of streams of pipelines that transforms have drawn from so far, in this process."""
    return _begun[0]


def _of_key(key):
    """This thread's spare generator, or a new one, at the start of the stream ``key``.

    Philox takes the words of the key as they are, as its key and the upper words of its counter.
    """
    made, _thread.spare = _thread.spare or np.random.Generator(np.random.Philox(key=0)), None
    first, second, third, fourth = *key, *(0,) * (_MOST_WORDS - len(key))
    words = np.array((first, second, 0, third, fourth, len(key)), np.uint64)
    made.bit_generator.state = {
        "bit_generator": "Philox",
        "state": {"key": words[:2], "counter": words[2:]},
        "buffer": _NONE,
        "buffer_pos": 4,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return made


_MOST_WORDS = 4  # of a key
_NONE = np.zeros(4, np.uint64)  # numbers made in advance


class drawing_from:  # noqa: N801 - used as a function; entering a class is quicker than a generator
    """Within it, this thread's transforms draw from the stream named by ``key``, at most four ints in [0, 2 ** 64)."""

    def __init__(self, *key):
        self.key = key

    def __enter__(self):
        self.before = _thread.key, _thread.made
        _thread.key, _thread.made = self.key, None

    def __exit__(self, *_):
        _thread.spare = _thread.made or _thread.spare
        _thread.key, _thread.made = self.before
