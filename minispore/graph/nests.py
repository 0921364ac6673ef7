"""Nests: what a function may return for its run to be replayed: Tensors in tuples, lists and dicts, and constants."""

from minispore.autograd import nested_as
from minispore.tensor import Tensor

_CONSTANT = (type(None), bool, int, float, complex, str, bytes, type)


class RefusedError(Exception):
    """Why a function cannot be recorded."""


def leaves(nest):
    """The Tensors of a nest, in order.

    Raises:
        RefusedError: If it holds what a later call could not be given again.
    """
    if isinstance(nest, Tensor):
        return [nest]
    if type(nest) is dict:
        return leaves(list(nest.values()))
    if isinstance(nest, (tuple, list)):
        return [leaf for part in nest for leaf in leaves(part)]
    if isinstance(nest, _CONSTANT):
        return []
    raise RefusedError(f"it returns an object of type '{type(nest).__name__}'")


def rebuilt(nest, found):
    """``nest`` anew, with its Tensors replaced, in order, by what the iterator ``found`` yields."""
    if isinstance(nest, Tensor):
        return next(found)
    if type(nest) is dict:
        return {name: rebuilt(part, found) for name, part in nest.items()}
    if isinstance(nest, (tuple, list)):
        return nested_as(nest, [rebuilt(part, found) for part in nest])
    return nest


def shape_of(nest):
    """What two nests have in common that differ in their Tensors only; numbers are told apart to the last bit."""
    if isinstance(nest, Tensor):
        return Tensor
    if type(nest) is dict:
        return dict, tuple((name, shape_of(part)) for name, part in nest.items())
    if isinstance(nest, (tuple, list)):
        return type(nest), tuple(map(shape_of, nest))
    return type(nest), repr(nest) if isinstance(nest, (float, complex)) else nest
