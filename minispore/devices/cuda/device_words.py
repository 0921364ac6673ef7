"""Philox on a GPU: the words of a stream in one launch, and streams whose count a GPU keeps by itself.

A CUDA graph plays its launches with the arguments that they were recorded with. One of them is the number of a stream:
it would be the same in every step. Inside :func:`counted_on_device` a launch gets two things. One is the number since
the block began, the other an array of the seed and the count of streams drawn before. Before the launches are played
again, the present state is written into the array, perhaps by a kernel.
"""

import contextlib
import functools
import os

import numpy as np

from minispore.core import seeds
from minispore.ops.kernels.random_streams import philox

__all__ = ["counted_on_device", "kernel_words", "name_arguments", "state_of_draws", "text"]

_THREADS = 128
_DRAWN_BY_KEY, _DRAWN_BY_NUMBER = 0, 2  # the purposes of streams that a draw names; philox.cu has them too
_ALL = 2**64 - 1


class _Counting:
    """The array of the seed and the count, the count when it began, and the numbers of the streams that took part."""

    def __init__(self, array):
        self.array, self.begin, self.numbers = array, seeds.seed.draws, set()

    @property
    def covers_all_draws(self):
        """True if all streams drawn since the block began went to kernels, so that none has a fixed number."""
        return len(self.numbers) == seeds.seed.draws - self.begin


_now = []  # the current _Counting is the last one


@contextlib.contextmanager
def counted_on_device(array):
    """Let kernels read the seed and the count of draws from ``array``, a copy of :func:`state_of_draws` on a GPU.

    Gives an object whose ``covers_all_draws`` is True at the end if every stream drawn in the ``with`` block did so. If
    not, another run of the same launches would repeat some of its numbers.
    """
    _now.append(_Counting(array))
    try:
        yield _now[-1]
    finally:
        _now.pop()


def state_of_draws():
    """The seed and the count of drawn streams, as an array of the host for :func:`counted_on_device`."""
    return np.array([seeds.seed.value or 0, seeds.seed.draws], np.uint64)


@functools.cache
def text():
    """CUDA's text of the generator."""
    with open(os.path.join(os.path.dirname(__file__), "philox.cu"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def _kernel(xp):
    return xp.RawKernel(text(), "philox_words", options=("--std=c++17",))


def kernel_words(xp, name, start, count):
    """The words ``start`` to ``start + count`` of the stream of a name, in one launch."""
    out = xp.empty(count, np.uint64)
    blocks = (start + count + 3) // 4 - start // 4
    if count:
        arguments = *name_arguments(name), np.uint64(start), np.uint64(count), out
        _kernel(xp)((-(-blocks // _THREADS),), (_THREADS,), arguments)
    return out


def name_arguments(name):
    """A name ``(key, number, domain)`` as a kernel's arguments: four words, and the array of the count or null."""
    (first, second), number, domain = name
    if not _now or domain not in (_DRAWN_BY_KEY, _DRAWN_BY_NUMBER):
        return *_words_of(first, second, number, domain), np.uintp(0)
    counting = _now[-1]
    counting.numbers.add(second if domain == _DRAWN_BY_KEY else number)
    if domain == _DRAWN_BY_KEY:
        second -= counting.begin
    else:
        number -= counting.begin
    return *_words_of(first, second, number, domain), counting.array


def _words_of(*numbers):
    return [np.uint64(number & _ALL) for number in numbers]


philox.words_by_kernel = kernel_words
