"""Normalizations equal their formula in float64, and their gradients its difference quotients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore.ops.kernels import workers
from minispore.ops.kernels.batch_norm import batch_norm, batch_norm_grad, batch_norm_inference
from minispore.ops.kernels.layer_norm import layer_norm, layer_norm_grad

EPS = 1e-5
SHAPES = [(6, 3), (4, 3, 5), (4, 3, 2, 3), (3, 2, 7, 9), (2, 3, 2, 3, 4), (5, 1, 8, 8)]


def batch_norm_reference(x, scale, bias):
    axes = (0, *range(2, x.ndim))
    column = (-1, *[1] * (x.ndim - 2))
    mean, var = x.mean(axes), x.var(axes)
    y = (x - mean.reshape(column)) / np.sqrt(var.reshape(column) + EPS) * scale.reshape(column) + bias.reshape(column)
    return y, mean, var


def layer_norm_reference(x, gamma, beta, begin_axis):
    axes = tuple(range(begin_axis % x.ndim, x.ndim))
    mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(var + EPS) * gamma + beta, mean, var


def assert_gradients_equal_difference_quotients(function, inputs, dy, gradients):
    """Along one random direction per input: ``<gradient, d> = (<dy, f(x + hd)> - <dy, f(x - hd)>) / 2h``."""
    random = np.random.default_rng(5)
    for k, gradient in enumerate(gradients):
        assert gradient.shape == inputs[k].shape
        direction = random.standard_normal(inputs[k].shape)
        h = 1e-6
        up, down = ([*inputs[:k], inputs[k] + s * h * direction, *inputs[k + 1 :]] for s in (1, -1))
        quotient = (dy * (function(*up) - function(*down))).sum() / (2 * h)
        np.testing.assert_allclose((gradient * direction).sum(), quotient, rtol=1e-5, atol=1e-6)


def batch_case(shape, seed=0):
    random = np.random.default_rng(seed)
    return random.standard_normal(shape), random.standard_normal(shape[1]) + 2, random.standard_normal(shape[1])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_batch_norm_and_its_gradient_follow_the_formula(shape):
    x, scale, bias = batch_case(shape)
    y, mean, var = batch_norm(np, x, scale, bias, EPS)
    for got, expected in zip((y, mean, var), batch_norm_reference(x, scale, bias), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-10)
    dy = np.random.default_rng(1).standard_normal(shape)
    gradients = batch_norm_grad(np, dy, x, scale, mean, var, EPS)
    assert_gradients_equal_difference_quotients(lambda *a: batch_norm_reference(*a)[0], (x, scale, bias), dy, gradients)


@given(st.tuples(st.integers(2, 6), st.integers(1, 4), st.integers(1, 8), st.integers(1, 8)), st.integers(0, 99))
def test_batch_norm_of_any_image_follows_the_formula(shape, seed):
    case = batch_case(shape, seed)
    for got, expected in zip(batch_norm(np, *case, EPS), batch_norm_reference(*case), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("shape", [(64, 3, 32, 32), (4096, 3)], ids=str)
def test_a_mean_far_larger_than_the_deviation_costs_no_digits(shape):
    x = (np.random.default_rng(2).standard_normal(shape) + 1e4).astype(np.float32)
    one, zero = np.ones(3, np.float32), np.zeros(3, np.float32)
    y, mean, var = batch_norm(np, x, one, zero, EPS)
    expected_y, expected_mean, expected_var = batch_norm_reference(x.astype(np.float64), one, zero)
    assert y.dtype == mean.dtype == var.dtype == np.float32
    np.testing.assert_allclose(y, expected_y, atol=1e-5)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-7)
    np.testing.assert_allclose(var, expected_var, rtol=1e-5)


def test_float32_gradients_are_near_those_of_float64():
    x, scale, bias = batch_case((16, 8, 9, 9))
    dy = np.random.default_rng(1).standard_normal(x.shape)
    _, mean, var = batch_norm(np, x, scale, bias, EPS)
    exact = batch_norm_grad(np, dy, x, scale, mean, var, EPS)
    single = batch_norm_grad(np, *(a.astype(np.float32) for a in (dy, x, scale, mean, var)), EPS)
    for got, expected in zip(single, exact, strict=True):
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


def test_inference_normalizes_by_the_given_statistics():
    x, scale, bias = batch_case((4, 3, 5, 2))
    mean, var = np.array([1.0, 2, 3]), np.array([0.5, 1, 4])
    column = (-1, 1, 1)
    expected = (x - mean.reshape(column)) / np.sqrt(var.reshape(column) + EPS) * scale.reshape(column)
    y = batch_norm_inference(np, x, scale, bias, mean, var, EPS)
    np.testing.assert_allclose(y, expected + bias.reshape(column), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape, begin_axis", [((4, 6), 1), ((2, 3, 8), -1), ((2, 3, 8), 1), ((2, 3, 4, 5), 2)])
def test_layer_norm_and_its_gradient_follow_the_formula(shape, begin_axis):
    random = np.random.default_rng(3)
    x, gamma, beta = (random.standard_normal(s) for s in (shape, shape[begin_axis:], shape[begin_axis:]))
    y, mean, var = layer_norm(np, x, gamma, beta, begin_axis, EPS)
    for got, expected in zip((y, mean, var), layer_norm_reference(x, gamma, beta, begin_axis), strict=True):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-10)
    dy = random.standard_normal(shape)
    gradients = layer_norm_grad(np, dy, x, gamma, mean, var, begin_axis, EPS)
    assert_gradients_equal_difference_quotients(
        lambda *a: layer_norm_reference(*a, begin_axis)[0], (x, gamma, beta), dy, gradients
    )


def test_layer_norm_keeps_its_digits_under_a_large_mean():
    x = (np.random.default_rng(4).standard_normal((64, 512)) + 1e4).astype(np.float32)
    one, zero = np.ones(512, np.float32), np.zeros(512, np.float32)
    y, mean, var = layer_norm(np, x, one, zero, 1, EPS)
    expected_y, expected_mean, expected_var = layer_norm_reference(x.astype(np.float64), one, zero, 1)
    np.testing.assert_allclose(y, expected_y, atol=1e-5)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-7)
    np.testing.assert_allclose(var, expected_var, rtol=1e-5)
    assert y.dtype == np.float32


def test_infinite_and_constant_channels_give_no_warning():
    x = np.ones((4, 2, 3, 3), np.float32)
    x[0, 0, 0, 0] = np.inf
    one, zero = np.ones(2, np.float32), np.zeros(2, np.float32)
    y, mean, var = batch_norm(np, x, one, zero, EPS)
    assert np.isnan(y[:, 0]).all() and not y[:, 1].any()
    batch_norm_grad(np, y, x, one, mean, var, EPS)
    layer_norm(np, x, np.ones((3, 3), np.float32), np.zeros((3, 3), np.float32), 2, EPS)


def test_another_array_module_computes_the_same_without_waiting():
    case = x, scale, _ = batch_case((4, 3, 6, 7))
    rows, gamma, beta = (np.random.default_rng(6).standard_normal(s) for s in ((4, 5, 6), (5, 6), (5, 6)))
    before = strict_cupy.synchronisations
    results = []
    for xp, to in ((np, np.asarray), (strict_cupy, strict_cupy.asarray)):
        outputs = batch_norm(xp, *map(to, case), EPS)
        outputs += batch_norm_grad(xp, outputs[0], to(x), to(scale), *outputs[1:], EPS)
        outputs += (batch_norm_inference(xp, *map(to, case), *outputs[1:3], EPS),)
        layer = layer_norm(xp, to(rows), to(gamma), to(beta), 1, EPS)
        results.append(outputs + layer + layer_norm_grad(xp, layer[0], to(rows), to(gamma), *layer[1:], 1, EPS))
    assert strict_cupy.synchronisations == before
    for expected, got in zip(*results, strict=True):
        np.testing.assert_allclose(got.get(), expected, rtol=1e-12, atol=1e-12)


def with_workers(count, function, *arguments):
    """What ``function`` returns where so many workers share its pieces."""
    before = ms.get_context("runtime_num_threads")
    ms.set_context(runtime_num_threads=count)
    try:
        return function(*arguments)
    finally:
        ms.set_context(runtime_num_threads=before)


@given(
    st.sampled_from([2, 3, 5, 16, 33, 100]),
    st.sampled_from([1, 4, 25, 49, 64, 129, 1024]),
    st.floats(1, 9),
    st.integers(0, 99),
)
def test_batch_norm_has_the_same_bits_for_any_number_of_workers(channels, pixels, megabytes, seed):
    images = 2 + int(megabytes * 2**18 / (channels * pixels))
    x, dy = np.random.default_rng(seed).standard_normal((2, images, channels, pixels), np.float32)
    scale, bias = np.random.default_rng(seed).standard_normal((2, channels), np.float32)

    def all_passes():
        y, mean, var = batch_norm(np, x, scale, bias, EPS)
        gradients = batch_norm_grad(np, dy, x, scale, mean, var, EPS)
        return y, mean, var, *gradients, batch_norm_inference(np, x, scale, bias, mean, var, EPS)

    alone = with_workers(1, all_passes)
    for count in (2, 3, 5):
        for got, expected in zip(with_workers(count, all_passes), alone, strict=True):
            np.testing.assert_array_equal(got, expected)


def test_the_workers_normalize_some_channels_each(monkeypatch):
    handed, plain = [], workers.share
    monkeypatch.setattr(workers, "share", lambda work, pieces: handed.append(len(pieces)) or plain(work, pieces))
    x, scale, bias = (a.astype(np.float32) for a in batch_case((64, 16, 32, 32)))
    _, mean, var = with_workers(2, batch_norm, np, x, scale, bias, EPS)
    with_workers(2, batch_norm_grad, np, x, x, scale, mean, var, EPS)
    assert handed == [2, 2], "one hand-over for all passes, of two pieces"
