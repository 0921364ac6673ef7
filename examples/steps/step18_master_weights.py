"""Step 18: master weights. Why Parameters stay in float32, though all operations see them in float16.

Between 0.5 and 1 the numbers of float16 lie 0.0005 apart. An update of 0.0001 moves a weight of 1 by less than half of
that: the result is rounded back, and the weight never moves, however many updates come. In float32 they add up.

    python examples/steps/step18_master_weights.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step06_cell import Parameter
from step07_dense import batch, small_network, squared_error
from step08_sgd import SGD
from step12_float16 import to_float16
from step17_o3 import o3


class HalfSGD(SGD):
    """SGD of weights that are stored in float16: each update is rounded."""

    def __call__(self, gradients):
        super().__call__(gradients)
        for parameter in self.parameters:
            parameter.array = to_float16(parameter.array)


def updated(optimizer, times, gradient=1e-4):
    """A weight of 1 after so many updates by one small gradient, at a rate of 1."""
    weight = Parameter([1.0])
    update = optimizer([weight], 1.0)
    for _ in range(times):
        update([Tensor([gradient])])
    return weight.array[0]


def loss_after(optimizer, steps=400, rate=0.002):
    network, (x, y) = o3(small_network()), batch()
    update = optimizer(network.parameters().values(), rate)
    for _ in range(steps):
        loss, gradients = value_and_grad(lambda: squared_error(network(x), y), update.parameters)
        update(gradients)
    return float(loss)


def main():
    print("the number below 1 in float16:", np.nextafter(np.float16(1), np.float16(0)))
    for name, optimizer in (("float32", SGD), ("float16", HalfSGD)):
        print(f"stored in {name}: 1 after 1000 updates of 0.0001: {updated(optimizer, 1000):.4f}", end="; ")
        print(f"loss of a network after 400 small steps: {loss_after(optimizer):.4f}")


if __name__ == "__main__":
    main()
