"""Softmax and its gradient by blocks of rows equal their formulas in float64, at any size of the numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import softmax
from minispore.ops.kernels.blocking import cache_blocks


def formula(x):
    x = x.astype(np.float64)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.fixture(autouse=True)
def small_arrays_are_large_too(monkeypatch):
    monkeypatch.setattr(softmax, "_SMALL", 1)
    monkeypatch.setattr(cache_blocks, "_LONGEST", 64)


def numbers(rows, length, seed, scale):
    """Rows of which each has its own offset, up to ``scale`` away from 0."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((rows, length)) + scale * rng.uniform(-1, 1, (rows, 1))).astype(np.float32)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99), st.sampled_from([0, 5, 100, 1e4]))
def test_softmax_is_its_formula_wherever_the_numbers_lie(rows, length, seed, scale):
    x = numbers(rows, length, seed, scale)
    found = softmax.softmax(np, x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, formula(x), rtol=2e-6)


def test_the_tail_of_a_row_keeps_its_digits():
    x = np.linspace(-80, 8, 64, dtype=np.float32).reshape(1, 64)
    np.testing.assert_allclose(softmax.softmax(np, x), formula(x), rtol=4e-6)


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_an_infinity_or_nan_changes_its_own_row_only(odd):
    x = numbers(9, 8, 1, 0)
    x[4, 2] = odd
    found, others = softmax.softmax(np, x), [i for i in range(9) if i != 4]
    np.testing.assert_allclose(found[others], formula(x[others]), rtol=2e-6)
    if odd == -np.inf:
        np.testing.assert_allclose(found[4], formula(x[4]), rtol=2e-6)
    else:
        assert np.isnan(found[4]).all()


def test_a_row_of_minus_infinity_is_nan():
    x = numbers(3, 8, 1, 0)
    x[1] = -np.inf
    assert np.isnan(softmax.softmax(np, x)).all(axis=1).tolist() == [False, True, False]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))
def test_the_gradient_is_its_formula(rows, length, seed):
    y, dy = formula(numbers(rows, length, seed, 0)), numbers(rows, length, seed + 1, 0).astype(np.float64)
    expected = y * (dy - (y * dy).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(softmax.softmax_grad(np, dy, y), expected, rtol=1e-10, atol=1e-14)
    found = softmax.softmax_grad(np, dy.astype(np.float32), y.astype(np.float32))
    np.testing.assert_allclose(found, expected, atol=2e-6)


@given(st.integers(1, 40), st.integers(2, 40), st.integers(0, 99), st.sampled_from([1, 1 << 20]))
def test_a_rounded_softmax_has_its_gradients_digits_beside_a_large_mean(rows, length, seed, small):
    """``dy`` and ``dy + 100`` have one gradient, which the rounding of y would spoil a hundred times as much."""
    x, dy = numbers(rows, length, seed, 0), numbers(rows, length, seed + 1, 0)
    y = formula(x).astype(np.float16).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(softmax, "_SMALL", small)
        plain, far = (softmax.softmax_grad(np, a, y) for a in (dy, dy + 100))
    np.testing.assert_allclose(plain, far, atol=5e-5)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (2, 0, 3)])
def test_an_empty_array_stays_empty(shape):
    x = np.empty(shape, np.float32)
    assert softmax.softmax(np, x).shape == softmax.softmax_grad(np, x, x).shape == shape


def test_inputs_of_any_layout_are_read_and_left_as_they_are():
    x = numbers(64, 32, 2, 0)
    turned = np.ascontiguousarray(x.T).T
    before = turned.copy()
    np.testing.assert_array_equal(softmax.softmax(np, turned), softmax.softmax(np, x))
    np.testing.assert_array_equal(softmax.softmax_grad(np, turned, turned), softmax.softmax_grad(np, x, x))
    np.testing.assert_array_equal(turned, before)
