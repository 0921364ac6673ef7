"""The loss among what a step returns: how callbacks read it."""

import numpy as np

from minispore.core.tensor import Tensor

__all__ = []


def loss_of(outputs):
    """The loss, a float, of a network's outputs: the first of a tuple, and the mean of what has axes.

    None if the outputs do not begin with a Tensor or array.
    """
    first = outputs[0] if isinstance(outputs, (tuple, list)) and outputs else outputs
    if isinstance(first, Tensor):
        first = first.asnumpy()
    if not isinstance(first, (np.ndarray, np.number)):
        return None
    return first.mean() if first.ndim else first[()]
