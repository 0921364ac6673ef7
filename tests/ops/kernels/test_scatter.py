"""Adding at indices that name an element several times: what NumPy adds, in the same order in every run."""

import math

import ml_dtypes
import numpy as np
import pytest

from minispore.ops.kernels.scatter import added_at, placed_at

ALL = slice(None)


def keys(rng):
    """Keys into an array of shape (4, 3, 5), as they are made of a GPU's indices."""
    rows, columns = rng.integers(-4, 4, 9), rng.integers(0, 3, 9)
    mask = np.array([True, False, True, True])
    return [
        (rows,),
        (rows, ...),
        (rows, ALL, ALL),
        (ALL, columns),
        (..., columns),
        (rows, columns),
        (rows, None, columns, ALL),
        (rows[:, None], columns[None, :2], ALL),
        (rows, slice(1, 3)),
        (2, columns),
        (mask, columns[:3]),
        (np.zeros((0,), int), ALL),
    ]


@pytest.mark.parametrize("place", range(len(keys(np.random.default_rng(0)))))
@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16, np.float32, np.int8, np.int64], ids=str)
def test_sums_and_places_are_those_of_numpy(kind, place, device):
    rng = np.random.default_rng(1)
    x = rng.integers(-9, 9, (4, 3, 5)).astype(kind)
    key = keys(rng)[place]
    values = rng.integers(-9, 9, x[key].shape).astype(kind)
    of_device = tuple(device.asarray(part) if isinstance(part, np.ndarray) else part for part in key)
    for kernel in (added_at, placed_at):
        expected = kernel(np, x.copy(), key, values)
        found = kernel(device, device.asarray(x.copy()), of_device, device.asarray(values))
        assert found.dtype == kind
        assert (found.astype(np.float64) == device.asarray(expected).astype(np.float64)).all()


def test_many_numbers_for_one_element_are_added_pairwise_and_nan_stays_where_it_goes(device):
    places = np.concatenate([np.zeros(5000, int), np.arange(1, 4)])
    values = np.concatenate([np.full(5000, 0.1, np.float32), np.array([np.nan, np.inf, 2], np.float32)])
    found = added_at(device, device.zeros(5, np.float32), (device.asarray(places),), device.asarray(values))
    found = found if device is np else found.get()
    assert math.isclose(found[0], 500, rel_tol=1e-4)
    np.testing.assert_array_equal(found[1:], [np.nan, np.inf, 2, 0])


def test_integers_beyond_what_a_float_holds_are_added_exactly(device):
    big = 2**60 + 1
    found = added_at(device, device.zeros(2, np.int64), (device.asarray([1, 1]),), device.asarray([big, 1]))
    assert found.tolist() == [0, big + 1]
