"""Outputs: the results that a replay can return: nests of Tensors and constants."""

from minispore.core import nest
from minispore.core.tensor import Tensor

_CONSTANT = (Tensor, type(None), bool, int, float, complex, str, bytes, type)


class RefusedError(Exception):
    """The reason why a function cannot be recorded."""


def check_returned(out):
    """Check that a replay can return the same nest again, with other values in its Tensors.

    Raises:
        RefusedError: If it holds another kind of object.
    """
    for leaf in nest.leaves(out):
        if not isinstance(leaf, _CONSTANT):
            raise RefusedError(f"it returns an object of type '{type(leaf).__name__}'")


def shape_of(value, of_leaf=None):
    """A description of a nest, equal for nests that differ in their Tensors only; numbers differ to the last bit.

    ``of_leaf`` describes leaves that are not plain constants; by default such a leaf describes itself.
    """
    if nest.is_nest(value):
        keys = tuple([shape_of(key) for key in value]) if isinstance(value, dict) else None
        return type(value), keys, tuple([shape_of(part, of_leaf) for part in nest.parts_of(value)])
    if of_leaf is not None:
        return of_leaf(value)
    return Tensor if isinstance(value, Tensor) else constant(value)


def constant(value):
    """A hashable key of a plain value; -0.0 and 0.0 have different keys, and so have True and 1."""
    return type(value), repr(value) if isinstance(value, (float, complex)) else value
