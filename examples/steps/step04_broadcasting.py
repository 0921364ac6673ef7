"""Step 4: broadcasting's gradient. Broadcasting repeats numbers, so its gradient is a sum; a sum's is a broadcast.

``SumTo`` and ``BroadcastTo`` are each other's gradients. Every elementwise operation ends with ``SumTo``: the gradient
of an input has the shape of the input.

    python examples/steps/step04_broadcasting.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import Operation


class SumTo(Operation):
    """The sum over all axes that broadcasting from ``shape`` would add or stretch."""

    def __init__(self, shape=()):
        self.to = shape

    def compute(self, x):
        new = x.ndim - len(self.to)
        axes = tuple(i for i, n in enumerate(x.shape) if i < new or self.to[i - new] != n)
        return x.sum(axis=axes).reshape(self.to)

    def bprop(self, x, out, dout):
        return (BroadcastTo(x.shape)(dout),)


class BroadcastTo(Operation):
    """Numbers repeated along new axes, and along axes of length 1."""

    def __init__(self, shape):
        self.to = shape

    def compute(self, x):
        return np.broadcast_to(x, self.to)

    def bprop(self, x, out, dout):
        return (SumTo(x.shape)(dout),)


class Elementwise(Operation):
    """Base of operations on pairs; ``slopes`` gives their gradients as if nothing had been broadcast."""

    def __call__(self, x, y):
        return super().__call__(x, y if isinstance(y, Tensor) else Tensor(y, x.kind))

    def bprop(self, x, y, out, dout):
        pairs = zip((x, y), self.slopes(x, y, dout))
        return [g if g.shape == z.shape else SumTo(z.shape)(g) for z, g in pairs]


class Add(Elementwise):
    compute = staticmethod(np.add)

    def slopes(self, x, y, dout):
        return dout, dout


class Sub(Elementwise):
    compute = staticmethod(np.subtract)

    def slopes(self, x, y, dout):
        return dout, dout * -1.0


class Mul(Elementwise):
    compute = staticmethod(np.multiply)

    def slopes(self, x, y, dout):
        return dout * y, dout * x


class Div(Elementwise):
    compute = staticmethod(np.divide)

    def slopes(self, x, y, dout):
        return dout / y, dout * (x / y) / y * -1.0


add, mul = Add(), Mul()
for name, operation in (("add", add), ("sub", Sub()), ("mul", mul), ("truediv", Div())):
    setattr(Tensor, f"__{name}__", lambda x, y, operation=operation: operation(x, y))


def main():
    x, bias = Tensor(np.arange(6.0).reshape(3, 2)), Tensor([10.0, 20.0])
    out, (dx, db) = value_and_grad(lambda: SumTo()((x + bias) * 2.0), [x, bias])
    print("twice the sum of three rows plus one bias:", float(out))
    print("gradient of x:", dx, "\nof the bias, which stands in three rows:", db)


if __name__ == "__main__":
    main()
