"""Pieces of a batch, shared by the workers: each has its own work arrays, and sums have a fixed order."""

import contextlib
import itertools

import numpy as np

from minispore.ops.kernels import workers

_RUNS = 8  # partial sums, at most
_PARTIAL = 16 << 20  # bytes of them all, if more than two


class WorkArrays:
    """The work arrays of one operation: a piece takes a free one, or makes one, and gives it back."""

    def __init__(self, make):
        self.make, self.free = make, []

    @contextlib.contextmanager
    def one(self):
        """A work array as an earlier piece left it, or a new one."""
        try:
            array = self.free.pop()
        except IndexError:
            array = self.make()
        yield array
        self.free.append(array)


def even(count, bytes_each, budget, sharing):
    """Split ``count`` images into (start, stop) of about ``budget`` bytes, as many for each of ``sharing`` workers."""
    number = sharing * max(1, -(-count * bytes_each // (budget * sharing)))
    number = min(number, count)
    cuts = [-(-i * count // number) for i in range(number + 1)]  # rounded up: no piece is longer than the first
    return list(itertools.pairwise(cuts))


def share(xp, work, pieces, large=True):
    """``[work(piece) for piece in pieces]``; on NumPy the workers share the pieces if the whole is ``large``."""
    if xp is np and large:
        return workers.share(work, pieces)
    return [work(piece) for piece in pieces]


def sum_of(xp, work, pieces, nbytes, large=True):
    """The sum of ``work(piece)``, an array of ``nbytes``: added piece by piece in a few runs, and run by run.

    The runs depend on the number of pieces alone, so that any number of workers gives the same bits.
    """
    pieces = list(pieces)
    runs = min(len(pieces), _RUNS, max(2, _PARTIAL // nbytes))
    cuts = [i * len(pieces) // runs for i in range(runs + 1)]
    return _added(share(xp, lambda i: _added(map(work, pieces[cuts[i] : cuts[i + 1]])), range(runs), large))


def _added(arrays):
    arrays = iter(arrays)
    total = next(arrays)
    for array in arrays:
        total += array
    return total
