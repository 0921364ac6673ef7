"""Adaptive pooling layers: an output of a given size; with size 1, pooling over the whole of each plane or row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.layer.test_pooling import counting, values

import minispore as ms
from minispore import nn, ops


@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 9), st.integers(1, 9))
def test_adaptive_windows_share_the_plane_evenly(height, width, rows, columns):
    x = np.random.default_rng(0).standard_normal((1, 2, height, width))
    for layer, function in ((nn.AdaptiveAvgPool2d, np.mean), (nn.AdaptiveMaxPool2d, np.max)):
        out = layer((rows, columns))(ms.Tensor(x)).asnumpy()
        for i, j in np.ndindex(rows, columns):
            window = x[
                :,
                :,
                i * height // rows : -(-(i + 1) * height // rows),
                j * width // columns : -(-(j + 1) * width // columns),
            ]
            np.testing.assert_allclose(out[:, :, i, j], function(window, axis=(2, 3)), rtol=1e-12)


def test_an_infinite_pixel_reaches_only_its_own_windows_and_nan_counts_as_the_largest():
    x = np.zeros((1, 1, 2, 4))
    x[0, 0, 0, 0], x[0, 0, 1, 3] = np.inf, np.nan
    np.testing.assert_array_equal(nn.AdaptiveAvgPool2d((1, 4))(ms.Tensor(x)).asnumpy().ravel(), [np.inf, 0, 0, np.nan])
    np.testing.assert_array_equal(nn.AdaptiveMaxPool2d((1, 2))(ms.Tensor(x)).asnumpy().ravel(), [np.inf, np.nan])


def test_global_average_pooling_of_float16_is_summed_in_float32():
    x = ops.ones((1, 1, 100, 100), ms.float16) * 7
    assert values(nn.AdaptiveAvgPool2d(1)(x)) == [[[[7.0]]]]


def test_an_empty_output_is_allowed_of_means_and_refused_of_the_largest():
    assert nn.AdaptiveAvgPool2d((2, 0))(counting(1, 1, 3, 3)).shape == (1, 1, 2, 0)
    with pytest.raises(ValueError, match="For 'AdaptiveMaxPool2D', the 'output_size' must be two of at least 1"):
        nn.AdaptiveMaxPool2d((2, 0))


def test_minus_one_and_none_keep_the_length():
    x = counting(1, 1, 3, 4)
    assert nn.AdaptiveMaxPool2d((-1, 2))(x).shape == nn.AdaptiveAvgPool2d((None, 2))(x).shape == (1, 1, 3, 2)
    np.testing.assert_array_equal(nn.AdaptiveMaxPool2d(-1)(x).asnumpy(), x.asnumpy())
