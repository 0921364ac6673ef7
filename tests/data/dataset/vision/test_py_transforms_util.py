"""The functions under the transforms of Pillow's images."""

import numpy as np
import pytest

from minispore.dataset.vision import py_transforms_util as util


def test_arrays_and_images_are_known():
    image = pytest.importorskip("PIL.Image").new("RGB", (2, 2))
    assert util.is_pil(image) and not util.is_numpy(image) and util.is_numpy(np.zeros(1))
    assert util.augment_error_message.format("int").endswith("but got int")


def test_channels_come_first():
    assert util.hwc_to_chw(np.zeros((2, 3, 4))).shape == (4, 2, 3) and util.hwc_to_chw(np.zeros((2, 3))).shape == (2, 3)
    with pytest.raises(TypeError, match="For 'hwc_to_chw', the 'img' must be a NumPy array, but got 'x'"):
        util.hwc_to_chw("x")


def test_an_image_is_turned_and_filled():
    image = pytest.importorskip("PIL.Image").new("RGB", (5, 4))
    turned = np.asarray(util.rotate(image, 45, 0, True, None, 7))
    assert turned.shape == (8, 7, 3) and turned[0, 0].tolist() == [7, 7, 7]
    with pytest.raises(TypeError, match="For 'rotate', the 'img' must be an image of Pillow, but got 3"):
        util.rotate(3, 45, 0, True, None, 7)
