"""Exercise 14.2: the sum of a tensor core."""

import numpy as np

TILE = 16


def matmul(a, b):
    """The product of two float16 matrices, tile by tile, as float16."""
    out = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(0, a.shape[1], TILE):
        tile = a[:, k : k + TILE].astype(np.float32) @ b[k : k + TILE].astype(np.float32)
        out = out + tile
    return out.astype(np.float16)


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version, speaks = "my product", "1", "mine"
    says = {"MatMul": "matmul(x0, x1)"}

    def compute(self, expression, inputs):
        return [matmul(*inputs)]


def target():
    return Target()
