"""Exercise 4.2: a law that kills wrong gradients."""

import numpy as np

import minispore as ms

POINTS = [-3.0, -0.7, 0.0, 0.1, 0.5, 2.0]


def law(given):
    """Fail on a primitive ``given`` that is not tanh, or whose gradient is not the derivative of it."""
    x = np.array(POINTS)
    out = given(ms.Tensor(x, ms.float64)).asnumpy()
    assert np.abs(out - np.tanh(x)).max() < 1e-12
    found = ms.grad(lambda x: given(x) * 3)(ms.Tensor(x, ms.float64)).asnumpy()
    slope = 3 * (np.tanh(x + 1e-5) - np.tanh(x - 1e-5)) / 2e-5
    assert np.abs(found - slope).max() < 1e-8
    half = given(ms.Tensor([0.5], ms.float16))
    assert half.dtype == ms.float16
