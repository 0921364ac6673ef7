"""What the functional faces are made with: one primitive for equal attributes, and a fast call for two Tensors."""

from functools import lru_cache

from minispore.ops.primitive import of_two

__all__ = ["binary", "make"]


def binary(primitive):
    """The functional face of an operation on two Tensors: a plain function, so that it can be a method of Tensor."""
    function = of_two(primitive)
    function.__name__, function.__module__ = primitive.name.lower(), __name__
    function.__doc__ = type(primitive).__doc__
    return function


# One primitive for equal attributes: typed, since an int is no float where kinds are checked
make = lru_cache(maxsize=1024, typed=True)(lambda kind, *arguments: kind(*arguments))
