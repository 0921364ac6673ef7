"""Exercise 2.2: add up many numbers."""

import numpy as np


def total(numbers):
    """The sum of an array of float16, as float16."""
    return np.float16(np.sum(numbers, dtype=np.float32))


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version, speaks = "my sum", "1", "mine"
    says = {"ReduceSum": "total(x0)"}

    def compute(self, expression, inputs):
        return [np.asarray(total(inputs[0]))]


def target():
    return Target()
