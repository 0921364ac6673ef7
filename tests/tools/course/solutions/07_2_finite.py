"""Exercise 7.2: see every overflow, and nothing else."""

import numpy as np


def finite(gradients):
    """True if no element of the gradients is inf or nan."""
    return all(bool(np.isfinite(each).all()) for each in gradients)


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version = "my check", "1"

    def finite(self, arrays):
        return finite(arrays)


def target():
    return Target()
