"""Datasets: sources, operations on samples, and the images that come with the package."""

import importlib

from minispore.dataset.fashion_mnist import embedded_fashion_mnist, embedded_fashion_mnist_dir
from minispore.dataset.idx import read_idx
from minispore.dataset.mnist import FashionMnistDataset, MnistDataset
from minispore.dataset.pipeline import Dataset
from minispore.dataset.sources import GeneratorDataset, NumpySlicesDataset

__all__ = [
    "Dataset",
    "FashionMnistDataset",
    "GeneratorDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "embedded_fashion_mnist",
    "embedded_fashion_mnist_dir",
    "read_idx",
]


def __getattr__(name):
    """``transforms`` and ``vision``, imported when they are first asked for."""
    if name in ("transforms", "vision"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
