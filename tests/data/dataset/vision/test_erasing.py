"""Transforms that cover part of an image: a rectangle given, drawn, or several squares."""

import numpy as np
from data.dataset.vision.test_vision import drawn

from minispore.dataset import vision


def test_erasing_and_cutting_out_cover_what_they_say():
    ones = np.ones((3, 20, 20), np.float32)
    shares = [1 - y[0].mean() for y in drawn(vision.RandomErasing(1.0, (0.1, 0.3)), 200, ones)]
    assert min(shares) > 0.05
    assert max(shares) < 0.35
    cut = drawn(vision.CutOut(4, is_hwc=False), 3, ones)[0]
    assert (cut == 0).sum() == 3 * 16
