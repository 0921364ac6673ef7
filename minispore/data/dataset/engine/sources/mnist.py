"""MNIST and the data sets in its format from their idx files, read whole and checked when the dataset is made."""

import os
from pathlib import Path

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.sources.arguments import ARRAYS, arguments
from minispore.data.dataset.engine.sources.indexed import ArraysDataset, VisionBaseDataset
from minispore.data.dataset.idx import read_idx

__all__ = ["EMnistDataset", "FashionMnistDataset", "KMnistDataset", "MnistDataset", "QMnistDataset"]


class ArraysInFolder(ArraysDataset, VisionBaseDataset):
    """Images in arrays that are read from a folder: a subclass gets its constructor from ``arguments``."""

    def _set_up(self, options, dataset_dir, **own):
        folder = folder_of(type(self).__name__, dataset_dir)
        super().__init__(self._columns(folder, **own), *options)

    def _columns(self, folder):
        """The arrays of the columns by their names; arguments of the subclass's own follow by name."""
        raise NotImplementedError


@arguments("dataset_dir", usage=None, **ARRAYS)
class MnistDataset(ArraysInFolder):
    """Images and labels from MNIST's four idx files: columns ``image``, uint8 (28, 28, 1), and ``label``, uint32 ().

    The files are read entirely, and checked, at construction; ``.gz`` files are decompressed.

    Args:
        dataset_dir: The folder with ``train-images-idx3-ubyte``, ``train-labels-idx1-ubyte`` and the two ``t10k-…``.
        usage: ``"train"``, ``"test"`` or ``"all"``; None and all mean every file found (the test images first).
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; reading arrays needs no workers.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If ``dataset_dir`` is not a path.
        ValueError: If there is no such folder, or ``usage`` is unknown. Also if a file is truncated, foreign or
            mismatched, or the images of the parts differ in size.
        FileNotFoundError: If one of the files is missing.

    Examples:
        >>> from minispore import dataset
        >>> data = dataset.MnistDataset(dataset.embedded_fashion_mnist_dir(), "test", shuffle=False)
        >>> image, label = next(iter(data))
        >>> print(data.get_dataset_size(), image.shape)
        2000 (28, 28, 1)
        >>> print(int(label), image.asnumpy().max())
        9 255
    """

    def _columns(self, folder, usage):
        operation = type(self).__name__
        pairs = [_read_pair(operation, *_paths(operation, folder, part)) for part in _parts(operation, usage, folder)]
        _check_one_size(operation, [images.shape[1:] for images, _ in pairs])
        images, labels = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
        return {"image": images[..., None], "label": labels.astype(np.uint32)}

    def num_classes(self):
        """The number of classes of the labels: 10."""
        return 10


