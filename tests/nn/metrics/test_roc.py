"""The receiver operating characteristic, and the area under a curve."""

import numpy as np

from minispore import nn


def test_the_area_under_a_falling_or_unordered_curve_is_that_under_the_rising_one():
    x, y = np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.7, 1.0])
    assert nn.auc(x, y) == nn.auc(x[::-1], y[::-1]) == nn.auc(x[[1, 0, 2]], y[[1, 0, 2]], reorder=True) == 0.6


def test_a_curve_for_each_class_ends_in_the_corner():
    draw = np.random.RandomState(0)
    rates = nn.ROC(class_num=3)(draw.rand(9, 3), np.arange(9) % 3)
    assert [(false[-1], true[-1]) for false, true in zip(*rates[:2], strict=True)] == [(1.0, 1.0)] * 3
