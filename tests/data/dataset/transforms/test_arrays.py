"""Transforms of arrays, beside what ``tests/conformance/test_vision.py`` compares with MindSpore."""

import numpy as np
import pytest

from minispore.dataset.transforms import OneHot, PadEnd, Plugin, Unique, py_transforms


def test_unique_takes_a_vector_too_where_mindspore_raises():
    found = Unique()(np.array([3, 1, 3, 2, 1]))
    assert [part.tolist() for part in found] == [[3, 1, 2], [0, 1, 0, 2, 1], [2, 2, 1]]


def test_pad_end_keeps_an_axis_whose_length_is_none():
    assert PadEnd([None, 4], 1)(np.zeros((2, 3))).tolist() == [[0, 0, 0, 1]] * 2


@pytest.mark.parametrize("labels", [np.array([5]), np.array([-1]), np.array([0, 9])])
def test_a_label_outside_of_the_classes_is_refused_where_mindspores_process_may_die(labels):
    with pytest.raises(RuntimeError, match=r"For 'OneHot', the labels must be in \[0, 5\)"):
        OneHot(5)(labels)


def test_a_plugin_is_refused_with_what_to_use_instead():
    with pytest.raises(RuntimeError, match="must be written as a Python function"):
        Plugin("lib.so", "f")


def test_the_older_one_hot_keeps_the_axis_of_one_label():
    assert py_transforms.OneHotOp(3)(np.array([1])).tolist() == [[0, 1, 0]]


def test_every_label_of_a_vector_is_smoothed():
    expected = [[0.05, 0.95], [0.95, 0.05]]
    np.testing.assert_allclose(OneHot(2, 0.1)(np.array([1, 0])), expected)
