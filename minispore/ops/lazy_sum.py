"""Gradients of one weight by many steps, which are computed together when somebody reads their sum.

A recurrent cell multiplies by the same weight at every step: the weight's gradient is a sum of as many products. Of a
step's product only its factors are kept. Adding two such gradients joins their lists. One product of all factors, one
behind another, is the sum.
"""

from minispore.core.tensor import Tensor

__all__ = []


class Late(Tensor):
    """The sum over ``terms``, each a tuple of Tensors, that ``total(dtype, *terms)`` gives: its array when it is read.

    ``total`` computes by primitives, so that a recorder sees what it computes. ``dtype`` is NumPy's.
    """

    __slots__ = ("dtype_of_sum", "terms", "total")

    def __init__(self, total, terms, dtype):
        self.total, self.terms, self.dtype_of_sum, self._tape = total, terms, dtype, None

    def __getattr__(self, name):
        if name != "array":
            raise AttributeError(f"'Tensor' object has no attribute '{name}'", name=name, obj=self)
        self.array = self.total(self.dtype_of_sum, *self.terms).array
        return self.array

    def joined(self, before, dtype):
        """The sum of a late gradient of the same kind and this one, late itself and of ``dtype``; None for others."""
        if type(before) is not Late or before.total is not self.total:
            return None
        return Late(self.total, before.terms + self.terms, dtype or self.dtype_of_sum)
