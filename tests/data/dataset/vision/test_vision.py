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


def test_augmenting_boxes_changes_their_contents_alone():
    image, _ = vision.BoundingBoxAugment(vision.Invert(), 1.0)(X, np.float32([[2, 3, 5, 4]]))
    assert np.argwhere((image != X).any(2)).min(0).tolist() == [3, 2]
    assert (image[3:7, 2:7] == 255 - X[3:7, 2:7]).all()
