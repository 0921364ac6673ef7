"""Resizing: what a pixel becomes depends on its own channel, rows and columns alone."""

import numpy as np
import pytest

from minispore.data.dataset.vision.resampling import resized
from minispore.dataset.vision import Inter

X = np.random.default_rng(0).integers(0, 256, (70, 61, 6), np.uint8)


@pytest.mark.parametrize("size", [(12, 9), (80, 9), (12, 90), (100, 120), (1, 1), (35, 30)])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 6])
def test_channels_that_are_resized_together_are_as_each_by_itself(size, channels):
    for interpolation in (Inter.BILINEAR, Inter.AREA):
        together = resized(X[:, :, :channels], size, interpolation)
        assert together.shape == (*size, channels)
        for i in range(channels):
            np.testing.assert_array_equal(together[:, :, i], resized(X[:, :, i], size, interpolation))


@pytest.mark.parametrize("size", [(12, 9), (100, 120)])
def test_rows_and_columns_that_no_pixel_is_made_of_do_not_matter(size):
    changed, expected = X[:, :, :3].copy(), resized(X[:, :, :3], size, Inter.BILINEAR)
    rows, columns = (_used(n, m) for n, m in zip(X.shape[:2], size, strict=True))
    changed[~rows] = 0
    changed[:, ~columns] = 0
    assert (size != (12, 9)) or not (rows.all() or columns.all())
    np.testing.assert_array_equal(resized(changed, size, Inter.BILINEAR), expected)


def _used(length, wanted):
    places = np.floor((np.arange(wanted) + 0.5) * length / wanted - 0.5).astype(int)
    found = np.zeros(length, bool)
    found[np.clip(np.concatenate([places, places + 1]), 0, length - 1)] = True
    return found
