"""Colours, where MindSpore's pixels are not followed."""

import numpy as np
import pytest

from minispore.dataset import vision

X = np.random.default_rng(0).integers(0, 256, (5, 6, 3), np.uint8)


def test_the_gain_multiplies_the_power_of_floats_as_of_bytes():
    x = np.float32([[0.25, 0.5]])
    np.testing.assert_allclose(vision.AdjustGamma(2.0, 1.3)(x), 1.3 * x**2, rtol=1e-6)


@pytest.mark.parametrize("factor", [0.0, 0.25, -0.4])
def test_the_hue_of_floats_is_turned_as_that_of_bytes(factor):
    of_floats = vision.AdjustHue(factor)(X.astype(np.float32))
    assert np.abs(of_floats - vision.AdjustHue(factor)(X)).max() < 8  # bytes have 256 hues


def test_adjusting_one_color_of_an_image_of_pillow_leaves_the_others():
    pytest.importorskip("PIL")
    image = vision.ToPIL()(X)
    found = vision.RandomColorAdjust((1.3, 1.3))(image)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(vision.AdjustBrightness(1.3)(image)))


@pytest.mark.parametrize("dtype", [bool, np.int8])
@pytest.mark.parametrize("change", [vision.Invert(), vision.Solarize(1), vision.RandomInvert(1.0)])
def test_an_image_is_inverted_where_its_dtype_holds_255(change, dtype):
    with pytest.raises(RuntimeError, match=r"^For '\w+', the image must be uint8 or .* or float64, but got"):
        change(np.ones((2, 2, 3), dtype))
    assert change(np.ones((2, 2, 3), np.int64)).dtype == np.int64


def test_bools_are_not_lit():
    with pytest.raises(RuntimeError, match=r"^For 'RandomLighting', the image must be .*, but got bool"):
        vision.RandomLighting(0.1)(np.ones((2, 2, 3), bool))
