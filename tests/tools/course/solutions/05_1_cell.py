"""Exercise 5.1: a Cell that owns what it needs."""

import minispore as ms
from minispore import nn, ops


class Net(nn.Cell):
    """Two layers, a scale that is trained, and a count of the calls: ``out = scale * second(first(x))``."""

    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 4), nn.Dense(4, 2)])
        self.scale = ms.Parameter(ms.Tensor(0.5, ms.float32), name="scale")
        self.calls = ms.Parameter(ms.Tensor(0.0, ms.float32), name="calls", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.calls, ms.Tensor(1.0, ms.float32))
        for layer in self.layers:
            x = layer(x)
        return x * self.scale
