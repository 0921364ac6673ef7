"""Step 2: the tape. A list has one record for each operation; a loop visits the records newest first.

A record is ``(rule, inputs, out)``. The rule takes ``dout``, the gradient of the output, and returns a gradient for
each input. ``sweep`` begins with the *seed*: the gradient of the last output by itself, 1. Two paths to one Tensor add.

Rules compute with Tensors. So another tape can follow a sweep: that gives gradients of gradients.

    python examples/steps/step02_tape.py
"""

import numpy as np
from step01_tensor import Tensor

tapes = []  # those that record now, the innermost last


def record(rule, inputs, out):
    """Note an operation on every tape."""
    for tape in tapes:
        tape.append((rule, inputs, out))


def sweep(records, grads):
    """Consume the records: hand the gradient of each output back to its inputs."""
    while records:
        rule, inputs, out = records.pop()
        if out in grads:
            for x, g in zip(inputs, rule(*inputs, out, grads.pop(out))):
                if g is not None:
                    grads[x] = grads[x] + g if x in grads else g


def value_and_grad(function, wrt, seed=1.0):
    """``function()``, and its gradient by each Tensor of ``wrt``."""
    tapes.append([])
    try:
        out = function()
    finally:
        records = tapes.pop()
    grads = {out: Tensor(np.full(out.shape, seed), out.kind)}
    sweep(records, grads)
    return out, [grads.get(x, Tensor(np.zeros(x.shape))) for x in wrt]


def add(x, y):
    out = Tensor(x.array + y.array)
    record(lambda x, y, out, dout: (dout, dout), (x, y), out)
    return out


def multiply(x, y):
    out = Tensor(x.array * y.array)
    record(lambda x, y, out, dout: (dout * y, dout * x), (x, y), out)
    return out


Tensor.__add__, Tensor.__mul__ = add, multiply


def main():
    x, y = Tensor(3.0), Tensor(4.0)
    out, (dx, dy) = value_and_grad(lambda: x * y * x, [x, y])
    print("x*y*x =", float(out), " by x:", float(dx), " by y:", float(dy))
    slope = lambda: value_and_grad(lambda: x * x * x, [x])[1][0]  # noqa: E731
    print("slope of the cube at 3:", float(slope()), " its own slope:", float(value_and_grad(slope, [x])[1][0]))


if __name__ == "__main__":
    main()
