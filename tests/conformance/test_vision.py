"""Transforms of images and columns, against those of MindSpore 2.0.0."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from conformance.cases.vision import CASES, COLUMNS, IMAGES, REFUSED, TRANSFORMS, parts_of

import minispore as ms
from minispore.dataset import transforms, vision

pytest.importorskip("PIL", reason="images need Pillow")
NAMES = {"ms": ms, "np": np, "T": transforms, "V": vision}
WITHIN_ONE = ("BICUBIC", "Inter.AREA", "Sharpness", "Equalize", "RandomColor(")  # of the highest uint8 bits' rounding


@pytest.fixture(scope="module")
def recorded():
    with np.load(Path(__file__).parent / "vectors" / "vision.npz") as file:
        meta = json.loads(str(file["meta"]))
        found = {name: file[str(i)] for i, name in enumerate(meta["names"])}
    return found, meta["errors"]


def compare(expression, key, x, found):
    for i, part in enumerate(parts_of(eval(expression, dict(NAMES))(x))):
        expected = found[f"{expression}|{key}|{i}"]
        assert (part.shape, part.dtype) == (expected.shape, expected.dtype), key
        if part.dtype.kind == "f":
            most = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
            np.testing.assert_allclose(part, expected, rtol=2e-6, atol=2e-6 * most, err_msg=key)
        elif any(word in expression for word in WITHIN_ONE):
            away = np.abs(part.astype(int) - expected.astype(int))
            assert away.max() <= 1, key
            assert (away > 0).mean() < 0.05, key
        else:
            np.testing.assert_array_equal(part, expected, err_msg=key)


@pytest.mark.parametrize(("expression", "keys"), CASES, ids=[expression for expression, _ in CASES])
def test_an_image_transform_gives_mindspores_pixels(expression, keys, recorded):
    for key in keys:
        compare(expression, key, IMAGES[key], recorded[0])


@pytest.mark.parametrize(("expression", "keys"), TRANSFORMS, ids=[expression for expression, _ in TRANSFORMS])
def test_a_transform_gives_mindspores_values(expression, keys, recorded):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for key in keys:
            compare(expression, key, COLUMNS[key], recorded[0])


@pytest.mark.parametrize("expression", REFUSED)
def test_what_mindspore_refuses_is_refused_with_an_error_of_its_kind(expression, recorded):
    kinds = {"TypeError": TypeError, "ValueError": ValueError, "RuntimeError": RuntimeError}
    with pytest.raises(kinds[recorded[1][expression]], match=r"^For '"):
        eval(expression, {**NAMES, "x": IMAGES["u5x6x3"]})
