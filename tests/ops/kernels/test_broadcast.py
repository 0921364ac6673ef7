"""Few numbers against many: the results are NumPy's own broadcast's, bit for bit, however they are laid out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import broadcast

SEEDS, COUNTS = st.integers(0, 99), st.sampled_from([0, 1, 2, 3, 6, 8, 40])
KINDS = st.sampled_from([np.float32, np.float64])


@pytest.fixture(autouse=True)
def small_arrays_are_long_too(monkeypatch):
    monkeypatch.setattr(broadcast, "_LONG", 1)
    monkeypatch.setattr(broadcast, "_SMALL", 0)


@pytest.fixture
def short_rows(monkeypatch):
    monkeypatch.setattr(broadcast, "_ROW", 64)


def drawn(shape, kind, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(kind)


@given(COUNTS, COUNTS, st.sampled_from([1, 3, 7, 64, 70]), KINDS, SEEDS, st.booleans(), st.booleans())
def test_along_rows(short_rows, batch, rows, length, kind, seed, turned, itself):
    x, v = drawn((batch, rows, length), kind, seed), drawn(length, kind, seed + 1)
    x = np.asfortranarray(x) if turned else x
    out, right = x if itself else np.empty_like(x), x * v
    found = broadcast.along_rows(np.multiply, np, x, v, out)
    np.testing.assert_array_equal(found, right)
    np.testing.assert_array_equal(out, right)


@pytest.mark.parametrize("rows, length, repeats", [(1024, 4, 16), (12, 4, 4), (7, 4, 1), (8, 64, 1), (8, 65, 1)])
def test_rows_are_as_long_as_they_may_be(short_rows, rows, length, repeats):
    assert broadcast._repeats(np.empty((rows, length)), np.empty(length)) == repeats


@given(COUNTS, st.integers(1, 5), st.integers(1, 9), KINDS, SEEDS)
def test_along_channels(images, channels, pixels, kind, seed):
    x, v = drawn((images, channels, pixels), kind, seed), drawn(channels, kind, seed + 1)
    np.testing.assert_array_equal(x + broadcast.spread(np, v, x), x + v[:, None])


@given(st.sampled_from([0, 5, 8191, 8192, 8193, 20_000]), KINDS, SEEDS, st.booleans())
def test_numbers_that_are_not_negative(size, kind, seed, into):
    x = drawn(size, kind, seed)
    x[::7] = np.nan
    out = np.empty_like(x) if into else None
    found = broadcast.not_negative(np, x, out)
    np.testing.assert_array_equal(found, np.maximum(x, 0))
    assert out is None or found is out
