"""Numbers that are not plainly real: complex ones, and types in which numbers are stored and none computed."""

from minispore.core.dtype import COMPLEX, STORED, from_numpy
from minispore.core.errors import type_error

__all__ = []


def named(*kinds):
    """The way MindSpore's messages write the types of Tensors: ``Tensor[Float32]``."""
    return ", ".join(f"Tensor[{from_numpy(kind)}]" for kind in kinds)


def rule_for(primitive, kinds):
    """The name of the rule that is recorded for inputs of NumPy dtypes, one of which holds no plain real numbers.

    Raises:
        TypeError: If a primitive of the package does not take one of them.
    """
    complex_numbers = kinds & COMPLEX
    if primitive.ours and complex_numbers and primitive.complex_numbers is None:
        raise type_error(primitive.name, "the inputs must be real numbers", named(*complex_numbers))
    if primitive.ours and primitive.complex_numbers != "as written" and kinds & STORED.keys():
        raise not_computed_in(primitive, *kinds & STORED.keys())
    return "_between_conjugates" if complex_numbers and primitive.complex_numbers == "analytic" else "_rule"


def not_computed_in(primitive, *kinds):
    """The TypeError for NumPy dtypes in which numbers are stored and none computed."""
    return type_error(primitive.name, "the inputs must be of types to compute in: cast them first", named(*kinds))
