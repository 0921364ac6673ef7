"""Signs of float16 by bits: proven on all 65,536 patterns."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import StrictArray, strict_cupy

from minispore import ops
from minispore.ops.kernels.float16.elementwise import (
    by_float32,
    from_ordered,
    is_positive,
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