class KMnistDataset(MnistDataset):
    """KMNIST, old Japanese characters, in MNIST's file format, with the arguments of :class:`MnistDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or
            None. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> from minispore import dataset
        >>> data = dataset.KMnistDataset(dataset.embedded_fashion_mnist_dir(), "test", shuffle=False)
        >>> print(data.get_dataset_size(), int(next(iter(data))[1]))
        2000 9
    """


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, in MNIST's file format, with the arguments of :class:`MnistDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``num_samples`` or
            ``num_parallel_workers`` is not an int. Also if ``shuffle`` is not a bool or None.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> from minispore.dataset import FashionMnistDataset
        >>> from minispore.dataset import embedded_fashion_mnist_dir
        >>> FashionMnistDataset(embedded_fashion_mnist_dir(), usage="test").get_dataset_size()
        2000
    """


@arguments("dataset_dir", "name", usage=None, **ARRAYS)
class EMnistDataset(ArraysInFolder):
    """EMNIST, letters and digits in MNIST's file format: ``image``, uint8 (28, 28, 1), and ``label``, uint32 ().

    The files are ``emnist-NAME-train-images-idx3-ubyte`` and the like; further arguments and errors as in
    :class:`MnistDataset`.

    Args:
        dataset_dir: The folder with the files.
        name: ``"byclass"``, ``"bymerge"``, ``"balanced"``, ``"letters"``, ``"digits"`` or ``"mnist"``.
        usage: ``"train"``, ``"test"`` or ``"all"``; None means all.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> for kind, shape in (("images-idx3", (1, 28, 28)), ("labels-idx1", (1,))):
        ...     head = bytes([0, 0, 8, len(shape)]) + np.array(shape, ">i4").tobytes()
        ...     _ = (folder / f"emnist-mnist-test-{kind}-ubyte").write_bytes(
        ...         head + np.full(shape, 5, np.uint8).tobytes()
        ...     )
        >>> data = dataset.EMnistDataset(folder, "mnist", "test", shuffle=False)
        >>> print([(image.shape, int(label)) for image, label in data])
        [((28, 28, 1), 5)]
    """

    def _columns(self, folder, name, usage):
        operation = "EMnistDataset"
        check_choice(operation, "name", name, ("byclass", "bymerge", "balanced", "letters", "digits", "mnist"))
        parts = {"train": ["train"], "test": ["test"], "all": ["test", "train"], None: ["test", "train"]}
        check_usage(operation, usage, parts)
        pairs = [_read_pair(operation, *_paths(operation, folder, f"emnist-{name}-{part}")) for part in parts[usage]]
        images, labels = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
        return {"image": images[..., None], "label": labels.astype(np.uint32)}


_QMNIST_ROWS = {"test10k": slice(10000), "test50k": slice(10000, 60000)}  # of the test's


@arguments("dataset_dir", usage=None, compat=True, **ARRAYS)
class QMnistDataset(ArraysInFolder):
    """QMNIST, MNIST's digits with where they came from: columns ``image``, uint8 (28, 28, 1), and ``label``, uint32.

    The files are ``qmnist-train-images-idx3-ubyte``, ``qmnist-train-labels-idx2-int``, the like for ``test``, and
    ``xnist-…`` for ``"nist"``; further arguments and errors as in :class:`MnistDataset`.

    Args:
        dataset_dir: The folder with the files.
        usage: ``"train"``, ``"test"``, ``"test10k"`` and ``"test50k"`` (the first and the others of the test),
            ``"nist"`` or ``"all"``; None means all.
        compat: Whether a label is the digit alone, of shape (); else it is all eight numbers.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> for kind, code, values in (
        ...     ("images-idx3-ubyte", 8, np.zeros((1, 28, 28), np.uint8)),
        ...     ("labels-idx2-int", 12, np.array([[7, 1, 2, 3, 4, 5, 6, 0]], ">i4")),
        ... ):
        ...     head = bytes([0, 0, code, values.ndim]) + np.array(values.shape, ">i4").tobytes()
        ...     _ = (folder / f"qmnist-test-{kind}").write_bytes(head + values.tobytes())
        >>> print([int(label) for image, label in dataset.QMnistDataset(folder, "test", shuffle=False)])
        [7]
        >>> print([label.tolist() for _, label in dataset.QMnistDataset(folder, "test", compat=False, shuffle=False)])
        [[7, 1, 2, 3, 4, 5, 6, 0]]
    """

    def _columns(self, folder, usage, compat):
        operation, everything = "QMnistDataset", ["qmnist-train", "qmnist-test", "xnist"]
        parts = {"train": everything[:1], "nist": everything[2:], "all": everything, None: everything}
        parts |= dict.fromkeys(("test", "test10k", "test50k"), everything[1:2])
        check_usage(operation, usage, parts)
        check_bool(operation, "compat", compat)
        pairs = [
            _read_pair(operation, *_paths(operation, folder, part, "labels-idx2-int"), np.int32, 2)
            for part in parts[usage]
        ]
        rows = _QMNIST_ROWS.get(usage, slice(None))
        images, labels = (np.concatenate(arrays)[rows] for arrays in zip(*pairs, strict=True))
        if not len(images):
            raise value_error(operation, f"the files must hold rows of the usage '{usage}'", "none")
        labels = labels.astype(np.uint32)
        return {"image": images[..., None], "label": labels[:, 0] if compat else labels}


def _parts(operation, usage, folder):
    """The parts to read; all existing ones if none is named."""
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


def _paths(operation, folder, part, labels="labels-idx1-ubyte"):
    """The files of the images and of the labels of a part."""
    return [_find(operation, folder, f"{part}-{name}") for name in ("images-idx3-ubyte", labels)]


def _read_pair(operation, images_path, labels_path, kind=np.uint8, rank=1):
    """The images (n, height, width) and labels of one part, checked against each other."""
    images, labels = read_idx(images_path), read_idx(labels_path)
    wanted = ((images_path, images, np.dtype(np.uint8), 3), (labels_path, labels, np.dtype(kind), rank))
    for path, array, dtype, axes in wanted:
        if array.dtype != dtype or array.ndim != axes:
            what = "bytes" if dtype == np.uint8 else dtype
            raise value_error(
                operation, f"the file '{path}' must hold {what} of rank {axes}", f"{array.dtype} of shape {array.shape}"
            )
    if len(images) != len(labels):
        raise value_error(operation, f"'{labels_path}' must hold a label for each of {len(images)} images", len(labels))
    return images, labels


def _check_one_size(operation, sizes):
    if len(set(sizes)) > 1:
        raise value_error(operation, "the images of all parts must have one size", " and ".join(map(str, sizes)))
