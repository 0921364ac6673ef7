"""Exercise 9.1: the update that vanishes."""

import numpy as np


class Sgd:
    """Gradient descent on float16 weights, by float32 masters: ``weight = weight - rate * gradient``."""

    def __init__(self, weights, rate):
        self.weights, self.rate = weights, np.float32(rate)
        self.masters = weights.astype(np.float32)

    def step(self, gradients):
        """Take a step; returns the new float16 weights."""
        self.masters = self.masters - self.rate * gradients.astype(np.float32)
        self.weights = self.masters.astype(np.float16)
        return self.weights
