"""Step 11: classes. Softmax makes chances of any numbers; cross entropy is the surprise at the true class.

The two belong together: as one operation their gradient is the chance minus the label, and nothing overflows, because
the largest number of each row is subtracted first. A convolution learns here which way stripes run.

    python examples/steps/step11_classify.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import Operation
from step05_products import Mean
from step06_cell import Cell, Sequential
from step07_dense import Dense, ReLU
from step09_momentum import Momentum
from step10_convolution import Conv2d


class Softmax(Operation):
    """The chances ``e ** x / sum of e ** x`` of each row."""

    def compute(self, x):
        powers = np.exp(x - x.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)


class RowsCrossEntropy(Operation):
    """``-sum(label * log softmax(out))`` of each row; a label has a 1 at its class."""

    def compute(self, out, label):
        shifted = out - out.max(1, keepdims=True)
        return ((np.log(np.exp(shifted).sum(1, keepdims=True)) - shifted) * label).sum(1)

    def bprop(self, out, label, loss, dout):
        return Reshape((-1, 1))(dout) * (Softmax()(out) - label), None


def cross_entropy(out, label):
    return Mean()(RowsCrossEntropy()(out, label))


class Reshape(Operation):
    def __init__(self, shape):
        self.to = shape

    def compute(self, x):
        return x.reshape(self.to)

    def bprop(self, x, out, dout):
        return (Reshape(x.shape)(dout),)


class Flatten(Cell):
    """One row of numbers for each image."""

    def construct(self, x):
        return Reshape((x.shape[0], -1))(x)


def stripes(rows=64, seed=2):
    """Noisy images of stripes, and their labels: (1, 0) for stripes across, (0, 1) for stripes down."""
    rng = np.random.default_rng(seed)
    down, phase = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    across = (np.arange(6)[:, None] + np.zeros(6) + phase[:, None, None]) % 2
    images = np.where(down[:, None, None] == 1, across.transpose(0, 2, 1), across) + rng.normal(0, 0.5, (rows, 6, 6))
    return Tensor(images[:, None]), Tensor(np.eye(2)[down])


def image_network(seed=3):
    rng = np.random.default_rng(seed)
    return Sequential(Conv2d(1, 4, 3, rng), ReLU(), Flatten(), Dense(64, 2, rng))


def main():
    (x, y), network = stripes(), image_network()
    optimizer = Momentum(network.parameters().values(), 0.05, 0.9)
    for step in range(21):
        loss, gradients = value_and_grad(lambda: cross_entropy(network(x), y), optimizer.parameters)
        optimizer(gradients)
        if step % 5 == 0:
            right = (network(x).array.argmax(1) == y.array.argmax(1)).mean()
            print(f"step {step:2} loss {float(loss):.4f} right {right:.0%}")


if __name__ == "__main__":
    main()
