"""Functional faces of the operations, one file a family: ``ops.relu(x)`` is ``ops.ReLU()(x)``."""

from minispore.ops.functional import (
    activations,
    arrays,
    clipping,
    contractions,
    cutting,
    dropouts,
    einsum,
    elementwise,
    faces,
    functions,
    linear,
    losses,
    making,
    matrices,
    normalization,
    ordering,
    partials,
    random,
    reductions,
    resizing,
    scattering,
    state,
    statistics,
    turning,
    unfolding,
    volumes,
    windows,
)

_FAMILIES = (
    activations,
    arrays,
    clipping,
    contractions,
    cutting,
    dropouts,
    einsum,
    elementwise,
    functions,
    linear,
    losses,
    making,
    matrices,
    normalization,
    ordering,
    partials,
    random,
    reductions,
    resizing,
    scattering,
    state,
    statistics,
    turning,
    unfolding,
    volumes,
    windows,
)
__all__ = sorted(name for family in _FAMILIES for name in family.__all__)


def _publish(family):
    """Put a family's faces here; one that was made of a primitive gets the first name that it has, and its place."""
    for name in family.__all__:
        face = globals()[name] = getattr(family, name)
        if getattr(face, "__module__", None) == faces.__name__:
            face.__module__, face.__name__, face.__qualname__ = family.__name__, name, name


for _family in _FAMILIES:
    _publish(_family)
