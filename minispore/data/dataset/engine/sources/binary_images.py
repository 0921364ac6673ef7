"""Images that stand as numbers in one file for many: STL-10, SVHN, Semeion and USPS; and images of random numbers."""

from types import MappingProxyType

import numpy as np

from minispore.core.checks import check_int, is_int
from minispore.core.errors import shown, value_error
from minispore.data.dataset.engine.sources.arguments import ARRAYS, arguments
from minispore.data.dataset.engine.sources.image_files import lines_of
from minispore.data.dataset.engine.sources.indexed import VisionBaseDataset
from minispore.data.dataset.engine.sources.matlab import matlab_arrays
from minispore.data.dataset.engine.sources.mnist import ArraysInFolder, check_usage, folder_of
from minispore.data.dataset.engine.sources.text_files import FilesDataset, Shuffle

__all__ = ["FakeImageDataset", "STL10Dataset", "SVHNDataset", "SemeionDataset", "USPSDataset"]


def _joined(parts):
    """The columns of all parts; each part is images and labels."""
    images, labels = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return {"image": images, "label": labels}


def _found(name, path):
    """A file, which must be there."""
    if not path.is_file():
        raise FileNotFoundError(f"For '{name}', the file '{path}' must exist, but there is no such file.")
    return path


_STL10_PARTS = MappingProxyType(
    {"train": ["train"], "test": ["test"], "unlabeled": ["unlabeled"], "train+unlabeled": ["train", "unlabeled"]}
    | {usage: ["test", "train", "unlabeled"] for usage in ("all", None)}
)


@arguments("dataset_dir", usage=None, **ARRAYS)
class STL10Dataset(ArraysInFolder):
    """Images of STL-10: columns ``image``, uint8 (96, 96, 3), and ``label``, int32 (): -1 for those without.

    The folder holds ``train_X.bin``, ``train_y.bin``, ``test_X.bin``, ``test_y.bin`` and ``unlabeled_X.bin``. Further
    arguments and errors as in :class:`Cifar10Dataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"train"``, ``"test"``, ``"unlabeled"``, ``"train+unlabeled"`` or ``"all"``; None means all.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> np.full(96 * 96 * 3, 9, np.uint8).tofile(folder / "test_X.bin")
        >>> np.array([3], np.uint8).tofile(folder / "test_y.bin")
        >>> data = dataset.STL10Dataset(folder, "test", shuffle=False)
        >>> print([(image.shape, int(label)) for image, label in data])
        [((96, 96, 3), 2)]
    """

    def _columns(self, folder, usage):
        name = type(self).__name__
        check_usage(name, usage, _STL10_PARTS)
        return _joined(_stl10_part(name, folder, part) for part in _STL10_PARTS[usage])


def _stl10_part(name, folder, part):
    """The images and labels of a part; the file has columns of pixels one after another."""
    path = _found(name, folder / f"{part}_X.bin")
    content = np.fromfile(path, np.uint8)
    if not len(content) or len(content) % (3 * 96 * 96):
        raise value_error(name, f"the file '{path}' must hold images of {3 * 96 * 96} bytes", f"{len(content)} bytes")
    images = content.reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1)
    if part == "unlabeled":
        return images, np.full(len(images), -1, np.int32)
    path = _found(name, folder / f"{part}_y.bin")
    labels = np.fromfile(path, np.uint8)
    if len(labels) != len(images) or not 1 <= labels.min() <= labels.max() <= 10:
        expected = f"the file '{path}' must hold a label of 1 to 10 for each of {len(images)} images"
        raise value_error(name, expected, shown(labels.tolist()))
    return images, labels.astype(np.int32) - 1


