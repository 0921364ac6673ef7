"""Conversions of images, where MindSpore's pixels are not followed."""

import numpy as np
import pytest

from minispore.dataset import vision

X = np.random.default_rng(0).integers(0, 256, (5, 6, 3), np.uint8)


def test_the_channel_of_zeros_stands_after_the_others_in_either_order_of_axes():
    last = vision.NormalizePad([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])(X)
    first = vision.NormalizePad([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], is_hwc=False)(X.transpose(2, 0, 1))
    np.testing.assert_array_equal(last, first.transpose(1, 2, 0))
    assert not last[:, :, 3].any()
    np.testing.assert_array_equal(last[:, :, :3], vision.Normalize([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])(X))


def test_a_negative_factor_rescales():
    np.testing.assert_allclose(vision.Rescale(-0.5, 3.0)(X), 3 - X / 2)


def test_the_older_transforms_of_pillows_images_take_what_to_tensor_makes():
    py = vision.py_transforms
    x = py.ToTensor()(X)
    np.testing.assert_allclose(py.Normalize([0.5] * 3, [0.25] * 3)(x), (x - 0.5) / 0.25)
    with pytest.raises(TypeError, match="For 'Normalize', the image must be of floats"):
        py.Normalize([0.5] * 3, [0.25] * 3)(X)
