"""Faces of the random operations."""

from minispore.errors import value_error
from minispore.ops import random
from minispore.ops.functional.faces import make

__all__ = ["dropout"]


def dropout(input, p=0.5, training=True):
    """Zero each element with probability ``p`` in training, and scale the others by ``1 / (1 - p)``."""
    if not 0 <= p < 1:
        raise value_error("dropout", "the 'p' must be in [0, 1)", p)
    return make(random.Dropout, 1 - p)(input)[0] if training and p else input
