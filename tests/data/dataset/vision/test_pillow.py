"""Where Pillow is needed, and where it is not."""

import sys

import numpy as np
import pytest

from minispore.data.dataset.vision import pillow
from minispore.dataset import vision

X = np.zeros((4, 5, 3), np.uint8)


def test_arrays_are_transformed_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    for transform in (
        vision.Resize((3, 4)),
        vision.RandomCrop(3),
        vision.Normalize([0.0], [1.0]),
        vision.HWC2CHW(),
        vision.RandomColorAdjust(0.4),
    ):
        transform(X)


@pytest.mark.parametrize(
    "call", [lambda: vision.Decode()(b"x"), lambda: vision.ToPIL()(X), lambda: vision.encode_png(X)]
)
def test_without_it_a_sentence_tells_what_to_install(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r"For .vision., images need Pillow: pip install .pillow>=9\.1."):
        call()


def test_a_filter_that_it_lacks_is_refused_by_name():
    with pytest.raises(TypeError, match="For 'Resize', the 'interpolation' of an image of Pillow"):
        pillow.pillow_filter("Resize", vision.Inter.AREA)
