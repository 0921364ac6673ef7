"""The images: normalised, checked, and shuffled by the seed."""

import sys

import numpy as np
import pytest

import minispore as ms
from minispore.tools.cli.data import Labelled, load_images


def test_training_images_have_mean_0_and_std_1_and_labels_are_int32(images):
    train, test = images
    assert train.images.dtype == test.images.dtype == np.float32 and train.labels.dtype == np.int32
    assert train.images.shape == (80, 1, 28, 28) and test.images.shape == (40, 1, 28, 28)
    np.testing.assert_allclose((train.images.mean(), train.images.std()), (0, 1), atol=1e-5)


def test_test_images_are_normalised_as_the_training_images_are(images):
    black = images.train.images.min()
    assert images.test.images.min() == black < 0


def test_without_a_folder_the_images_are_those_of_the_package():
    train, test = load_images()
    assert len(train.images) == 10_000 and len(test.images) == 2_000


def test_the_order_of_batches_follows_from_the_seed_and_differs_from_epoch_to_epoch(restored):
    labelled = Labelled(np.zeros((20, 1, 28, 28), np.float32), np.arange(20, dtype=np.int32))
    ms.set_seed(3)
    first, again = labelled.batches(8), labelled.batches(8)
    epochs = [[label.asnumpy().tolist() for _, label in first] for _ in range(2)]
    assert [len(labels) for labels in epochs[0]] == [8, 8, 4]
    assert epochs[0] != epochs[1]
    again.epoch = 1
    assert [label.asnumpy().tolist() for _, label in again] == epochs[1]


def write_images(folder, classes, count):
    """Grey images of the class's number times 20, plus the image's own."""
    pillow = pytest.importorskip("PIL.Image")
    for number, name in enumerate(classes):
        (folder / name).mkdir(parents=True)
        for i in range(count):
            pillow.fromarray(np.full((40, 30), 20 * number + i, np.uint8)).save(folder / name / f"{i:02}.png")


def test_every_sixth_image_of_a_folder_for_each_class_is_tested_on(tmp_path):
    write_images(tmp_path, ["cat", "dog"], 7)
    train, test = load_images(tmp_path)
    assert (train.images.shape, train.labels.tolist()) == ((12, 1, 28, 28), [0] * 6 + [1] * 6)
    assert (test.images.shape, test.labels.tolist()) == ((2, 1, 28, 28), [0, 1])
    assert test.images[0, 0, 0, 0] not in train.images
    np.testing.assert_allclose((train.images.mean(), train.images.std()), (0, 1), atol=1e-5)


def test_folders_train_and_test_are_what_they_say_and_of_the_same_classes(tmp_path):
    write_images(tmp_path / "train", ["cat", "dog"], 3)
    write_images(tmp_path / "test", ["cat", "dog"], 1)
    assert [len(part.labels) for part in load_images(tmp_path)] == [6, 2]
    (tmp_path / "test" / "dog").rename(tmp_path / "test" / "emu")
    with pytest.raises(ValueError, match=r"the same classes in 'train' and 'test', but got \['cat', 'dog'\] and"):
        load_images(tmp_path)


def test_a_file_that_is_no_image_and_a_missing_pillow_are_told(tmp_path, monkeypatch):
    write_images(tmp_path, ["cat"], 6)
    (tmp_path / "cat" / "99.png").write_text("no image")
    with pytest.raises(ValueError, match=r"^For 'train', the file '.*99\.png' must be an image, but got"):
        load_images(tmp_path)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ValueError, match=r"needs Pillow: pip install"):
        load_images(tmp_path)


@pytest.mark.parametrize("side, label, sentence", [(20, 3, "28x28 pixels"), (28, 10, "below 10")])
def test_images_of_another_size_and_labels_of_an_eleventh_class_are_refused(tmp_path, side, label, sentence, write_idx):
    for part in ("train", "t10k"):
        write_idx(tmp_path / f"{part}-images-idx3-ubyte", np.zeros((2, side, side), np.uint8))
        write_idx(tmp_path / f"{part}-labels-idx1-ubyte", np.full(2, label, np.uint8))
    with pytest.raises(ValueError, match=sentence):
        load_images(tmp_path)


def write_colored(folder):
    """Images of one color for each class, 40 pixels high and 30 wide."""
    pillow = pytest.importorskip("PIL.Image")
    for name, color in {"blue": (0, 0, 250), "red": (250, 0, 0)}.items():
        (folder / name).mkdir(parents=True)
        for i in range(6):
            pillow.new("RGB", (30, 40), color).save(folder / name / f"{i}.png")


def test_images_keep_their_size_and_colors_where_that_is_asked_for(tmp_path):
    write_colored(tmp_path)
    train, test = load_images(tmp_path, size=(40, 30), color=True)
    assert train.images.shape == (10, 3, 40, 30) and test.images.shape == (2, 3, 40, 30)
    blue, red = train.images[0], train.images[-1]
    assert blue[2].min() > blue[0].max() and red[0].min() > red[2].max()
    np.testing.assert_allclose((train.images.mean(), train.images.std()), (0, 1), atol=1e-5)


@pytest.mark.parametrize("asked", [{"size": (32, 32)}, {"color": True}], ids=str)
def test_only_images_of_a_folder_have_another_size_or_colors(asked):
    with pytest.raises(ValueError, match="must hold a folder of images for each class, but got no images"):
        load_images(None, **asked)
