"""Sums as products with ones are NumPy's sums, for any axes, dtype and layout."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import ops
from minispore.ops.kernels import reduce


@st.composite
def arrays_and_axes(draw):
    shape = draw(st.lists(st.integers(0, 12), min_size=1, max_size=4))
    axes = tuple(sorted(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))))
    x = np.random.default_rng(draw(st.integers(0, 99))).standard_normal(shape)
    return draw(st.sampled_from([x, x.T[..., ::-1].T, x.astype(np.float32), np.rint(x * 99).astype(np.int32)])), axes


@given(arrays_and_axes(), st.booleans())
def test_a_sum_over_any_axes_is_numpys(case, keepdims):
    x, axes = case
    expected = x.sum(axis=axes, keepdims=keepdims, dtype=np.float64 if x.dtype == np.float32 else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reduce, "_SMALL", 1)
        patch.setattr(reduce, "_NARROW", 1)
        found = reduce.sum_over(np, x, axes, keepdims)
    assert found.shape == expected.shape
    # Of the sum of magnitudes, since terms cancel: a fixed number is too small for long sums, too large for short ones
    rounding = 0 if x.dtype.kind == "i" else 4 * np.finfo(x.dtype).eps
    assert np.all(np.abs(found - expected) <= rounding * np.abs(x).sum(axis=axes, keepdims=keepdims, dtype=np.float64))


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((4096, 64), (0,)), ((512, 1000), (1,)), ((64, 16, 8, 8), (0, 2, 3)), ((1 << 18,), (0,)), ((1 << 16, 3), (0, 1))],
    ids=str,
)
def test_large_sums_of_float32_are_as_exact_as_numpys(shape, axes):
    """Of positive numbers, whose errors add up; to four times the error, and a rounding of the result."""
    x = np.random.default_rng(1).uniform(0, 1, shape).astype(np.float32)
    exact = x.sum(axis=axes, dtype=np.float64)
    error = np.abs(reduce.sum_over(np, x, axes, False) / exact - 1).max()
    assert error <= 4 * np.abs(x.sum(axis=axes) / exact - 1).max() + 2.0**-23


@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 99))
def test_row_maxima_are_numpys(rows, length, seed):
    x = np.random.default_rng(seed).standard_normal((rows, length))
    np.testing.assert_array_equal(reduce.row_maxima(np, x), x.max(axis=1, keepdims=True))
    x[rows // 2, length // 2] = np.nan
    np.testing.assert_array_equal(reduce.row_maxima(np, x), x.max(axis=1, keepdims=True))


def test_the_mean_of_ones_is_one():
    assert [n for n in range(1, 300) if float(ops.ones((n,)).mean()) != 1] == []
