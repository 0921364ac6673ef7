"""Transposed convolution layers along one, two and three axes."""

import numpy as np

import minispore as ms
from minispore import nn


def test_output_padding_is_zeros_after_planes_and_the_cropped_rest_of_volumes():
    plane = ms.Tensor(np.array([[[[1, 2], [3, 4]]]], np.float32))
    weight = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3)
    arguments = {"pad_mode": "pad", "has_bias": True, "bias_init": "ones"}
    flat = nn.Conv2dTranspose(1, 1, 3, 2, padding=1, output_padding=1, weight_init=ms.Tensor(weight), **arguments)
    np.testing.assert_array_equal(
        flat(plane).asnumpy()[0, 0], [[6, 15, 11, 0], [15, 37, 25, 0], [16, 35, 21, 0], [0, 0, 0, 0]]
    )  # MindSpore 2.7.0
    sizes = {"stride": (1, 2, 2), "padding": (0, 0, 1, 1, 1, 1), "output_padding": (0, 1, 1)}
    deep = nn.Conv3dTranspose(1, 1, (1, 3, 3), weight_init=ms.Tensor(weight[:, :, None]), **sizes, **arguments)
    np.testing.assert_array_equal(
        deep(plane.expand_dims(2)).asnumpy()[0, 0, 0],
        [[6, 15, 11, 13], [15, 37, 25, 31], [16, 35, 21, 25], [25, 56, 33, 37]],
    )  # MindSpore 2.0.0
