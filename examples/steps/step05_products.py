"""Step 5: a product of matrices, and a mean. With these a network and its loss are a handful of calls.

The gradient of a product is two products. ``transpose`` of either factor is a flag, as in most libraries: a Dense layer
keeps its weight as (outputs, inputs) and computes ``x @ weight.T``.

    python examples/steps/step05_products.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import Operation
from step04_broadcasting import BroadcastTo


class MatMul(Operation):
    """``a @ b``, each transposed first if its flag is True."""

    def __init__(self, a=False, b=False):
        self.a, self.b = a, b

    def compute(self, x, y):
        return np.matmul(x.T if self.a else x, y.T if self.b else y)

    def bprop(self, x, y, out, dout):
        a, b = self.a, self.b
        dx = MatMul(b, True)(y, dout) if a else MatMul(False, not b)(dout, y)
        dy = MatMul(True, a)(dout, x) if b else MatMul(not a, False)(x, dout)
        return dx, dy


class Mean(Operation):
    """The mean of all numbers."""

    def compute(self, x):
        return x.sum() / np.float32(x.size)

    def bprop(self, x, out, dout):
        return (BroadcastTo(x.shape)(dout * (1 / x.array.size)),)


def main():
    x, w = Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0], [5.0, 6.0]])
    out, (dx, dw) = value_and_grad(lambda: Mean()(MatMul(False, True)(x, w)), [x, w])
    print("mean of x @ w.T =", float(out))
    print("by x:", dx, "\nby w:", dw)


if __name__ == "__main__":
    main()
