"""Transforms of an image's size: resized, cropped, padded, cut into patches; fixed or at random."""

import numpy as np
import pytest
from data.dataset.vision.test_vision import X, drawn

from minispore.data.dataset.draws import drawing_from
from minispore.dataset import vision


@pytest.mark.parametrize("transform", [vision.Pad(1), vision.CenterCrop((9, 90)), vision.PadToSize(9)])
def test_any_number_of_channels_is_padded(transform):
    x = np.ones((5, 6, 5), np.uint8)
    assert transform(x).sum() == x.size


def test_random_crop_reaches_every_place_and_gives_all_columns_the_same():
    places = {y[0, 0].tobytes() for y in drawn(vision.RandomCrop((10, 14)), 200)}
    assert places == {X[i, j].tobytes() for i in range(3) for j in range(2)}
    with drawing_from(1):
        a, b = vision.RandomCrop(5)(X, X + np.uint8(1))
    np.testing.assert_array_equal(a + np.uint8(1), b)


def test_random_resized_crop_draws_areas_and_proportions_within_its_ranges():
    crop = vision.RandomResizedCrop(4, (0.2, 0.5), (0.5, 2.0))
    with drawing_from(1):
        found = np.array([crop._rectangle(120, 150) for _ in range(500)])
    top, left, height, width = found.T
    assert (top >= 0).all()
    assert (left >= 0).all()
    assert (top + height <= 120).all()
    assert (left + width <= 150).all()
    area, ratio = height * width / (120 * 150), width / height
    assert 0.19 < area.min() < 0.22
    assert 0.48 < area.max() < 0.51
    assert 0.48 < ratio.min() < 0.55
    assert 1.8 < ratio.max() < 2.1


def test_a_crop_that_cannot_fit_is_the_middle():
    crop = vision.RandomResizedCrop(4, (1.0, 1.0), (3.0, 3.0))
    assert crop._rectangle(10, 10) == (3, 0, 3, 10)
