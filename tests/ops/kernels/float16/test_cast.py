"""Casts are exact: compared bit by bit with NumPy's and ml_dtypes' own, which are slower or round twice."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore.ops.kernels.float16 import halves
from minispore.ops.kernels.float16.cast import halves_of, narrow, widen
from minispore.ops.kernels.float16.round_in_float32 import on_half_grid

EVERY_HALF = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def same_bits_or_both_nan(a, b, bits):
    assert a.dtype == b.dtype and a.shape == b.shape
    nan = np.isnan(b)
    np.testing.assert_array_equal(np.isnan(a), nan)
    np.testing.assert_array_equal(a[~nan].view(bits), b[~nan].view(bits))


def numpy_half(x):
    with np.errstate(all="ignore"):
        return x.astype(np.float16)


@pytest.mark.parametrize("size", [100, 1 << 16])
@pytest.mark.parametrize("fast", [True, False])
def test_every_half_is_widened_exactly_whether_or_not_subnormals_are_multiplied_fast(fast, size, monkeypatch):
    monkeypatch.setattr(halves, "multiplies_subnormals", lambda: fast)
    some = EVERY_HALF[:: len(EVERY_HALF) // size]
    same_bits_or_both_nan(widen(np, some), some.astype(np.float32), np.uint32)
    finite = some[np.isfinite(some)]
    same_bits_or_both_nan(widen(np, finite), finite.astype(np.float32), np.uint32)


def test_a_thread_that_takes_subnormals_as_zero_looks_them_up(monkeypatch):
    monkeypatch.setattr(halves, "_SUBNORMAL", np.float32(0))
    monkeypatch.setattr(halves, "_SIGN_AND_HALF", None)  # what is not looked up fails
    same_bits_or_both_nan(widen(np, EVERY_HALF), EVERY_HALF.astype(np.float32), np.uint32)


def test_the_processor_is_asked_once_whether_it_multiplies_subnormals_fast():
    assert halves.multiplies_subnormals() is halves.multiplies_subnormals()
    assert halves.multiplies_subnormals.cache_info().misses == 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_large_arrays_are_cast_alike_by_any_number_of_workers(threads, restored):
    ms.set_context(runtime_num_threads=threads)
    random = np.random.default_rng(threads)
    x = random.integers(0, 1 << 32, (1 << 18) + 12_345, dtype=np.uint32).view(np.float32)
    same_bits_or_both_nan(narrow(np, x, np.float16), numpy_half(x), np.uint16)
    some = random.integers(0, 1 << 16, (1 << 18) + 12_345, dtype=np.uint16).view(np.float16)
    same_bits_or_both_nan(widen(np, some), some.astype(np.float32), np.uint32)
    same_bits_or_both_nan(on_half_grid(np, x.copy()), numpy_half(x).astype(np.float32), np.uint32)


def test_a_strided_or_empty_array_is_widened_too():
    some = EVERY_HALF.reshape(256, 256)
    for view in (some.T, some[::3, 5:], some[:0]):
        same_bits_or_both_nan(widen(np, view), view.astype(np.float32), np.uint32)


def test_other_dtypes_are_not_widened():
    for dtype in (np.float32, np.float64, np.int32, np.bool_):
        x = np.zeros(3, dtype)
        assert widen(np, x) is x


def test_every_bfloat16_is_widened_exactly():
    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    same_bits_or_both_nan(widen(np, x), (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32), np.uint32)


def test_every_half_survives_widening_and_narrowing():
    same_bits_or_both_nan(narrow(np, widen(np, EVERY_HALF), np.float16), EVERY_HALF, np.uint16)


def test_the_midpoints_between_halves_and_their_neighbours_are_narrowed_as_numpy_does():
    finite = np.unique(np.abs(EVERY_HALF[np.isfinite(EVERY_HALF)])).astype(np.float32)
    middles = (finite[1:] + finite[:-1]) / 2
    edges = np.float32([0, 65504, 65519.99, 65520, 65535.99, 65536, 131008, 3.4e38, 1e-45, 1e-38, np.inf, np.nan])
    x = np.concatenate([finite, middles, edges])
    x = np.concatenate([x, np.nextafter(x, np.float32(np.inf)), np.nextafter(x, np.float32(0))])
    x = np.concatenate([x, -x])
    same_bits_or_both_nan(narrow(np, x, np.float16), numpy_half(x), np.uint16)


def test_random_bit_patterns_are_narrowed_as_numpy_does():
    random = np.random.default_rng(20)
    x = random.integers(0, 1 << 32, 1 << 20, dtype=np.uint32).view(np.float32)
    near = (random.integers(100 << 23, 145 << 23, 1 << 20).astype(np.uint32) & 0xFFFFF800).view(np.float32)
    for values in (x, near, -near):
        same_bits_or_both_nan(narrow(np, values, np.float16), numpy_half(values), np.uint16)


@given(hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=40), elements=st.floats(width=32)))
def test_any_shape_is_narrowed_as_numpy_does(x):
    same_bits_or_both_nan(narrow(np, x, np.float16), numpy_half(x), np.uint16)
    same_bits_or_both_nan(narrow(np, x.T, np.float16), numpy_half(x.T), np.uint16)


def test_float32_is_narrowed_to_bfloat16_to_nearest_even():
    x = np.float32([1, 1 + 2**-8, 1 + 3 * 2**-8, 3.4e38, -np.inf, np.nan])
    expected = np.array([1, 1, 1 + 2**-6, np.inf, -np.inf, np.nan], ml_dtypes.bfloat16)
    same_bits_or_both_nan(narrow(np, x, ml_dtypes.bfloat16), expected, np.uint16)


def test_float64_is_narrowed_in_one_rounding():
    above_the_middle = 1 + 2**-8 + 2**-40  # float32 forgets the last term, and would then round down to even
    x = np.float64([above_the_middle, -above_the_middle, 1 + 2**-8, 0.0, 1e300, -1e300, 1e-300, np.inf, np.nan])
    expected = np.array([1 + 2**-7, -1 - 2**-7, 1, 0, np.inf, -np.inf, 0, np.inf, np.nan], ml_dtypes.bfloat16)
    same_bits_or_both_nan(narrow(np, x, ml_dtypes.bfloat16), expected, np.uint16)
    x = np.full(1000, 1 + 2**-11 + 2**-40)
    assert (narrow(np, x, np.float16) == np.float16(1 + 2**-10)).all()


@pytest.mark.parametrize("shape", [(), (3, 1000)])
def test_bools_become_halves(shape):
    x = np.random.default_rng(0).integers(0, 2, shape).astype(np.bool_)
    same_bits_or_both_nan(np.asarray(halves_of(np, x)), np.asarray(x.astype(np.float16)), np.uint16)
    found = ms.Tensor(x).astype(ms.float16).asnumpy()
    assert found.dtype == np.float16 and (found == x).all()
    assert (halves_of(strict_cupy, strict_cupy.asarray(x)).get() == x).all()


def test_an_array_of_the_wanted_dtype_is_not_copied():
    for dtype in (np.float16, np.float32, ml_dtypes.bfloat16):
        x = np.zeros(3, dtype)
        assert narrow(np, x, dtype) is x


def test_float64_beyond_float32_becomes_infinity_without_a_warning():
    assert narrow(np, np.float64([1e300]), np.float32)[0] == np.inf


def test_another_array_module_computes_the_same():
    there = strict_cupy.asarray(EVERY_HALF)
    same_bits_or_both_nan(widen(strict_cupy, there).get(), widen(np, EVERY_HALF), np.uint32)
    same_bits_or_both_nan(narrow(strict_cupy, widen(strict_cupy, there), np.float16).get(), EVERY_HALF, np.uint16)
