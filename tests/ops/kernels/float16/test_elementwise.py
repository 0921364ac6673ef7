"""Signs of float16 by bits: proven on all 65,536 patterns."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import StrictArray, strict_cupy

import minispore as ms
from minispore import ops
from minispore.ops.kernels.float16.elementwise import (
    by_float32,
    compared,
    cut,
    from_ordered,
    is_positive,
    is_within,
    of_one,
    ordered,
    rectified,
)

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def test_all_patterns_are_rectified_as_maximum_does():
    found, expected = rectified(np, ALL), np.maximum(ALL, np.float16(0))
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(ALL)
    assert not np.signbit(found[numbers]).any()


def test_all_patterns_are_compared_as_greater_does():
    np.testing.assert_array_equal(is_positive(np, ALL), ALL > 0)


@pytest.mark.parametrize("most", [6, 0.125, 65504])
def test_all_patterns_are_cut_as_minimum_does(most):
    most = np.float16(most)
    for some in (ALL, ALL[~np.isnan(ALL)], ALL[:0]):
        np.testing.assert_array_equal(cut(np, some, most), np.minimum(np.maximum(some, np.float16(0)), most))
        np.testing.assert_array_equal(is_within(np, some, most), (some > 0) & (some <= most))


@pytest.mark.parametrize("name", ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"])
def test_all_patterns_are_compared_with_others_as_numpy_does(name):
    function, others = getattr(np, name), np.random.default_rng(0).permutation(ALL)
    for y in (others, ALL, np.float16([6.0]), np.float16(-0.0).reshape(())):
        np.testing.assert_array_equal(compared(np, function, ALL, y), function(ALL, y))


def test_the_gradient_of_relu6_chooses_as_that_of_relu_does():
    x = np.array([-1, -0.0, 0, 2.0**-24, 6, 6.004, np.inf, np.nan], np.float16)
    for kind in (np.float16, np.float32):
        for dy in (-1, np.inf, np.nan):
            found = pulled(x.astype(kind), dy)
            expected = np.where((x > 0) & (x <= 6), kind(dy), kind(0))
            np.testing.assert_array_equal(found, expected)
            assert not np.signbit(found[expected == 0]).any()


def pulled(x, dy):
    """The gradient of ReLU6 for a gradient of ``dy`` everywhere."""
    gradient = ops.GradOperation(sens_param=True)(ops.relu6)
    return gradient(ms.Tensor(x), ms.Tensor(np.full(x.shape, dy, x.dtype))).asnumpy()


def test_keys_of_numbers_without_a_sign_are_their_bits_and_make_no_copy():
    x = ALL[:0x7C01]
    assert np.shares_memory(ordered(x), x) and np.shares_memory(from_ordered(ordered(x)), x)
    np.testing.assert_array_equal(from_ordered(ordered(x)), x)


def test_all_patterns_have_keys_in_the_order_of_the_numbers_and_come_back():
    keys, nan = ordered(ALL), np.isnan(ALL)
    assert (keys[nan] == np.iinfo(np.int16).max).all()
    order = np.argsort(ALL[~nan], kind="stable")
    steps, rises = np.diff(keys[~nan][order].astype(int)), np.diff(ALL[~nan][order].astype(float)) > 0
    np.testing.assert_array_equal(steps > 0, rises)
    assert (steps[~rises] == 0).all()
    np.testing.assert_array_equal(from_ordered(keys), ALL)


@given(st.sampled_from(["add", "subtract", "multiply", "divide"]), st.integers(0, 2**32 - 1))
def test_arithmetic_is_rounded_once_as_numpys_is(name, seed):
    function, rng = getattr(np, name), np.random.default_rng(seed)
    x, y = rng.integers(0, 1 << 16, (2, 70_000), dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(by_float32(np, function, x, y), function(x, y))
        np.testing.assert_array_equal(by_float32(np, function, x, y[:1]), function(x, y[:1]))


def test_other_dtypes_and_other_devices_agree():
    x = np.array([-np.inf, -1, -0.0, 0, 1, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(rectified(np, x), np.maximum(x, 0))
    for kind in (np.float16, np.float32):
        there = strict_cupy.asarray(x.astype(kind))
        np.testing.assert_array_equal(rectified(strict_cupy, there).get(), np.maximum(x, 0))
        np.testing.assert_array_equal(is_positive(strict_cupy, there).get(), x > 0)


@pytest.mark.parametrize("size", [8191, 8192, 8193, 3 * 8192, 1 << 20])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_long_arrays_are_rectified_row_by_row_to_the_last_number(size, kind):
    x = np.random.default_rng(size).standard_normal(size).astype(kind)
    x[::1000], x[-1] = np.nan, -1
    expected = np.maximum(x, 0)
    np.testing.assert_array_equal(rectified(np, x), expected)
    out = np.full_like(x, 7)
    assert rectified(np, x, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_arrays_of_another_layout_are_rectified_as_they_lie():
    x = np.random.default_rng(3).standard_normal((160, 170))
    expected = np.maximum(x, 0)
    np.testing.assert_array_equal(rectified(np, np.asfortranarray(x)), expected)
    out = np.zeros((170, 160)).T
    np.testing.assert_array_equal(rectified(np, x, out=out), expected)
    np.testing.assert_array_equal(out, expected)


def test_on_a_gpu_a_function_of_narrow_numbers_is_cupys_own():
    """Its kernels compute in float32 and round once: one launch, and none that widens or narrows."""
    seen = []

    def function(*args):
        seen.append([a.dtype for a in args])
        return strict_cupy.add(*args) if len(args) > 1 else strict_cupy.exp(*args)

    for kind in (np.float16, ml_dtypes.bfloat16):
        x = strict_cupy.ones((2, 3), kind)
        assert by_float32(strict_cupy, function, x, x[0]).dtype == of_one(strict_cupy, function, x).dtype == kind
        assert seen[-2:] == [[kind] * 2, [kind]]
        host = np.ones((2, 3), kind)
        assert of_one(np, lambda a: seen.append([a.dtype]) or a, host).dtype == kind and seen[-1] == [np.float32]


@pytest.mark.parametrize("name", ["ReLU", "Exp", "Sqrt", "Add", "Mul", "BiasAdd", "ReluGrad", "MatMul"])
def test_on_a_gpu_no_float16_is_widened_by(name, monkeypatch):
    x, casts = strict_cupy.ones((4, 4), np.float16), []
    plain = StrictArray.astype
    monkeypatch.setattr(
        StrictArray, "astype", lambda a, *args, **kwargs: casts.append(args) or plain(a, *args, **kwargs)
    )
    primitive = getattr(ops, name)()
    inputs = {"Add": (x, x), "Mul": (x, x), "ReluGrad": (x, x), "MatMul": (x, x), "BiasAdd": (x, x[0])}.get(name, (x,))
    assert primitive.compute(strict_cupy, *inputs).dtype == np.float16 and casts == []
