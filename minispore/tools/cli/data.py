"""The images, normalised: ``(pixel / 255 - mean) / std``, with the mean and the std of the training images."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from minispore.core.errors import value_error
from minispore.data.dataset import MnistDataset, NumpySlicesDataset, embedded_fashion_mnist_dir
from minispore.tools.cli.image_folders import has_class_folders, read_class_folders

__all__ = ["Images", "Labelled", "load_images"]

_SIDE, _CLASSES = 28, 10


class Labelled(NamedTuple):
    """Images, float32 of shape (n, 1, 28, 28), and their class numbers, int32 of shape (n,)."""

    images: np.ndarray
    labels: np.ndarray

    def steps(self, batch_size):
        """The number of batches of an epoch. The last one may be smaller."""
        return -(-len(self.images) // batch_size)

    def batches(self, batch_size):
        """An iterator over shuffled batches of Tensors; each ``for`` over it is an epoch, in a new order."""
        columns = {"image": self.images, "label": self.labels}
        return NumpySlicesDataset(columns, shuffle=True).batch(batch_size).create_tuple_iterator()


class Images(NamedTuple):
    """The training images and the test images."""

    train: Labelled
    test: Labelled


def load_images(folder=None):
    """The images of a folder of idx files or of folders of images, or the embedded ones.

    Args:
        folder: A folder with MNIST's or Fashion-MNIST's four idx files, or with a folder of images for each class.
            Default: None, the images of the package.

    Raises:
        ValueError: If there is no such folder, or a file is truncated, foreign, or not of 28x28 pixels and ten classes.
        FileNotFoundError: If one of the files is missing.
    """
    if folder is not None and has_class_folders(Path(folder)):
        found = read_class_folders(Path(folder), _SIDE)
    else:
        folder = embedded_fashion_mnist_dir() if folder is None else folder
        found = (_columns(folder, usage) for usage in ("train", "test"))
    train, test = (_checked(usage, *pair) for usage, pair in zip(("train", "test"), found, strict=True))
    pixels = train.images / np.float32(255)
    mean, std = pixels.mean(dtype=np.float64), max(pixels.std(dtype=np.float64), 1e-6)
    scale, offset = np.float32(1 / (255 * std)), np.float32(mean / std)
    return Images(*(part._replace(images=part.images * scale - offset) for part in (train, test)))


def _columns(folder, usage):
    columns = MnistDataset(folder, usage).columns
    return columns["image"][..., 0], columns["label"]


def _checked(usage, images, labels):
    if images.shape[1:] != (_SIDE, _SIDE) or not len(images):
        raise value_error("train", f"the {usage} images must be of shape (n, {_SIDE}, {_SIDE}), n > 0", images.shape)
    if labels.max() >= _CLASSES:
        raise value_error("train", f"the {usage} labels must be below {_CLASSES}", labels.max())
    return Labelled(images[:, None].astype(np.float32), labels.astype(np.int32))
