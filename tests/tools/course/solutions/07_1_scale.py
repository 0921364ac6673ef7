"""Exercise 7.1: the course of the loss scale."""

import numpy as np

LARGEST = float(np.finfo(np.float32).max)


class LossScale:
    """A dynamic loss scale."""

    def __init__(self, scale, factor, window):
        self.scale, self.factor, self.window, self.good = scale, factor, window, 0

    def update(self, overflow):
        """Move the scale after a step."""
        if overflow:
            self.scale, self.good = max(self.scale / self.factor, 1.0), 0
            return
        self.good += 1
        if self.good == self.window:
            self.good = 0
            if self.scale * self.factor <= LARGEST:
                self.scale = self.scale * self.factor


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version = "my loss scale", "1"
    faces = {"LossScale": "minispore"}

    def scale_course(self, face, start, factor, window, word):
        scaler, scales = LossScale(start, factor, window), []
        for overflow in word:
            scaler.update(overflow)
            scales.append(scaler.scale)
        return scales


def target():
    return Target()
