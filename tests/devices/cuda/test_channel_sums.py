"""Sums to one axis on a GPU: near the sums in float64, rounded once, and the same bits alone and in company."""

import functools

import numpy as np
import pytest
from cpucuda import device as cpucuda

from minispore.core.dtype import bfloat16
from minispore.devices.cuda import channel_sums, launch

pytestmark = pytest.mark.usefixtures("on_cupy")
UNITS = {np.dtype(np.float32): 2.0**-24, np.dtype(np.float16): 2.0**-11, bfloat16.np: 2.0**-8}
SHAPES = [
    ((3, 5), 1),
    ((700, 70), 1),
    ((300, 33), 0),
    ((2, 6, 9, 9), 1),
    ((40, 3, 20, 20), 1),
    ((4, 7, 1), 1),
    ((1, 1), 1),
]


def drawn(shape, dtype, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def is_near(found, x, axis):
    """True if sums keep the bound of float32 additions in any order, and one rounding to their dtype."""
    others, wide = tuple(i for i in range(x.ndim) if i != axis), x.astype(np.float64)
    right, most = wide.sum(others), np.abs(wide).sum(others)
    bound = (x.size // x.shape[axis]) * 2.0**-24 * most + UNITS[x.dtype] * np.abs(right)
    return bool((np.abs(found.astype(np.float64) - right) <= bound).all())


def are_near(xp):
    """True if the sums of all shapes and dtypes, in one launch, are near the right ones."""
    pairs = [(drawn(shape, dtype, i), axis) for i, (shape, axis) in enumerate(SHAPES) for dtype in UNITS]
    made = channel_sums.channel_sums(xp, [(xp.asarray(x), axis) for x, axis in pairs])
    kinds = all(y.dtype == x.dtype and y.shape == (x.shape[axis],) for y, (x, axis) in zip(made, pairs, strict=True))
    return kinds and all(is_near(y.get(), *pair) for y, pair in zip(made, pairs, strict=True))


def test_sums_keep_the_bound_of_float32_and_are_rounded_once(on_cupy):
    assert are_near(on_cupy)


def test_sums_have_the_same_bits_alone_in_company_and_again(on_cupy):
    pairs = [
        (on_cupy.asarray(drawn(shape, np.float16, 1)), axis) for shape, axis in SHAPES * 12
    ]  # more than one launch
    together = [channel_sums.channel_sums(on_cupy, pairs) for _ in range(2)]
    for pair, first, second in zip(pairs, *together, strict=True):
        (alone,) = channel_sums.channel_sums(on_cupy, [pair])
        assert alone.tobytes() == first.tobytes() == second.tobytes()


def test_float16s_edges_are_kept(on_cupy):
    x = np.zeros((200, 6), np.float16)
    x[0], x[1], x[:, 5] = [65504, 65504, np.inf, np.nan, 2.0**-24, 1], [0, 65504, 1, 1, 2.0**-24, 2.0**-12], 2.0**-12
    (found,) = channel_sums.channel_sums(on_cupy, [(on_cupy.asarray(x), 1)])
    with np.errstate(over="ignore"):
        right = x.astype(np.float64).sum(0).astype(np.float16)
    np.testing.assert_array_equal(found.get(), right)


def test_what_is_not_taken_is_left(on_cupy):
    x = on_cupy.ones((4, 6))
    assert channel_sums.channel_sums(on_cupy, [(x, 1)]) is None
    assert channel_sums.channel_sums(on_cupy, [(x.astype(np.float32)[:, ::2], 1)]) is None
    assert channel_sums.channel_sums(on_cupy, [(x.astype(np.float32)[:0], 1)]) is None


FAULTS = {
    "a slice is left out": ("int j = 0; mine && j < s.slices", "int j = 1; mine && j < s.slices"),
    "a row is left out": ("int r = 1; r < 8", "int r = 2; r < 8"),
    "no barrier before rows are added": ("rows[row][lane] = sum;\n  __syncthreads();", "rows[row][lane] = sum;"),
    "the first array alone": ("blockIdx.x >= table.of[k + 1].tile", "false"),
    "the pixels of another channel": ("* s.channels + tile) * s.inner", "* s.channels) * s.inner"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(on_cupy, fault, monkeypatch):
    if not cpucuda.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    right, wrong = FAULTS[fault]
    plain, made = launch.text_of, functools.cache(launch.kernel.__wrapped__)
    assert right in plain("channel_sums")
    monkeypatch.setattr(launch, "text_of", lambda file: plain(file).replace(right, wrong))
    monkeypatch.setattr(channel_sums, "kernel", made)
    monkeypatch.setattr(channel_sums, "counters_for", lambda xp, count: xp.zeros(count, np.uint32))
    assert not are_near(on_cupy)
