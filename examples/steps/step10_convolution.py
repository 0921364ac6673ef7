"""Step 10: a convolution. A window of weights slides over an image; at each place it is one product of numbers.

All windows together are one matrix. So a convolution is one product of matrices, and so are its two gradients.
``fold`` adds the gradients of overlapping windows up. Images have the axes (batch, channel, row, column).

    python examples/steps/step10_convolution.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import Operation
from step05_products import Mean
from step06_cell import Cell, Parameter


def windows(x, size):
    """(places, channels * size * size): what each window sees, and the shape of the places."""
    seen = np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3)).transpose(0, 2, 3, 1, 4, 5)
    return seen.reshape(-1, x.shape[1] * size * size), seen.shape[:3]


def fold(seen, shape, size):
    """The sum, at each place of an image, of what the windows over it hold."""
    out, places = np.zeros(shape, np.float32), (shape[0], shape[2] - size + 1, shape[3] - size + 1)
    seen = seen.reshape(*places, shape[1], size, size).transpose(0, 3, 1, 2, 4, 5)
    for i in range(size):
        for j in range(size):
            out[:, :, i : i + places[1], j : j + places[2]] += seen[..., i, j]
    return out


class Convolution(Operation):
    def compute(self, x, w):
        seen, (n, rows, columns) = windows(x, w.shape[-1])
        return (seen @ w.reshape(len(w), -1).T).reshape(n, rows, columns, -1).transpose(0, 3, 1, 2)

    def bprop(self, x, w, out, dout):
        return ImageGradient(x.shape)(dout, w), WeightGradient()(dout, x)


class ImageGradient(Operation):
    def __init__(self, shape):
        self.shape = shape

    def compute(self, dout, w):
        by_place = dout.transpose(0, 2, 3, 1).reshape(-1, len(w))
        return fold(by_place @ w.reshape(len(w), -1), self.shape, w.shape[-1])


class WeightGradient(Operation):
    def compute(self, dout, x):
        size = x.shape[-1] - dout.shape[-1] + 1
        by_place = dout.transpose(0, 2, 3, 1).reshape(-1, dout.shape[1])
        return (by_place.T @ windows(x, size)[0]).reshape(-1, x.shape[1], size, size)


class Conv2d(Cell):
    """A convolution without padding; the weight has the axes (output channel, input channel, row, column)."""

    def __init__(self, inputs, outputs, size, rng):
        self.convolution = Convolution()
        self.weight = Parameter(rng.standard_normal((outputs, inputs, size, size)) / size)

    def construct(self, x):
        return self.convolution(x, self.weight)


def main():
    layer = Conv2d(1, 1, 2, np.random.default_rng(0))
    layer.weight.array = np.float32([[[[-1, 1], [-1, 1]]]])  # sees vertical edges
    image = np.float32([[[[0, 0, 0, 1, 1, 1]] * 4]])
    _, (gradient,) = value_and_grad(lambda: Mean()(layer(Tensor(image))), [layer.weight])
    print(image[0, 0], "\nthe edge:\n", layer(Tensor(image)).array[0, 0], "\ngradient:\n", gradient.array[0, 0])


if __name__ == "__main__":
    main()
