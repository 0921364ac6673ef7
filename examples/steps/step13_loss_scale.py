"""Step 13: the loss scale by hand. Small gradients become zero in float16; times a scale they survive.

The chain rule is linear: each gradient is the seed times something. So a seed of S in the place of 1 makes every
gradient S times as large, and dividing by S at the end gives the true one. S is a power of two: it changes exponents
alone, and costs no rounding.

    python examples/steps/step13_loss_scale.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step06_cell import Sequential
from step07_dense import Dense, batch, squared_error
from step12_float16 import Cast

half, single = Cast("float16"), Cast("float32")


class HalfDense(Dense):
    """A Dense layer that computes in float16 and keeps its Parameters in float32: casts by hand."""

    def construct(self, x):
        return single(self.product(half(x), half(self.weight)) + half(self.bias))


def small_gradients(layer=HalfDense):
    """A network that begins at zero, and labels of 1e-7: the gradients of its outputs are about 6e-9."""
    network, (x, y) = Sequential(layer(4, 2, np.random.default_rng(0))), batch()
    network.parameters()["0.weight"].array = np.zeros((2, 4), np.float32)
    return network, x, y * 1e-7


def gradients_at(scale, network, x, y):
    """The gradients, scaled on the tape and divided after it, in float32."""
    weights = list(network.parameters().values())
    _, found = value_and_grad(lambda: squared_error(network(x), y), weights, seed=scale)
    return [Tensor(g.array * (np.float32(1) / np.float32(scale))) for g in found]


def main():
    true = gradients_at(1.0, *small_gradients(Dense))[0].array
    print("in float32:", true[0])
    for power in (0, 2, 4, 8, 16, 32, 44):
        with np.errstate(invalid="ignore"):
            got = gradients_at(2.0**power, *small_gradients())[0].array
            error = np.abs(got - true).max() / np.abs(true).max()
        print(f"in float16, scale 2**{power:<2}: {got[0]}  wrong by {error:.2%}")


if __name__ == "__main__":
    main()
