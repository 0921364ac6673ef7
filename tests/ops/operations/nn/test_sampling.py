"""Planes read between pixels, beside numbers that MindSpore 2.0.0 gave on the CPU, and the gradients that it gave."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


def sevens(*shape):
    return Tensor((np.arange(np.prod(shape), dtype=np.float32) * 7 % 11).reshape(shape))


def rows(*values, kind=np.float32):
    return Tensor(np.array(values, kind))


def assert_close(found, recorded):
    np.testing.assert_allclose(found.asnumpy().ravel(), np.ravel(recorded), rtol=2e-5, atol=2e-5)


PLANES = Tensor(np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4))
ROI = rows([0, 0.2, 0.3, 2.5, 2.0])
IMAGE, BOXES = sevens(1, 4, 5, 2), rows([0.1, 0.2, 0.8, 1.1], [0.9, 0.3, -0.2, 0.6])
FIRST = Tensor(np.array([0, 0], np.int32))


@pytest.mark.parametrize(
    ("mode", "x", "roi", "recorded"),
    [
        (0, PLANES[:, :1], ROI, [3.675, 4.825, 7.075, 8.225]),
        (1, PLANES[:, :1], ROI, [4.925, 6.53125, 9, 10.60625]),
        (0, sevens(1, 1, 4, 5), rows([0, 1, 1, 1.2, 1.1]), [6.4375, 5.8125, 3.3125, 5.4375]),
        (1, sevens(1, 1, 4, 5), rows([0, 1, 1, 1.2, 1.1]), [6.2325, 5.571875, 3.0975, 5.915625]),
        (0, sevens(1, 1, 4, 5), rows([0, -3, -2, 1, 9]), [0, 2.5, 0, 0]),
        (1, sevens(1, 1, 4, 5), rows([0, -3, -2, 1, 9]), [0, 3.625, 0, 0]),
    ],
)
def test_regions_are_aligned_as_mindspore_does(mode, x, roi, recorded):
    assert_close(ops.ROIAlign(2, 2, 1.0, 2, mode)(x, roi), recorded)


def test_the_gradient_of_regions_is_that_of_mindspore_and_none_passes_to_the_rows():
    pixels, regions = ms.grad(ops.ROIAlign(2, 2, 1.0, 2, 1), (0, 1))(PLANES[:, :1], ROI)
    recorded = [
        [0.03511718, 0.10648436, 0.10648435, 0.11441405],
        [0.1295703, 0.3928906, 0.3928906, 0.42214847],
        [0.2228125, 0.675625, 0.675625, 0.72593755],
    ]
    assert_close(pixels, recorded)
    assert_close(regions, np.zeros(5))


def test_without_a_count_a_bin_has_as_many_samples_as_it_is_long():
    both = Tensor(np.concatenate([ROI.asnumpy(), [[0, 0, 0, 2, 1]]]).astype(np.float32))
    found = ops.ROIAlign(1, 1, 1.0, 0, 0)(PLANES, both)
    assert_close(found[0], [4 * 1.15 + 1.35, 4 * 1.15 + 13.35])
    assert_close(found[1], [3, 15])


@pytest.mark.parametrize(
    ("method", "recorded"),
    [
        ("bilinear", [3.6, 7.3, 7.02, 5, 0.5, 0.5, 2.32, 4.48, 6.4, 5.04, 0.5, 0.5, 3.4, 2.7, 5.2, 4.5, 7, 4.98]),
        ("nearest", [3, 10, 9, 5, 0.5, 0.5, 0, 7, 6, 2, 0.5, 0.5, 4, 0, 7, 3, 7, 3]),
    ],
)
def test_crops_are_resized_as_mindspore_does(method, recorded):
    found = ops.CropAndResize(method, 0.5)(IMAGE, BOXES, FIRST, (2, 3))
    assert_close(found, recorded + [0.5] * 6)


def test_crops_of_whole_pixels_are_resized_as_mindspore_does():
    found = ops.CropAndResize("bilinear_v2")(IMAGE, BOXES, FIRST, (2, 3))
    assert_close(found[0, :, :2], [6, 17 / 3, 5.5, 7, 3, 4.5, 8, 4])
    assert_close(found[1], [4, 0, 7, 3, 10, 6] * 2)


def test_the_gradient_of_crops_is_that_of_mindspore():
    crop = ops.CropAndResize()
    pixels, boxes = ms.grad(lambda x, b: crop(x, b, FIRST, (2, 2)), (0, 1))(IMAGE, BOXES)
    recorded = [
        [0.14, 0.56, 0, 0, 0],
        [0.06, 0.24, 0, 0, 0],
        [0.12, 0.72, 0.24, 0.12, 0],
        [0.08, 0.88, 0.56, 0.28, 0],
    ]
    assert_close(pixels, np.repeat(recorded, 2))
    assert_close(boxes, [[-9, 4, -9, 0], [-4.8, 24, 0, 10.8]])


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: ops.ROIAlign(2, 2, 1, 2)),
        (ValueError, lambda: ops.ROIAlign(2, 2, 1.0, 2, 2)),
        (ValueError, lambda: ops.ROIAlign(2, 2, 1.0)(PLANES, ROI[:, :4])),
        (ValueError, lambda: ops.CropAndResize("cubic")),
        (ValueError, lambda: ops.CropAndResize()(IMAGE, BOXES, FIRST + 3, (2, 2))),
        (TypeError, lambda: ops.crop_and_resize(IMAGE, BOXES, FIRST, 2)),
    ],
)
def test_a_wrong_argument_is_refused_by_name(kind, call):
    with pytest.raises(kind, match=r"^For '(ROIAlign|CropAndResize)', the "):
        call()
