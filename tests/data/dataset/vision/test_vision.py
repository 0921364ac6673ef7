"""Random image transforms: how often, how large, and the same for all columns of a row."""

import numpy as np
import pytest

from minispore.data.dataset.draws import drawing_from
from minispore.dataset import vision

X = np.random.default_rng(0).integers(0, 256, (12, 15, 3), np.uint8)


def drawn(transform, count=300, x=X):
    with drawing_from(1):
        return [transform(x) for _ in range(count)]


@pytest.mark.parametrize(
    "kind",
    ["RandomHorizontalFlip", "RandomVerticalFlip", "RandomInvert", "RandomEqualize"],
)
def test_a_transform_happens_as_often_as_its_probability_says(kind):
    changed = sum(not np.array_equal(y, X) for y in drawn(getattr(vision, kind)(0.3), 1000))
    assert 250 < changed < 350
    assert all(np.array_equal(y, X) for y in drawn(getattr(vision, kind)(0.0), 5))
    assert not any(np.array_equal(y, X) for y in drawn(getattr(vision, kind)(1.0), 5))


def test_random_crop_reaches_every_place_and_gives_all_columns_the_same():
    places = {y[0, 0].tobytes() for y in drawn(vision.RandomCrop((10, 14)), 200)}
    assert places == {X[i, j].tobytes() for i in range(3) for j in range(2)}
    with drawing_from(1):
        a, b = vision.RandomCrop(5)(X, X + np.uint8(1))
    np.testing.assert_array_equal(a + np.uint8(1), b)


def test_random_resized_crop_draws_areas_and_proportions_within_its_ranges():
    crop = vision.RandomResizedCrop(4, (0.2, 0.5), (0.5, 2.0))
    with drawing_from(1):
        found = np.array([crop._rectangle(120, 150) for _ in range(500)])
    top, left, height, width = found.T
    assert (top >= 0).all()
    assert (left >= 0).all()
    assert (top + height <= 120).all()
    assert (left + width <= 150).all()
    area, ratio = height * width / (120 * 150), width / height
    assert 0.19 < area.min() < 0.22
    assert 0.48 < area.max() < 0.51
    assert 0.48 < ratio.min() < 0.55
    assert 1.8 < ratio.max() < 2.1


def test_a_crop_that_cannot_fit_is_the_middle():
    crop = vision.RandomResizedCrop(4, (1.0, 1.0), (3.0, 3.0))
    assert crop._rectangle(10, 10) == (3, 0, 3, 10)


def test_decoding_a_crop_gives_the_crop_of_the_decoded_image():
    pytest.importorskip("PIL")
    data = vision.encode_png(X)
    options = (8, (0.3, 1.0), (0.7, 1.4))
    both = zip(
        drawn(vision.RandomCropDecodeResize(*options), 5, data),
        drawn(vision.RandomResizedCrop(*options), 5),
        strict=True,
    )
    for a, b in both:
        np.testing.assert_array_equal(a, b)


def test_color_adjust_draws_within_its_range():
    x = np.full((1, 1, 3), 100, np.float32)
    factors = np.array([y[0, 0, 0] / 100 for y in drawn(vision.RandomColorAdjust(0.4), 400, x)])
    assert 0.6 <= factors.min() < 0.62
    assert 1.38 < factors.max() <= 1.4


def test_erasing_and_cutting_out_cover_what_they_say():
    ones = np.ones((3, 20, 20), np.float32)
    shares = [1 - y[0].mean() for y in drawn(vision.RandomErasing(1.0, (0.1, 0.3)), 200, ones)]
    assert min(shares) > 0.05
    assert max(shares) < 0.35
    cut = drawn(vision.CutOut(4, is_hwc=False), 3, ones)[0]
    assert (cut == 0).sum() == 3 * 16


def test_mixing_keeps_the_sum_of_the_labels():
    batch, labels = np.stack([X, X[::-1]]), np.eye(2, dtype=np.float32)
    for mix in (vision.MixUpBatch(1.0), vision.CutMixBatch(vision.ImageBatchFormat.NHWC), vision.MixUp(2, 1.0)):
        with drawing_from(3):
            images, mixed = mix(batch, labels)
        assert images.shape == batch.shape
        np.testing.assert_allclose(mixed.sum(1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    "policy",
    [
        *(vision.AutoAugment(p) for p in vision.AutoAugmentPolicy),
        vision.RandAugment(3, 20),
        vision.TrivialAugmentWide(),
    ],
    ids=lambda policy: type(policy).__name__,
)
def test_a_policy_keeps_shape_and_type_and_changes_most_images(policy):
    found = drawn(policy, 40)
    assert {(y.shape, y.dtype) for y in found} == {(X.shape, X.dtype)}
    assert sum(not np.array_equal(y, X) for y in found) > 15


def test_boxes_are_cropped_with_their_image():
    boxes = np.float32([[2, 3, 5, 4, 9]])
    for transform in (
        vision.RandomCropWithBBox(9),
        vision.RandomResizedCropWithBBox((9, 9)),
        vision.RandomResizeWithBBox((9, 9)),
    ):
        with drawing_from(2):
            image, found = transform(X, boxes)
        assert image.shape == (9, 9, 3)
        assert (found[:, :2] >= 0).all()
        assert (found[:, :2] + found[:, 2:4] <= 9.001).all()
    assert boxes.tolist() == [[2, 3, 5, 4, 9]]


def test_augmenting_boxes_changes_their_contents_alone():
    image, _ = vision.BoundingBoxAugment(vision.Invert(), 1.0)(X, np.float32([[2, 3, 5, 4]]))
    assert np.argwhere((image != X).any(2)).min(0).tolist() == [3, 2]
    assert (image[3:7, 2:7] == 255 - X[3:7, 2:7]).all()
