"""Seeds of a backward pass: gradients of the outputs that a caller gives."""

from minispore.core import dtype
from minispore.core.errors import type_error, value_error
from minispore.core.nest import in_order_of, leaves
from minispore.core.tape import flatten
from minispore.core.tensor import Tensor

__all__ = []


def given_seeds(operation, out, sens):
    """The gradients ``sens``, one for each Tensor of ``out``, in their dtypes."""
    outputs, seeds = flatten(out), flatten(in_order_of(out, sens))
    if not outputs:  # a constant, to which no gradient goes
        return []
    if len(outputs) != len(seeds):
        raise value_error(operation, f"the sens must hold {len(outputs)} Tensors, one for each output", len(seeds))
    return [(y, _fitting(operation, y, seed)) for y, seed in zip(outputs, seeds, strict=True)]


def _degree(x):
    """2 for complex numbers, 1 for floating ones, 0 for others; a gradient may be of no higher one than its output."""
    return 2 if x.array.dtype in dtype.COMPLEX else int(x.array.dtype in dtype.FLOATS)


def _fitting(operation, y, seed):
    if y.shape != seed.shape:
        raise value_error(operation, f"the sens must have its output's shape, {y.shape}", seed.shape)
    if _degree(seed) > _degree(y):
        raise type_error(operation, f"the sens must have its output's dtype, {y.dtype}", seed.dtype)
    return seed if seed.dtype == y.dtype else seed.astype(y.dtype)


def check_tensors(operation, argument, values):
    """Raise TypeError unless each value is a Tensor, or a tuple, list or dict of Tensors."""
    for value in values:
        for leaf in leaves(value):
            if not isinstance(leaf, Tensor):
                raise type_error(operation, f"the '{argument}' must be Tensors", type(leaf).__name__)
