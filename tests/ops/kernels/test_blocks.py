"""Rules computed a block at a time give what they give on whole arrays, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import Parameter, Tensor, ops
from minispore.ops.kernels import blocks


def rule(xp, x, y, rate):
    total = x + y * rate
    return total, xp.sqrt(total * total) - x, rate + 1


@given(st.integers(0, 40), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_blocks_give_what_the_whole_gives(size, block, seed):
    rng = np.random.default_rng(seed)
    x, y, rate = rng.standard_normal(size), rng.standard_normal(size), np.asarray(0.3)
    before, blocks._BLOCK = blocks._BLOCK, block
    try:
        found = blocks.in_blocks(rule, np, x, y, rate)
    finally:
        blocks._BLOCK = before
    for a, b in zip(found, rule(np, x, y, rate), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_a_large_parameter_is_updated_as_its_parts_are(kind):
    """Of a size that is no multiple of a block, from a gradient that is not contiguous."""
    rng = np.random.default_rng(0)
    w, m, v, g = (rng.uniform(0.1, 1, (331, 333)).astype(kind) for _ in range(4))
    numbers = [Tensor(np.float32(x)) for x in (0.9, 0.99, 0.1, 0.9, 0.99, 1e-3)]

    def updated(rows):
        written = [Parameter(x[rows].copy()) for x in (w, m, v)]
        ops.Adam()(*written, *numbers, Tensor.from_numpy(g.T.copy()).T[rows])
        return [x.asnumpy() for x in written]

    whole, parts = updated(slice(None)), [updated(slice(i, i + 1)) for i in range(331)]
    for i, found in enumerate(whole):
        np.testing.assert_array_equal(found, np.concatenate([part[i] for part in parts]))
