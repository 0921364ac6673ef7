"""The primitives by name, as ``from minispore.ops import operations as P`` gives them."""

from minispore.ops import (
    activation,
    arithmetic,
    array,
    comparison,
    convolution,
    indexing,
    linear,
    loss,
    math,
    normalization,
    optimizer,
    pooling,
    primitive,
    random,
    recurrent,
    reduction,
    state,
    status,
)

_FAMILIES = (
    activation,
    arithmetic,
    array,
    comparison,
    convolution,
    indexing,
    linear,
    loss,
    math,
    normalization,
    optimizer,
    pooling,
    primitive,
    random,
    recurrent,
    reduction,
    state,
    status,
)
__all__ = sorted(name for family in _FAMILIES for name in family.__all__)
globals().update({name: getattr(family, name) for family in _FAMILIES for name in family.__all__})
