"""Turned and flipped images, where MindSpore's pixels are not followed."""

import numpy as np

from minispore.dataset import vision


def test_the_fill_of_a_turned_image_is_red_green_blue():
    found = vision.Rotate(45, fill_value=(4, 5, 6))(np.zeros((5, 5, 3), np.uint8))
    assert found[0, 0].tolist() == [4, 5, 6]


def test_a_batch_is_turned_image_by_image():
    x = np.random.default_rng(0).integers(0, 256, (2, 5, 6, 3), np.uint8)
    for transform in (vision.Rotate(30), vision.HorizontalFlip(), vision.Resize((3, 4)), vision.CenterCrop(3)):
        np.testing.assert_array_equal(transform(x), np.stack([transform(image) for image in x]))
