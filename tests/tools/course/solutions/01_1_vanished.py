"""Exercise 1.1: count what vanishes."""

import numpy as np


def vanished(gradients):
    """The share of the non-zero gradients that float16 turns into zero; 0 where there are none.

    Args:
        gradients (numpy.ndarray): Gradients in float32.
    """
    nonzero = gradients[gradients != 0]
    if nonzero.size == 0:
        return 0.0
    return float(np.mean(nonzero.astype(np.float16) == 0))
