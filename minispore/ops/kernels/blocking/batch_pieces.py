"""Pieces of a batch that the workers share: with work arrays of their own, and sums in an order that never changes."""

import contextlib
import itertools

from minispore import workers

_RUNS = 8  # partial sums, at most
_PARTIAL = 16 << 20  # bytes of them all, if more than two


class WorkArrays:
    """The work arrays of one operation: a piece takes one that no other piece has, and hands it on."""

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


def has_helpers():
    """Whether pieces handed out here are shared by several workers."""
    return workers.count() > 1 and not workers.at_work()


def even(count, bytes_each, budget, sharing):
    """(start, stop) over ``count`` images: about ``budget`` bytes at most, as many pieces for each of some workers."""
    number = sharing * max(1, -(-count * bytes_each // (budget * sharing)))
    number = min(number, count)
    cuts = [-(-i * count // number) for i in range(number + 1)]  # rounded up: no piece is longer than the first
    return list(itertools.pairwise(cuts))


def share(large, work, pieces):
    """``[work(piece) for piece in pieces]``, shared by the workers if the whole is ``large``, and on NumPy."""
    return workers.share(work, pieces) if large else [work(piece) for piece in pieces]


def sum_of(large, work, pieces, nbytes):
    """The sum of ``work(piece)``, an array of ``nbytes``: added piece by piece in a few runs, and run by run.

    The runs depend on the number of pieces alone, so that any number of workers gives the same bits.
    """
    pieces = list(pieces)
    runs = min(len(pieces), _RUNS, max(2, _PARTIAL // nbytes))
    cuts = [i * len(pieces) // runs for i in range(runs + 1)]
    return _added(share(large, lambda i: _added(map(work, pieces[cuts[i] : cuts[i + 1]])), range(runs)))


def _added(arrays):
    arrays = iter(arrays)
    total = next(arrays)
    for array in arrays:
        total += array
    return total
