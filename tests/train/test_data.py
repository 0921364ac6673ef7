"""The images: normalised, checked, and shuffled by the seed."""

import numpy as np
import pytest

import minispore as ms
from minispore.train.data import Labelled, load_images


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


@pytest.mark.parametrize("side, label, sentence", [(20, 3, "28, 28"), (28, 10, "below 10")])
def test_images_of_another_size_and_labels_of_an_eleventh_class_are_refused(tmp_path, side, label, sentence, write_idx):
    for part in ("train", "t10k"):
        write_idx(tmp_path / f"{part}-images-idx3-ubyte", np.zeros((2, side, side), np.uint8))
        write_idx(tmp_path / f"{part}-labels-idx1-ubyte", np.full(2, label, np.uint8))
    with pytest.raises(ValueError, match=sentence):
        load_images(tmp_path)
