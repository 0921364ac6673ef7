"""Step 14: unscale, and check for overflow. A scale too large makes an inf: the gradients cannot be used.

One pass does both: each gradient is multiplied by ``1 / scale`` in float32, and one question is asked of the results:
is any of them inf or nan? The answer is one bool for the whole network. One bad number spoils every layer before it.

    python examples/steps/step14_overflow.py
"""

import numpy as np
from step01_tensor import Tensor
from step02_tape import value_and_grad
from step07_dense import squared_error
from step13_loss_scale import small_gradients


def unscale(gradients, scale):
    """The gradients divided by the scale in float32, and True if any is not finite."""
    inverse = np.float32(1) / np.float32(scale)
    found = [Tensor(g.array * inverse) for g in gradients]
    return found, not all(np.isfinite(g.array).all() for g in found)


def main():
    network, x, y = small_gradients()
    for power in (8, 24, 32, 38, 44):
        _, scaled = value_and_grad(lambda: squared_error(network(x), y), network.parameters().values(), 2.0**power)
        largest = max(abs(g.array).max() for g in scaled)
        print(f"scale 2**{power:<2} largest scaled gradient {largest:<8g} overflow: {unscale(scaled, 2.0**power)[1]}")


if __name__ == "__main__":
    main()
