"""Step 3: an operation is an object with two rules: ``compute`` for arrays, ``bprop`` for gradients.

A call does three things: lower, run, record. ``lower`` and ``run`` are seams: step 12 and step 17 put other functions
there. No operation knows of them. That is how a whole network will change its precision without a change to one rule.

    python examples/steps/step03_operation.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import record, value_and_grad


class Operation:
    """Base of operations."""

    bprop = None  # an operation without the rule can only be run
    lower = staticmethod(lambda operation, inputs: inputs)
    run = staticmethod(lambda operation, inputs: Tensor(operation.compute(*[x.array for x in inputs])))

    def __call__(self, *inputs):
        inputs = Operation.lower(self, inputs)
        out = Operation.run(self, inputs)
        record(self.bprop, inputs, out)
        return out


class ReLU(Operation):
    """``max(x, 0)``: the gradient passes where the output is positive."""

    def compute(self, x):
        return np.maximum(x, 0)

    def bprop(self, x, out, dout):
        return (keep(dout, out),)


class Keep(Operation):
    """``x`` where ``y`` is positive, else 0: no product, because ``inf * 0`` is no number."""

    def compute(self, x, y):
        return np.where(y > 0, x, 0)

    def bprop(self, x, y, out, dout):
        return keep(dout, y), None


relu, keep = ReLU(), Keep()


def main():
    x = Tensor([-1.0, 0.5, 2.0])
    out, (dx,) = value_and_grad(lambda: relu(x) * relu(x), [x])
    print("relu(x) ** 2 =", out, "\ngradient     =", dx)


if __name__ == "__main__":
    main()
