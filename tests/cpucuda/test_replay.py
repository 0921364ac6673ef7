"""Every recorded use that minispore makes of an array module gives on CuPy what it gives on NumPy."""

import functools
import warnings

import numpy as np
import pytest

from cpucuda import replay, uses

pytestmark = pytest.mark.cpucuda
PARTS = 24


@functools.cache
def recorded():
    return list(uses.load(replay.USES))


@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_uses_give_on_cupy_what_they_give_on_numpy(cupy, part):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CuPy warns of what minispore's own tests hold
        found = list(replay.differences(recorded()[part::PARTS], cupy))
    assert [f"{use}: {told}" for use, told in found] == []


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool"])
def test_an_array_of_an_example_lies_in_memory_as_it_did(cupy, dtype):
    host = np.arange(24).astype(np.dtype(dtype)).reshape(2, 3, 4)[:, ::-1, 1::2]
    kept = uses.decoded(uses.encoded(uses.Array(host)))
    for array in (kept.numpy(), kept.on(cupy)):
        assert (array.shape, array.strides, array.dtype) == (host.shape, host.strides, host.dtype)
        np.testing.assert_array_equal(cupy.asnumpy(array), host)


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 2.5, "same", ..., (1, (2,)), [1, ()], slice(None, 3, -1), np.dtype("int8"), np.float16, float],
    ids=repr,
)
def test_what_an_example_holds_is_kept(value):
    assert uses.decoded(uses.encoded(value)) == value


def test_planted_differences_are_told(cupy):
    x = np.array([1.0, -0.0, np.nan], np.float32)
    same = [(x, cupy.asarray(x)), (ValueError(), TypeError()), ((x, 1), (cupy.asarray(x), 1))]
    assert [replay.difference(a, b, cupy) for a, b in same] == [None] * 3
    other = [cupy.asarray(x, "f8"), cupy.asarray(x[:2]), cupy.asarray(x + 1), cupy.abs(cupy.asarray(x)), ValueError()]
    assert all(replay.difference(x, y, cupy) for y in other)
