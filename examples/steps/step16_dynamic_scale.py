"""Step 16: the dynamic loss scale. Nobody knows the right scale, and it changes while the network learns.

An overflow halves the scale, down to 1. A *window* of good steps in a row doubles it, just to try. Both begin a new
window. So some skipped steps are normal: they are how the rule finds out where the limit is.

    python examples/steps/step16_dynamic_scale.py
"""

import numpy as np
from step07_dense import squared_error
from step08_sgd import SGD
from step13_loss_scale import small_gradients
from step15_skip import TrainStep

LARGEST = float(np.finfo(np.float32).max)


class DynamicStep(TrainStep):
    """A training step whose scale follows the gradients."""

    def __init__(self, network, loss, optimizer, scale=2.0**24, factor=2, window=2000):
        super().__init__(network, loss, optimizer, scale)
        self.factor, self.window, self.good = factor, window, 0

    def after(self, overflow):
        self.good = 0 if overflow else self.good + 1
        if overflow:
            self.scale = max(self.scale / self.factor, 1.0)
        elif self.good == self.window:
            self.good, larger = 0, self.scale * self.factor
            self.scale = larger if larger <= LARGEST else self.scale


def main():
    network, x, y = small_gradients()
    optimizer = SGD(network.parameters().values(), 0.1)
    step = DynamicStep(network, squared_error, optimizer, 2.0**42, window=6)
    for number in range(24):
        _, overflow, scale = step(x, y)
        bar = "." * round(np.log2(scale) - 22)
        print(f"step {number:2} scale 2**{np.log2(scale):.0f} {bar}{' skipped' if overflow else ''}")


if __name__ == "__main__":
    main()
