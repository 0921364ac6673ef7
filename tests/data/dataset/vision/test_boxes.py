"""Transforms of an image with its bounding boxes, float32 rows that begin with x, y, width and height."""

import numpy as np
from data.dataset.vision.test_vision import X

from minispore.data.dataset.draws import drawing_from
from minispore.dataset import vision


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
