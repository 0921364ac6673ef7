"""Step 19: layer normalization, and why norms stay in float32.

A norm needs the mean of squares. The square of 300 is 90000, beyond float16's largest number: the variance is inf, and
the whole row becomes 0. Small deviations fare no better: their squares vanish. So a norm is the first entry of a list
of what must not be computed in float16.

    python examples/steps/step19_layer_norm.py
"""

import numpy as np
from step01_tensor import Tensor
from step03_operation import Operation
from step04_broadcasting import SumTo
from step06_cell import Cell, Parameter
from step17_o3 import to_float


class Rsqrt(Operation):
    """``1 / sqrt(x)``."""

    def compute(self, x):
        return 1 / np.sqrt(x)

    def bprop(self, x, out, dout):
        return (dout * out / x * -0.5,)


class LayerNorm(Cell):
    """Each row less its mean, divided by its deviation; then a gain and a shift that are learned."""

    def __init__(self, length):
        self.length, self.gain, self.shift = length, Parameter(np.ones(length)), Parameter(np.zeros(length))

    def construct(self, x):
        mean = SumTo((x.shape[0], 1))
        centred = x - mean(x) * (1 / self.length)
        variance = mean(centred * centred) * (1 / self.length)
        return centred * Rsqrt()(variance + 1e-7) * self.gain + self.shift


def main():
    row = np.array([[1.0, -1.0, 0.5, 0.25]])
    for size in (1.0, 300.0, 1e-4):
        for kind in ("float32", "float16"):
            layer = to_float(LayerNorm(4), kind)
            print(f"row of {size:<6g} normalized in {kind}: {layer(Tensor(row * size)).array[0]}")


if __name__ == "__main__":
    main()
