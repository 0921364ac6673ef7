"""Functional faces of the operations, one file a family: ``ops.relu(x)`` is ``ops.ReLU()(x)``."""

from minispore.ops.functional import (
    activations,
    arrays,
    elementwise,
    linear,
    losses,
    normalization,
    random,
    reductions,
    state,
    windows,
)

_FAMILIES = (activations, arrays, elementwise, linear, losses, normalization, random, reductions, state, windows)
__all__ = sorted(name for family in _FAMILIES for name in family.__all__)
globals().update({name: getattr(family, name) for family in _FAMILIES for name in family.__all__})
