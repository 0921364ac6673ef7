"""Exercise 6.2: a law: the scale changes nothing."""

import numpy as np


def law(given):
    """Fail on a ``given`` gradient that a loss scale changes."""
    rng = np.random.default_rng(0)
    w, x, y = (rng.standard_normal(50).astype(np.float32) for _ in range(3))
    plain = given(w, x, y, 1.0)
    assert plain.dtype == np.float32
    assert np.allclose(plain, 2 * (w * x - y) * x, rtol=1e-5, atol=1e-5)
    for scale in (2.0, 1024.0, 2.0**20):
        assert np.array_equal(given(w, x, y, scale), plain)
