"""Gradients of one step's weights, which are computed together with those of the other steps when one of them is read.

A recurrent cell multiplies by the same weights at every step: a weight's gradient is a sum of as many products. Of a
step's products only the factors are kept. Adding two such gradients joins their lists. One product of all factors, one
behind another, is the sum.
"""

from minispore.core.tensor import Tensor

__all__ = []


class Sums:
    """The tuple of sums over ``terms``, each a tuple of Tensors, that ``totals(dtype, *terms)`` gives.

    ``totals`` computes by primitives, so that a recorder sees what it computes. ``dtype`` is NumPy's.
    """

    def __init__(self, totals, terms, dtype):
        self.totals, self.terms, self.dtype = totals, terms, dtype
        self._found = self._joined = None

    def found(self):
        """The sums, which are computed once; their terms are let go."""
        if self._found is None:
            self._found, self.terms = self.totals(self.dtype, *self.terms), None
        return self._found

    def joined(self, before, dtype):
        """The sums over the terms of both: for all the gradients of a step the same object."""
        if self._joined is None or self._joined[:2] != (before, dtype):
            self._joined = before, dtype, Sums(self.totals, before.terms + self.terms, dtype)
        return self._joined[2]


class Late(Tensor):
    """The sum at ``place`` in ``sums``, which are computed when its array is read."""

    __slots__ = ("place", "sums")

    def __init__(self, sums, place):
        self.sums, self.place, self._tape = sums, place, None

    def __getattr__(self, name):
        if name != "array":
            raise AttributeError(f"'Tensor' object has no attribute '{name}'", name=name, obj=self)
        self.array = self.sums.found()[self.place].array
        return self.array

    def joined(self, before, dtype):
        """The sum of a late gradient of the same kind and this one, late itself and of ``dtype``; None for others."""
        if type(before) is not Late or before.place != self.place:
            return None
        mine, theirs = self.sums, before.sums
        if mine.totals is not theirs.totals or mine.terms is None or theirs.terms is None:
            return None
        return Late(mine.joined(theirs, dtype or mine.dtype), self.place)
