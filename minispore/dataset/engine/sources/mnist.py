"""MNIST and Fashion-MNIST from their idx files, read whole and checked when the dataset is made."""

import os
from pathlib import Path

import numpy as np

from minispore.dataset.engine.sources.indexed import ArraysDataset
from minispore.dataset.idx import read_idx
from minispore.errors import shown, type_error, value_error

__all__ = ["FashionMnistDataset", "KMnistDataset", "MnistDataset"]


class MnistDataset(ArraysDataset):
    """Images and labels from MNIST's four idx files: columns ``image``, uint8 (28, 28, 1), and ``label``, uint32 ().

    The files are read entirely, and checked, at construction; ``.gz`` files are decompressed.

    Args:
        dataset_dir: The folder with ``train-images-idx3-ubyte``, ``train-labels-idx1-ubyte`` and the two ``t10k-…``.
        usage: ``"train"``, ``"test"`` or ``"all"``; None and all mean what is there (the test images first).
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; reading arrays needs no workers.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If ``dataset_dir`` is not a path.
        ValueError: If there is no such folder, ``usage`` is unknown, or a file is truncated, foreign or mismatched,
            or the images of the parts differ in size.
        FileNotFoundError: If one of the files is missing.
    """

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        operation = type(self).__name__
        folder = folder_of(operation, dataset_dir)
        pairs = [_read_pair(operation, folder, part) for part in _parts(operation, usage, folder)]
        _check_one_size(operation, [images.shape[1:] for images, _ in pairs])
        images, labels = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
        columns = {"image": images[..., None], "label": labels.astype(np.uint32)}
        options = (num_samples, shuffle, sampler, num_shards, shard_id, num_parallel_workers, cache)
        super().__init__(columns, *options)

    def num_classes(self):
        """The number of classes of the labels: 10."""
        return 10


class KMnistDataset(MnistDataset):
    """KMNIST, old Japanese characters, in MNIST's file format, with the arguments of :class:`MnistDataset`."""


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, in MNIST's file format, with the arguments of :class:`MnistDataset`.

    Examples:
        >>> from minispore.dataset import embedded_fashion_mnist_dir
        >>> FashionMnistDataset(embedded_fashion_mnist_dir(), usage="test").get_dataset_size()
        2000
    """


def _parts(operation, usage, folder):
    """The parts to read; those that are there where none is named."""
    parts = {"train": ["train"], "test": ["t10k"], "all": ["t10k", "train"], None: ["t10k", "train"]}
    check_usage(operation, usage, parts)
    if usage in ("train", "test"):
        return parts[usage]
    there = [part for part in parts[usage] if any(folder.glob(f"{part}-*-ubyte*"))]
    return there or parts[usage]


def check_usage(operation, usage, known):
    """Raise unless ``usage`` is one of the ``known`` parts; None means all."""
    if not isinstance(usage, str | None):
        raise type_error(operation, "the 'usage' must be a str or None", type(usage).__name__)
    if usage not in known:
        *first, last = (repr(name) for name in known if name is not None)
        raise value_error(operation, f"the 'usage' must be {', '.join(first)} or {last}", shown(usage))


def folder_of(operation, dataset_dir):
    """The folder as a path, which must be there."""
    if not isinstance(dataset_dir, str | os.PathLike):
        raise type_error(operation, "the 'dataset_dir' must be a path", type(dataset_dir).__name__)
    folder = Path(dataset_dir)
    if not folder.is_dir():
        raise value_error(operation, "the 'dataset_dir' must be a folder", f"'{folder}'")
    return folder


def _find(operation, folder, name):
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"For '{operation}', the folder '{folder}' must hold {name} or {name}.gz, but got neither.")


def _read_pair(operation, folder, part):
    """The images (n, height, width) and labels (n,) of one part, checked against each other."""
    paths = [_find(operation, folder, f"{part}-{name}-ubyte") for name in ("images-idx3", "labels-idx1")]
    images, labels = (read_idx(path) for path in paths)
    for path, array, rank in zip(paths, (images, labels), (3, 1), strict=True):
        if array.dtype != np.uint8 or array.ndim != rank:
            raise value_error(
                operation, f"the file '{path}' must hold bytes of rank {rank}", f"{array.dtype} of shape {array.shape}"
            )
    if len(images) != len(labels):
        raise value_error(operation, f"'{paths[1]}' must hold a label for each of {len(images)} images", len(labels))
    return images, labels


def _check_one_size(operation, sizes):
    if len(set(sizes)) > 1:
        raise value_error(operation, "the images of all parts must have one size", " and ".join(map(str, sizes)))
