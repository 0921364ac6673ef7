"""Step 7: a Dense layer, and a loss. The loss says by one number how wrong the network is.

``Dense`` computes ``x @ weight.T + bias``. The squared error is the mean of ``(out - label) ** 2``.

    python examples/steps/step07_dense.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import relu
from step05_products import MatMul, Mean
from step06_cell import Cell, Parameter, Sequential


class Dense(Cell):
    """``x @ weight.T + bias``; the weights are drawn from ``rng``, of a size that keeps the outputs' size."""

    def __init__(self, inputs, outputs, rng):
        self.product = MatMul(False, True)
        self.weight = Parameter(rng.standard_normal((outputs, inputs)) / np.sqrt(inputs))
        self.bias = Parameter(np.zeros(outputs))

    def construct(self, x):
        return self.product(x, self.weight) + self.bias


class ReLU(Cell):
    """``max(x, 0)`` as a layer."""

    def construct(self, x):
        return relu(x)


def squared_error(out, label):
    """``mean((out - label) ** 2)``."""
    difference = out - label
    return Mean()(difference * difference)


def small_network(seed=0):
    """Four inputs, eight numbers between, two outputs."""
    rng = np.random.default_rng(seed)
    return Sequential(Dense(4, 8, rng), ReLU(), Dense(8, 2, rng))


def batch(seed=1, rows=16):
    """Inputs, and what the network is to learn of them: two of their sums."""
    x = np.random.default_rng(seed).standard_normal((rows, 4)).astype(np.float32)
    return Tensor(x), Tensor(np.stack([x[:, 0] + x[:, 1], x[:, 2] - x[:, 3]], 1))


def main():
    network, (x, y) = small_network(), batch()
    weights = network.parameters()
    loss, gradients = value_and_grad(lambda: squared_error(network(x), y), list(weights.values()))
    print("loss", float(loss))
    for path, gradient in zip(weights, gradients):
        print(f"{path:9} {gradient.shape!s:7} largest gradient {abs(gradient.array).max():.4f}")


if __name__ == "__main__":
    main()
