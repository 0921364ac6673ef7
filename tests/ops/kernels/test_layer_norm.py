"""Layer normalization by blocks of rows gives what the formula gives, however the rows are cut and shared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import workers
from minispore.ops.kernels.blocking import cache_blocks
from minispore.ops.kernels.layer_norm import layer_norm, layer_norm_grad

EPS = 1e-5


def formula(x, gamma, beta):
    normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + EPS)
    return normal * gamma + beta


def gradients(dy, x, gamma):
    """The formula of the docstring, on whole arrays."""
    deviation = np.sqrt(x.var(axis=1, keepdims=True) + EPS)
    normal, d = (x - x.mean(axis=1, keepdims=True)) / deviation, dy * gamma
    dx = (d - d.mean(axis=1, keepdims=True) - normal * (d * normal).mean(axis=1, keepdims=True)) / deviation
    return dx, (dy * normal).sum(axis=0), dy.sum(axis=0)


def case(rows, length, seed):
    rng = np.random.default_rng(seed)
    x, dy = rng.standard_normal((2, rows, length)) + 3
    return x, dy, *rng.standard_normal((2, length))


@given(st.integers(1, 40), st.integers(1, 20), st.integers(1, 200), st.integers(0, 99))
def test_however_the_rows_are_cut_the_formula_holds(rows, length, block, seed):
    x, dy, gamma, beta = case(rows, length, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_blocks, "_LONGEST", block)
        y, mean, var = layer_norm(np, x, gamma, beta, 1, EPS)
        found = layer_norm_grad(np, dy, x, gamma, mean, var, 1, EPS)
    np.testing.assert_allclose(y, formula(x, gamma, beta), rtol=1e-7, atol=1e-7)
    for got, expected in zip(found, gradients(dy, x, gamma), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-7)


def test_any_number_of_workers_gives_the_same_bits(monkeypatch):
    monkeypatch.setattr(cache_blocks, "_LONGEST", 1 << 16)  # six blocks
    x, dy, gamma, beta = (a.astype(np.float32) for a in case(700, 400, 1))

    def found(count):
        monkeypatch.setattr(workers, "count", lambda: count)
        y, mean, var = layer_norm(np, x, gamma, beta, 1, EPS)
        return y, mean, var, *layer_norm_grad(np, dy, x, gamma, mean, var, 1, EPS)

    for one, three in zip(found(1), found(3), strict=True):
        np.testing.assert_array_equal(one, three)


def test_a_row_of_nan_leaves_the_digits_of_a_row_with_a_large_mean():
    x, _, gamma, beta = (a.astype(np.float32) for a in case(3, 512, 2))
    x[0], x[1] = np.nan, x[1] + 1e4
    y, _, _ = layer_norm(np, x, gamma, beta, 1, EPS)
    assert np.isnan(y[0]).all()
    np.testing.assert_allclose(y[1:], formula(x[1:].astype(np.float64), gamma, beta), atol=1e-5)


def test_no_rows_have_no_gradient():
    x, gamma = np.empty((0, 4)), np.ones(4)
    y, mean, var = layer_norm(np, x, gamma, gamma, 1, EPS)
    dx, dgamma, dbeta = layer_norm_grad(np, x, x, gamma, mean, var, 1, EPS)
    assert y.shape == dx.shape == (0, 4)
    assert not dgamma.any() and not dbeta.any()
