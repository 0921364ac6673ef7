"""The images that come with the package: 10,000 + 2,000 of Fashion-MNIST, balanced over its ten classes."""

from __future__ import annotations

from importlib import resources
from typing import Any

from minispore.data.dataset.idx import read_idx

__all__ = ["embedded_fashion_mnist", "embedded_fashion_mnist_dir"]


def embedded_fashion_mnist_dir() -> Any:
    """The folder of the embedded idx files, for ``dataset_dir``.

    Examples:
        >>> import os
        >>> from minispore import dataset
        >>> print(len(os.listdir(dataset.embedded_fashion_mnist_dir())))
        6
    """
    return resources.files("minispore.data.dataset") / "data" / "fashion-mnist-12k"


def embedded_fashion_mnist() -> Any:
    """The embedded images and labels: ``((train_images, train_labels), (test_images, test_labels))``.

    Images are uint8 of shape (n, 28, 28), labels uint8 of shape (n,): n is 10,000 for training, 2,000 for testing.
    Fashion-MNIST is Zalando's, under the MIT licence beside the files.

    Examples:
        >>> from minispore.dataset import embedded_fashion_mnist
        >>> (images, labels), _ = embedded_fashion_mnist()
        >>> images.shape, labels.shape
        ((10000, 28, 28), (10000,))
        >>> print(labels[:5], images[0].max())
        [9 0 0 3 0] 255
    """
    folder = embedded_fashion_mnist_dir()

    def read(part):
        return (
            read_idx(folder / f"{part}-images-idx3-ubyte.gz"),
            read_idx(folder / f"{part}-labels-idx1-ubyte.gz"),
        )

    return read("train"), read("t10k")
