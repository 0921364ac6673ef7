"""The gradient rule of analytic primitives for complex numbers."""

from minispore.core.dtype import COMPLEX
from minispore.core.nest import map_leaves
from minispore.core.tensor import Tensor

__all__ = []


def _conjugate(x):
    """The complex conjugate of a complex Tensor; anything else as it is."""
    return x.conj() if isinstance(x, Tensor) and x.array.dtype in COMPLEX else x


class ComplexRule:
    """Base of Primitive: the rule of one that declares ``complex_numbers = "analytic"``."""

    def _between_conjugates(self, *inputs_out_dout):
        """``bprop`` for an analytic function of complex numbers: the gradient for x is ``dout * conj(d out / d x)``.

        A gradient is ``d L / d Re x + i d L / d Im x`` for a real L, the direction in which L rises most.
        """
        *given, dout = inputs_out_dout
        found = self.bprop(*given, map_leaves(_conjugate, dout))
        return tuple(map(_conjugate, found)) if isinstance(found, (tuple, list)) else _conjugate(found)
