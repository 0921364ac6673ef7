"""Step 15: the training step, which is skipped if its gradients overflow.

A skipped step must move nothing. The optimizer is not called, so weights and momentum stay. What the forward pass
itself has written is put back: here a counter, in real networks BatchNorm's statistics. Otherwise a step that "did not
happen" would leave a trace. Arrays are values, so the old ones need only be remembered.

    python examples/steps/step15_skip.py
"""

import numpy as np
from step02_tape import value_and_grad
from step06_cell import Cell, Parameter
from step07_dense import squared_error
from step09_momentum import Momentum
from step13_loss_scale import small_gradients
from step14_overflow import unscale


class TrainStep:
    """Scale, differentiate, unscale, check, update or skip: ``(loss, overflow, the scale that was used)``."""

    def __init__(self, network, loss, optimizer, scale):
        self.network, self.loss, self.optimizer, self.scale = network, loss, optimizer, scale

    def __call__(self, x, y):
        before = [(parameter, parameter.array) for parameter in self.network.parameters().values()]
        scale = self.scale
        loss, scaled = value_and_grad(lambda: self.loss(self.network(x), y), self.optimizer.parameters, scale)
        gradients, overflow = unscale(scaled, scale)
        self.after(overflow)
        if overflow:
            for parameter, array in before:
                parameter.array = array
        else:
            self.optimizer(gradients)
        return loss, overflow, scale

    def after(self, overflow):
        """Change the scale; a fixed one stays. Step 16 has a rule."""


class Counted(Cell):
    """A network that counts its calls, as BatchNorm keeps its statistics."""

    def __init__(self, network):
        self.network, self.calls = network, Parameter(0.0)

    def construct(self, x):
        self.calls.array = self.calls.array + np.float32(1)
        return self.network(x)


def main():
    network, x, y = small_gradients()
    counted, optimizer = Counted(network), Momentum(network.parameters().values(), 0.1, 0.9)
    for power in (32, 44, 32):
        _, overflow, _ = TrainStep(counted, squared_error, optimizer, 2.0**power)(x, y)
        moved = np.abs(optimizer.moments[0]).max()
        print(f"scale 2**{power} overflow {overflow!s:5} calls {float(counted.calls):g} largest moment {moved:.3g}")


if __name__ == "__main__":
    main()
