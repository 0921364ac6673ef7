"""Exercise 14.1: one overflow, many processes."""

import numpy as np

RATE = 0.5


def step(weights, scales, gradients):
    """The new weights and scales, a list of each, of processes that share a step.

    Args:
        weights (list[float]): The weight of each process; all are equal.
        scales (list[float]): The loss scale of each; all are equal.
        gradients (list[numpy.float16]): The scaled gradient of each.
    """
    if not all(np.isfinite(g) for g in gradients):
        return list(weights), [max(scale / 2, 1.0) for scale in scales]
    mean = sum(float(g) / scale for g, scale in zip(gradients, scales)) / len(gradients)
    return [w - RATE * mean for w in weights], list(scales)