@arguments(
    "dataset_dir",
    usage=None,
    num_samples=None,
    num_parallel_workers=1,
    shuffle=None,
    sampler=None,
    num_shards=None,
    shard_id=None,
)
class SVHNDataset(ArraysInFolder):
    """House numbers of SVHN: columns ``image``, uint8 (32, 32, 3), and ``label``, uint32 ().

    The folder holds ``train_32x32.mat``, ``test_32x32.mat`` and ``extra_32x32.mat``. Further arguments and errors as in
    :class:`Cifar10Dataset`; ``usage`` is ``"train"``, ``"test"``, ``"extra"`` or ``"all"``, None all.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> def element(kind, data):  # Matlab's files: a kind, a length, and the data, filled up to eight bytes
        ...     return np.array([kind, len(data)], "<u4").tobytes() + data + bytes(-len(data) % 8)
        >>> def matlab(name, array):  # an array of uint8: its class, its lengths, its name and its numbers
        ...     lengths = np.array(array.shape, "<i4").tobytes()
        ...     parts = (6, bytes([9, 0, 0, 0, 0, 0, 0, 0])), (5, lengths), (1, name), (2, array.tobytes("F"))
        ...     return element(14, b"".join(element(*part) for part in parts))
        >>> head = bytes(124) + bytes([0, 1]) + b"IM"
        >>> folder = Path(tempfile.mkdtemp())
        >>> images = matlab(b"X", np.full((32, 32, 3, 1), 7, np.uint8))  # the last axis counts the images
        >>> labels = matlab(b"y", np.array([[10]], np.uint8))  # SVHN's number of the digit 0
        >>> _ = (folder / "test_32x32.mat").write_bytes(head + images + labels)
        >>> data = dataset.SVHNDataset(folder, "test")
        >>> print([(image.shape, int(image[0, 0, 0]), int(label)) for image, label in data])
        [((32, 32, 3), 7, 0)]
    """

    def _columns(self, folder, usage):
        name, everything = type(self).__name__, ["train", "test", "extra"]
        check_usage(name, usage, (*everything, "all", None))
        return _joined(_svhn_part(name, folder, part) for part in (everything if usage in ("all", None) else [usage]))


def _svhn_part(name, folder, part):
    """The images and labels of a part; the digit 0 has the label 10 in the file."""
    path = _found(name, folder / f"{part}_32x32.mat")
    arrays = arrays_of(name, path, "X", "y")
    images, labels = arrays["X"], arrays["y"].ravel()
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[3] != len(labels):
        got = f"{images.dtype}{images.shape} and {len(labels)} labels"
        raise value_error(name, f"the file '{path}' must hold images of bytes and a label for each", got)
    return images.transpose(3, 0, 1, 2), np.where(labels == 10, 0, labels).astype(np.uint32)


def arrays_of(name, path, *wanted):
    """The arrays of a Matlab file, which must have the wanted names."""
    try:
        found = matlab_arrays(_found(name, path).read_bytes())
    except ValueError as error:
        raise value_error(name, f"the file '{path}' must be a whole Matlab file", shown(error, str)) from error
    for array in wanted:
        if array not in found:
            raise value_error(name, f"the file '{path}' must hold an array '{array}'", list(found))
    return found


@arguments("dataset_dir", **ARRAYS)
class SemeionDataset(ArraysInFolder):
    """Digits of Semeion: columns ``image``, uint8 (16, 16) of 0 and 1, and ``label``, uint32 ().

    The folder holds ``semeion.data``, whose lines are 256 pixels and 10 marks. Arguments and errors as in
    :class:`Cifar10Dataset`, without ``usage``.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> line = " ".join(["1.0000"] * 256 + ["0"] * 7 + ["1", "0", "0"])
        >>> _ = (folder / "semeion.data").write_text(line)
        >>> data = dataset.SemeionDataset(folder, shuffle=False)
        >>> print([(image.shape, int(label)) for image, label in data])
        [((16, 16), 7)]
    """

    def _columns(self, folder):
        name, path = type(self).__name__, folder / "semeion.data"
        rows = np.array([_numbers(name, path, line.split(), 266) for line in lines_of(name, path)])
        if not len(rows):
            raise value_error(name, f"the file '{path}' must hold rows", "none")
        images = rows[:, :256].astype(np.uint8).reshape(-1, 16, 16)
        return {"image": images, "label": rows[:, 256:].argmax(1).astype(np.uint32)}


def _numbers(name, path, fields, count):
    """The numbers of a line, which must be ``count``."""
    try:
        numbers = np.array(fields, np.float64)
    except ValueError as error:
        raise value_error(name, f"the lines of '{path}' must be of numbers", shown(error, str)) from error
    if len(numbers) != count or not np.isfinite(numbers).all():
        raise value_error(name, f"each line of '{path}' must be of {count} numbers", len(numbers))
    return numbers


