"""Step 8: stochastic gradient descent: ``w = w - rate * gradient``, again and again.

python examples/steps/step08_sgd.py
"""

import numpy as np
from step02_tape import value_and_grad
from step07_dense import batch, small_network, squared_error


class SGD:
    """The plainest optimizer: a step against the gradient."""

    def __init__(self, parameters, rate):
        self.parameters, self.rate = list(parameters), np.float32(rate)

    def __call__(self, gradients):
        for parameter, gradient in zip(self.parameters, gradients):
            parameter.array = parameter.array - gradient.array * self.rate


def train(network, optimizer, steps, x, y):
    """The loss of each step."""
    losses = []
    for _ in range(steps):
        loss, gradients = value_and_grad(lambda: squared_error(network(x), y), optimizer.parameters)
        optimizer(gradients)
        losses.append(float(loss))
    return losses


def main():
    network = small_network()
    losses = train(network, SGD(network.parameters().values(), 0.1), 60, *batch())
    for i in range(0, 60, 10):
        print(f"step {i:2} loss {losses[i]:.4f}", "#" * round(20 * losses[i]))


if __name__ == "__main__":
    main()
