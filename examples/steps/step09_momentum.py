"""Step 9: momentum. The step follows a running sum of gradients, so that a steady slope is walked faster.

``m = momentum * m + gradient``, then ``w = w - rate * m``. The sum ``m`` is state: a skipped step must leave it alone
(step 15).

    python examples/steps/step09_momentum.py
"""

import numpy as np
from step07_dense import batch, small_network
from step08_sgd import SGD, train


class Momentum(SGD):
    """SGD along a running sum of gradients."""

    def __init__(self, parameters, rate, momentum):
        super().__init__(parameters, rate)
        self.momentum = np.float32(momentum)
        self.moments = [np.zeros_like(parameter.array) for parameter in self.parameters]

    def __call__(self, gradients):
        for i, (parameter, gradient) in enumerate(zip(self.parameters, gradients)):
            self.moments[i] = self.moments[i] * self.momentum + gradient.array
            parameter.array = parameter.array - self.moments[i] * self.rate


def main():
    for name, make in (("plain", SGD), ("momentum 0.9", lambda w, rate: Momentum(w, rate, 0.9))):
        network = small_network()
        losses = train(network, make(network.parameters().values(), 0.03), 41, *batch())
        print(f"{name:13}", *(f"{loss:.4f}" for loss in losses[::10]))


if __name__ == "__main__":
    main()
