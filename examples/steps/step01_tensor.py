"""Step 1: a Tensor is an array that the next steps can follow.

The numbers are kept in float32 at every step. ``kind`` names the format on whose grid they lie: "float32" until step 12
rounds them to others. An array is a value: no step writes into one. To change a Tensor is to give it another array.

    python examples/steps/step01_tensor.py
"""

import numpy as np


class Tensor:
    """Float32 numbers, and the name of their format."""

    def __init__(self, data, kind="float32"):
        self.array, self.kind = np.asarray(data, np.float32), kind

    @property
    def shape(self):
        return self.array.shape

    def __float__(self):
        return float(self.array)

    def __repr__(self):
        return f"Tensor({self.array.tolist()}, {self.kind})"


def main():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    print(x, x.shape)
    print("a sum by NumPy, which nothing follows yet:", x.array.sum())


if __name__ == "__main__":
    main()
