"""CIFAR-10 and CIFAR-100 from their binary files: records of one label byte, or two, and 3072 bytes of pixels."""

from types import MappingProxyType

import numpy as np

from minispore.core.errors import value_error
from minispore.data.dataset.engine.sources.arguments import ARRAYS, arguments
from minispore.data.dataset.engine.sources.mnist import ArraysInFolder, check_usage

__all__ = ["Cifar10Dataset", "Cifar100Dataset"]

_PIXELS = 3 * 32 * 32


@arguments("dataset_dir", usage=None, **ARRAYS)
class _Cifar(ArraysInFolder):
    """Columns ``image``, uint8 (32, 32, 3), and the labels, uint32 ()."""

    files = MappingProxyType({})  # usage -> names of files
    labels = ()  # the columns of the label bytes
    classes = 0

    def _columns(self, folder, usage):
        name = type(self).__name__
        check_usage(name, usage, {**self.files, "all": (), None: ()})
        records = np.concatenate([self._records(name, path) for path in self._found(name, folder, usage)])
        # a view, laid out image by image when rows are read: all at once would hold up the construction
        images = records[:, len(self.labels) :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        labels = {column: records[:, i].astype(np.uint32) for i, column in enumerate(self.labels)}
        return {"image": images, **labels}

    def _found(self, name, folder, usage):
        """The paths of the files of ``usage`` that are there."""
        usages = self.files if usage in (None, "all") else [usage]
        wanted = [file for part in usages for file in self.files[part]]
        paths = [folder / file for file in wanted if (folder / file).is_file()]
        if not paths:
            raise FileNotFoundError(
                f"For '{name}', the folder '{folder}' must hold {wanted[0]}, as CIFAR's binary version has it, "
                "but there is no such file."
            )
        return paths

    def _row(self, item):
        image, *labels = super()._row(item)
        return (np.ascontiguousarray(image), *labels)

    def _gather(self, items):
        images, *labels = super()._gather(items)
        return (np.ascontiguousarray(images), *labels)

    def _records(self, name, path):
        length = len(self.labels) + _PIXELS
        content = np.fromfile(path, np.uint8)
        if not len(content) or len(content) % length:
            expected = f"the file '{path}' must hold whole records of {length} bytes"
            raise value_error(name, expected, f"{len(content)} bytes")
        records = content.reshape(-1, length)
        wrong = records[:, len(self.labels) - 1].max()
        if wrong >= self.classes:
            raise value_error(name, f"the labels of '{path}' must be below {self.classes}", int(wrong))
        return records


class Cifar10Dataset(_Cifar):
    """Images and labels of CIFAR-10's binary files: columns ``image``, uint8 (32, 32, 3), and ``label``, uint32 ().

    The files are read entirely, and checked, at construction.

    Args:
        dataset_dir: The folder with ``data_batch_1.bin`` to ``data_batch_5.bin`` and ``test_batch.bin``, or some.
        usage: ``"train"``, ``"test"`` or ``"all"``; None and all mean every file found, the training images first.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; reading arrays needs no workers.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If ``dataset_dir`` is not a path.
        ValueError: If there is no such folder, ``usage`` is unknown, or a file does not hold whole records.
        FileNotFoundError: If there is no file.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> record = np.full(3073, 7, np.uint8)
        >>> record.tofile(folder / "data_batch_1.bin")
        >>> data = dataset.Cifar10Dataset(folder, shuffle=False)
        >>> print([(image.shape, int(label)) for image, label in data])
        [((32, 32, 3), 7)]
    """

    files = MappingProxyType({"train": [f"data_batch_{i}.bin" for i in range(1, 6)], "test": ["test_batch.bin"]})
    labels, classes = ("label",), 10


class Cifar100Dataset(_Cifar):
    """Images and labels of CIFAR-100's binary files: columns ``image``, ``coarse_label`` and ``fine_label``.

    The images are uint8 (32, 32, 3), the labels uint32 (). The files are ``train.bin`` and ``test.bin``; arguments and
    errors as in :class:`Cifar10Dataset`.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> record = np.full(3074, 7, np.uint8)
        >>> record.tofile(folder / "train.bin")
        >>> data = dataset.Cifar100Dataset(folder, "train", shuffle=False)
        >>> print([(image.shape, int(coarse), int(fine)) for image, coarse, fine in data])
        [((32, 32, 3), 7, 7)]
    """

    files = MappingProxyType({"train": ["train.bin"], "test": ["test.bin"]})
    labels, classes = ("coarse_label", "fine_label"), 100
