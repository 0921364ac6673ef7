"""The loss among the outputs of a step, as callbacks read it."""

import numpy as np

from minispore.core.tensor import Tensor

__all__ = []


def loss_of(outputs):
    """The loss, a float, among a network's outputs: the first of a tuple. Of an output with axes, the mean.

    None if the outputs do not begin with a Tensor or array.
    """
    first = outputs[0] if isinstance(outputs, (tuple, list)) and outputs else outputs
    if isinstance(first, Tensor):
        first = first.asnumpy()
    if not isinstance(first, (np.ndarray, np.number)):
        return None
    return first.mean() if first.ndim else first[()]
