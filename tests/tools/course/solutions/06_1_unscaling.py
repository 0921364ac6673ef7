"""Exercise 6.1: unscale without losing the small ones."""

import numpy as np


def unscaled(scale, gradients):
    """The gradients divided by the scale, in float32."""
    return [g.astype(np.float32) / np.float32(scale) for g in gradients]


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version = "my unscaling", "1"

    def unscale(self, scale, arrays):
        return unscaled(scale, arrays)


def target():
    return Target()