class USPSDataset(FilesDataset, VisionBaseDataset):
    """Digits of USPS: columns ``image``, uint8 (16, 16, 1), and ``label``, uint32 ().

    The folder holds ``usps`` and ``usps.t`` (the test's), whose lines are a digit plus one and ``PLACE:VALUE`` for 256
    values of -1 to 1. Further arguments and errors as in :class:`TextFileDataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"train"``, ``"test"`` or ``"all"``; None means all.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> numbers = " ".join(f"{i}:-1.0" for i in range(1, 257))
        >>> _ = (folder / "usps.t").write_text("3 " + numbers)
        >>> data = dataset.USPSDataset(folder, "test", shuffle=False)
        >>> print([(image.shape, int(label)) for image, label in data])
        [((16, 16, 1), 2)]
    """

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        parts = {"train": ["usps"], "test": ["usps.t"], "all": ["usps", "usps.t"], None: ["usps", "usps.t"]}
        check_usage("USPSDataset", usage, parts)
        self.parts = parts[usage]
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _paths(self, dataset_dir):
        folder = folder_of("USPSDataset", dataset_dir)
        return [_found("USPSDataset", folder / part) for part in self.parts]

    def _read(self, path):
        return [self._of_line(path, line) for line in lines_of("USPSDataset", path)]

    @staticmethod
    def _of_line(path, line):
        label, *pixels = line.split()
        numbers = _numbers("USPSDataset", path, [label, *(pixel.partition(":")[2] for pixel in pixels)], 257)
        if not 1 <= numbers[0] <= 10 or np.abs(numbers[1:]).max() > 1:
            expected = f"each line of '{path}' must be a number of 1 to 10 and values of -1 to 1"
            raise value_error("USPSDataset", expected, shown(line))
        pixels = (numbers[1:].astype(np.float32).astype(np.float64) + 1) / 2 * 255  # MindSpore keeps 32 bits of a value
        image = pixels.astype(np.uint8).reshape(16, 16, 1)
        return image, np.array(numbers[0] - 1, np.uint32)

    def _names(self):
        return ["image", "label"]


@arguments(num_images=1000, image_size=(224, 224, 3), num_classes=10, base_seed=0, **ARRAYS)
class FakeImageDataset(ArraysInFolder):
    """Images of random numbers: columns ``image``, uint8, and ``label``, uint32 ().

    The numbers depend on ``base_seed`` and on the image's number alone. Further arguments and errors as in
    :class:`Cifar10Dataset`.

    Args:
        num_images: How many images.
        image_size: (height, width, channels).
        num_classes: Labels are below it.
        base_seed: The seed of the first image; each other one's is larger by one.

    Examples:
        >>> from minispore import dataset
        >>> data = dataset.FakeImageDataset(num_images=3, image_size=(4, 4, 3), num_classes=2)
        >>> image, label = next(iter(data))
        >>> print(data.get_dataset_size(), image.shape, int(label) < 2)
        3 (4, 4, 3) True
    """

    def _set_up(self, options, num_images, image_size, num_classes, base_seed):
        name = "FakeImageDataset"
        count = check_int(name, "num_images", num_images, 1, 2**31)
        if not (isinstance(image_size, list | tuple) and len(image_size) == 3 and all(map(is_int, image_size))):
            raise value_error(name, "the 'image_size' must be three ints", shown(image_size))
        for length in image_size:
            check_int(name, "image_size", length, 1, 2**31)
        self.image_size, self.seed = tuple(image_size), check_int(name, "base_seed", base_seed, 0, 2**31)
        self.classes = check_int(name, "num_classes", num_classes, 1, 2**31)
        super().__init__({"image": range(count), "label": range(count)}, *options)

    def _row(self, item):
        draw = np.random.default_rng(self.seed + item)
        label = np.array(draw.integers(self.classes), np.uint32)
        return draw.integers(0, 256, self.image_size, np.uint8), label

    def _gather(self, items):
        images, labels = zip(*map(self._row, items), strict=True)
        return np.stack(images), np.stack(labels)

    def _labels(self, column):
        return np.array([self._row(item)[1] for item in range(self.size)])
