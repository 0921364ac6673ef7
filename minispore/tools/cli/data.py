"""The images, normalised: ``(pixel / 255 - mean) / std``, with the mean and the std of the training images."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from minispore.core.errors import value_error
from minispore.data.dataset import MnistDataset, NumpySlicesDataset, embedded_fashion_mnist_dir
from minispore.tools.cli.image_folders import has_class_folders, read_class_folders

__all__ = ["SIZE", "Images", "Labelled", "load_images"]

SIZE, _CLASSES = (28, 28), 10  # height and width of an image without another wish


class Labelled(NamedTuple):
    """Images, float32 of shape (n, channels, height, width), and their class numbers, int32 of shape (n,)."""

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


def load_images(folder=None, size=None, color=False):
    """The images of a folder of idx files or of folders of images, or the embedded ones.

    Args:
        folder: A folder with MNIST's or Fashion-MNIST's four idx files, or with a folder of images for each class.
            Default: None, the images of the package.
        size (tuple[int]): Height and width that images of folders for each class get. Default: None, 28x28.
        color (bool): If True, these images have three channels, red, green and blue. Default: False, one, grey.

    Raises:
        ValueError: If there is no such folder, a file is truncated or foreign, or there are more than ten classes. If
            ``size`` or ``color`` is given for idx files or the embedded images, which are grey ones of 28x28 pixels.
        FileNotFoundError: If one of the files is missing.
    """
    if folder is not None and has_class_folders(Path(folder)):
        found = read_class_folders(Path(folder), size or SIZE, color)
    elif size is not None or color:
        expected = "with '--image-size' or '--color' the '--data-dir' must hold a folder of images for each class"
        raise value_error("train", expected, "no images" if folder is None else f"'{folder}'")
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
    images = columns["image"]
    if images.shape[1:3] != SIZE:
        raise value_error("train", f"the {usage} images of idx files must have 28x28 pixels", images.shape[1:3])
    return images, columns["label"]


def _checked(usage, images, labels):
    """The part as channels first; ``images`` have the shape (n, height, width, channels)."""
    if not len(images):
        raise value_error("train", f"there must be {usage} images", "none")
    if labels.max() >= _CLASSES:
        raise value_error("train", f"the {usage} labels must be below {_CLASSES}", labels.max())
    first = np.ascontiguousarray(images.transpose(0, 3, 1, 2), np.float32)
    return Labelled(first, labels.astype(np.int32))
