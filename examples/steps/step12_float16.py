"""Step 12: float16 by rounding. Compute in float32, then round the result once to the nearest number of float16.

float16 has 11 bits of precision. Its largest number is 65504, its smallest 6e-8. A product of matrices is summed in
float32 and rounded at its end, as in a tensor core: rounding each partial sum would lose far more.

``Operation.run`` now rounds. ``Cast`` changes the format; the gradient of a cast is the cast back. If the inputs of an
operation differ in format, ``promote`` casts them to float32.

    python examples/steps/step12_float16.py
"""

import numpy as np
from step01_tensor import Tensor
from step03_operation import Operation
from step05_products import MatMul


def to_float16(x):
    """``x`` on float16's grid, still in a float32 array; what is beyond 65504 by half a step becomes inf."""
    with np.errstate(over="ignore"):
        return np.asarray(x).astype(np.float16).astype(np.float32)


GRIDS = {"float32": lambda x: x, "float16": to_float16}  # step 25 adds one


def rounded(x):
    """The array of a Tensor on the grid of its kind."""
    return GRIDS[x.kind](x.array)


def run(operation, inputs):
    """Compute, and round once to the kind of the inputs."""
    kind = operation.kind or inputs[0].kind
    with np.errstate(over="ignore", invalid="ignore"):
        out = operation.compute(*[rounded(x) for x in inputs])
    return Tensor(GRIDS[kind](out), kind)


def promote(operation, inputs):
    """Inputs of one kind: where they differ all become float32."""
    same = len({x.kind for x in inputs}) == 1
    return inputs if same else [x if x.kind == "float32" else Cast("float32")(x) for x in inputs]


Operation.kind, Operation.run, Operation.lower = None, staticmethod(run), staticmethod(promote)


class Cast(Operation):
    """``x`` in another format."""

    def __init__(self, kind):
        self.kind = kind

    def compute(self, x):
        return x

    def bprop(self, x, out, dout):
        return (Cast(x.kind)(dout),)


def main():
    for number in (0.1, 2049.0, 65504.0, 65520.0, 6e-5, 6e-8, 2e-8):
        print(f"{number:<10g} in float16: {float(to_float16(number)):.9g}")
    ones, tenths = Tensor(np.full((1, 4096), 1), "float16"), Tensor(np.full((4096, 1), 0.1), "float16")
    print("4096 tenths, rounded once:", MatMul()(ones, tenths).array[0, 0])
    print("4096 tenths, each partial sum rounded:", np.cumsum(np.full(4096, 0.1, np.float16), dtype=np.float16)[-1])


if __name__ == "__main__":
    main()
