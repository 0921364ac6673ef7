"""Outputs: what a function may return for its run to be replayed: Tensors in tuples, lists and dicts, and constants."""

from minispore import nest
from minispore.tensor import Tensor

_CONSTANT = (Tensor, type(None), bool, int, float, complex, str, bytes, type)


class RefusedError(Exception):
    """Why a function cannot be recorded."""


def check_returned(out):
    """Check that a later call could be given the same again, but for the Tensors.

    Raises:
        RefusedError: If it holds an object of another kind.
    """
    for leaf in nest.leaves(out):
        if not isinstance(leaf, _CONSTANT):
            raise RefusedError(f"it returns an object of type '{type(leaf).__name__}'")


def shape_of(value, of_leaf=None):
    """What two nests have in common that differ in their Tensors only; numbers are told apart to the last bit.

    ``of_leaf`` describes what is neither a container nor a plain constant; by default it stands for itself.
    """
    if nest.is_nest(value):
        keys = tuple([shape_of(key) for key in value]) if isinstance(value, dict) else None
        return type(value), keys, tuple([shape_of(part, of_leaf) for part in nest.parts_of(value)])
    if of_leaf is not None:
        return of_leaf(value)
    return Tensor if isinstance(value, Tensor) else constant(value)


def constant(value):
    """A plain value as it is told apart from others: -0.0 is not 0.0, and True is not 1."""
    return type(value), repr(value) if isinstance(value, (float, complex)) else value
