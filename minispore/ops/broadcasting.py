"""Broadcasting: the shape that two shapes share, and the gradient's way back."""

import numpy as np

from minispore.core.errors import value_error
from minispore.core.primitive import Spec


def broadcast_shape(op, x, y, names=("x", "y")):
    """The shape that two shapes broadcast to."""
    try:
        return np.broadcast_shapes(x, y)
    except RuntimeError:  # NumPy broadcasts no more
        expected = f"the '{names[0]}' and '{names[1]}' must have at most 32 axes"
        raise value_error(op.name, expected, f"{len(x)} and {len(y)}") from None
    except ValueError:
        expected = f"the shapes of '{names[0]}' and '{names[1]}' must broadcast"
        raise value_error(op.name, expected, f"{x} and {y}") from None


def broadcast(op, x, y):
    """The Spec of an elementwise operation on two Tensors of one dtype."""
    return Spec(broadcast_shape(op, x.shape, y.shape), x.dtype)


def sum_to(gradient, shape):
    """Undo broadcasting: the sum of ``gradient`` over the axes along which ``shape`` was stretched."""
    have = gradient.array.shape
    if have == shape:
        return gradient
    lead = len(have) - len(shape)
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and have[lead + i] != 1))
    return gradient.sum(axes).reshape(shape)
