"""Runs of transforms in a map: what they compute through views is bit for bit what single calls compute."""

import numpy as np
import pytest

from minispore import dataset as ds
from minispore.data.dataset import draws
from minispore.data.dataset.engine.operations.map import quick_forms
from minispore.dataset import vision
from minispore.dataset.transforms import TypeCast

RNG = np.random.default_rng(0)
X = RNG.integers(0, 256, (40, 33, 3), np.uint8)
MEAN, STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]

NORMAL, LAST = vision.Normalize(MEAN, STD), vision.HWC2CHW()
FLIPS = vision.RandomHorizontalFlip(), vision.RandomVerticalFlip()
RUNS = {
    "cifar": [vision.RandomCrop(32, 4), *FLIPS, vision.Rescale(1 / 255, 0.5), NORMAL, LAST],
    "resized crop": [vision.RandomResizedCrop(24), *FLIPS, NORMAL, LAST],
    "resize": [vision.Resize((50, 20)), *FLIPS, vision.CenterCrop(16), NORMAL, LAST],
    "the same size": [vision.Resize((40, 33)), *FLIPS, LAST],
    "cubic": [vision.Resize(21, vision.Inter.BICUBIC), *FLIPS, LAST],
    "area": [vision.Resize(17, vision.Inter.AREA), *FLIPS, NORMAL, LAST],
    "twice as small": [vision.RandomCrop((40, 32)), vision.Resize((20, 16)), *FLIPS, NORMAL, LAST],
    "padded": [vision.RandomCrop(40, (1, 2, 3, 4), True, (9, 8, 7)), *FLIPS, vision.NormalizePad(MEAN, STD), LAST],
    "mirrored": [vision.RandomCrop(36, 5, padding_mode=vision.Border.REFLECT), *FLIPS, NORMAL, LAST],
    "to tensor": [vision.RandomCrop(30), *FLIPS, vision.ToTensor(), vision.Normalize([0.5], [0.2], is_hwc=False)],
    "a function between": [vision.RandomCrop(30), lambda x: x[::2].copy(), *FLIPS, NORMAL, LAST, TypeCast("float16")],
}


def singly(steps, x, *key):
    with draws.drawing_from(*key):
        for step in steps:
            x = step(x)
            assert x.flags.c_contiguous
    return x


def quickly(steps, x, *key):
    with draws.drawing_from(*key):
        for _, quick in quick_forms(steps):
            x = quick(x)
    return x


@pytest.mark.parametrize("steps", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("x", [X, X.astype(np.float32), X[:, :, :1].copy(), X[:, :, 0].copy()], ids=lambda x: x.shape)
def test_a_run_gives_bit_for_bit_what_single_calls_give(steps, x):
    channels = x.shape[2] if x.ndim == 3 else 1
    for step in steps:
        if isinstance(step, vision.Normalize) and len(step.mean) not in (1, channels):
            steps = [vision.Normalize(MEAN[:1], STD[:1]) if s is step else s for s in steps]
    before = x.copy()
    for number in range(8):
        expected, found = singly(steps, x, 3, number), quickly(steps, x, 3, number)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()
        assert found.flags.c_contiguous
    np.testing.assert_array_equal(x, before)


def test_an_encoded_image_is_cropped_and_resized_as_its_pixels_are():
    pytest.importorskip("PIL")
    for inter in (vision.Inter.BILINEAR, vision.Inter.BICUBIC):
        steps = [vision.RandomCropDecodeResize((20, 25), interpolation=inter), *FLIPS, NORMAL, LAST]
        pixels = [vision.RandomResizedCrop((20, 25), interpolation=inter), *steps[1:]]
        data = vision.encode_png(X)
        for number in range(8):
            found = quickly(steps, data, number)
            assert found.tobytes() == singly(steps, data, number).tobytes() == singly(pixels, X, number).tobytes()


def test_only_a_run_that_ends_in_a_layout_passes_views():
    class Own(vision.HorizontalFlip):
        """A user's transform, which must see arrays in the usual order."""

    crop, flip, own = vision.RandomCrop(30), vision.RandomHorizontalFlip(), Own()
    steps = [crop, own, flip, LAST, NORMAL]
    quick = [form == step for step, form in quick_forms(steps)]
    assert quick == [True, True, False, False, True]
    assert [form for _, form in quick_forms([crop, flip])] == [crop, flip]


def test_what_writes_into_its_input_does_not_write_into_the_data_through_a_view():
    steps, before = [vision.RandomCrop(30), vision.Erase(1, 2, 20, 20, 7, inplace=True), LAST], X.copy()
    assert quickly(steps, X, 1).tobytes() == singly(steps, X, 1).tobytes()
    np.testing.assert_array_equal(X, before)


def test_an_error_within_a_run_names_the_transform_and_the_row():
    wrong = vision.Normalize([1.0, 2.0], [1.0, 1.0])
    data = ds.NumpySlicesDataset({"x": X[None]}, shuffle=False).map([vision.RandomHorizontalFlip(), wrong, LAST], "x")
    with pytest.raises(RuntimeError, match=r"'mean' and 'std' must be 1 or that of the channels.*'Normalize' on row 0"):
        list(data)


def test_the_rows_of_a_run_do_not_depend_on_the_workers():
    images = RNG.integers(0, 256, (20, 36, 36, 3), np.uint8)
    found = []
    for workers in (1, 2, 3):
        ds.config.set_seed(5)
        data = ds.NumpySlicesDataset({"x": images}, shuffle=False)
        data = data.map(RUNS["cifar"], "x", num_parallel_workers=workers).batch(8)
        found.append([row[0].tobytes() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])
    draws.set_seed(None)
    assert found[0] == found[1] == found[2]
