"""Numbers that are not plainly real: complex ones, and types in which numbers are stored and none computed."""

from minispore.core.dtype import COMPLEX, STORED, from_numpy
from minispore.core.errors import type_error
from minispore.core.nest import map_leaves
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.added import add_to

__all__ = []


def named(*kinds):
    """The way MindSpore's messages write the types of Tensors: ``Tensor[Float32]``."""
    return ", ".join(f"Tensor[{from_numpy(kind)}]" for kind in kinds)


def _conjugate(x):
    """The complex conjugate of a complex Tensor; anything else as it is."""
    return x.conj() if isinstance(x, Tensor) and x.array.dtype in COMPLEX else x


class _ForNumbers:
    """The methods that every primitive gets."""

    def _rule_for(self, kinds):
        """The name of the rule that is recorded for inputs of NumPy dtypes, one of which holds no plain real numbers.

        Raises:
            TypeError: If a primitive of the package does not take one of them.
        """
        complex_numbers = kinds & COMPLEX
        if self.ours and complex_numbers and self.complex_numbers is None:
            raise type_error(self.name, "the inputs must be real numbers", named(*complex_numbers))
        if self.ours and self.complex_numbers != "as written" and kinds & STORED.keys():
            raise not_computed_in(self, *kinds & STORED.keys())
        return "_between_conjugates" if complex_numbers and self.complex_numbers == "analytic" else "_rule"

    def _between_conjugates(self, *inputs_out_dout):
        """``bprop`` for an analytic function of complex numbers: the gradient for x is ``dout * conj(d out / d x)``.

        A gradient is ``d L / d Re x + i d L / d Im x`` for a real L, the direction in which L rises most.
        """
        *given, dout = inputs_out_dout
        found = self.bprop(*given, map_leaves(_conjugate, dout))
        return tuple(map(_conjugate, found)) if isinstance(found, (tuple, list)) else _conjugate(found)


def not_computed_in(primitive, *kinds):
    """The TypeError for NumPy dtypes in which numbers are stored and none computed."""
    return type_error(primitive.name, "the inputs must be of types to compute in: cast them first", named(*kinds))


add_to(Primitive, _ForNumbers)
