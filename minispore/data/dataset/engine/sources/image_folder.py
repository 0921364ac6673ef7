"""ImageFolderDataset: images in a folder for each class."""

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.sources.image_files import decoded
from minispore.data.dataset.engine.sources.indexed import MappableDataset, VisionBaseDataset
from minispore.data.dataset.engine.sources.mnist import folder_of
from minispore.ops.list_checks import check_names

__all__ = ["ImageFolderDataset"]


class ImageFolderDataset(MappableDataset, VisionBaseDataset):
    """Images in a folder for each class: columns ``image``, uint8, and ``label``, int32 ().

    An image is the bytes of its file, or with ``decode=True`` its pixels of shape (height, width, 3). Pixels need
    Pillow (the extra ``images``). Classes and files are in the order of their names.

    Args:
        dataset_dir: The folder of the classes' folders.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; ``map`` reads and transforms images with workers of its own.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        extensions: The file extensions to read, such as ``[".png"]``; None means all files.
        class_indexing: The number of each class by its folder's name; other folders are not read. None means 0, 1, ….
        decode: Whether the images are decoded.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; there is no cache server.
        decrypt: A function of a file's path that returns the image's bytes; None reads the file.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If there is no such folder, it holds no image, or a class of ``class_indexing`` has no folder; while
            iterating, if a file is not an image.
        ImportError: With ``decode=True``, if Pillow is not installed.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = tempfile.mkdtemp()
        >>> for number, name in enumerate(("cat", "dog")):
        ...     os.mkdir(os.path.join(folder, name))
        ...     dataset.vision.write_png(os.path.join(folder, name, "0.png"), np.full((2, 2, 3), number, np.uint8))
        >>> data = dataset.ImageFolderDataset(folder, shuffle=False, decode=True)
        >>> print(data.get_class_indexing(), [(image.asnumpy().max().item(), int(label)) for image, label in data])
        {'cat': 0, 'dog': 1} [(0, 0), (1, 1)]
    """

    def __init__(
        self,
        dataset_dir,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        extensions=None,
        class_indexing=None,
        decode=False,
        num_shards=None,
        shard_id=None,
        cache=None,
        decrypt=None,
    ):
        name = "ImageFolderDataset"
        folder = folder_of(name, dataset_dir)
        self.decode = check_bool(name, "decode", decode)
        if decrypt is not None and not callable(decrypt):
            raise type_error(name, "the 'decrypt' must be a function or None", type(decrypt).__name__)
        self.decrypt = decrypt
        self.classes = _classes(folder, class_indexing)
        self.files = _files(folder, self.classes, extensions)
        if not self.files:
            raise value_error(name, "the 'dataset_dir' must hold images in a folder for each class", f"'{folder}'")
        super().__init__(
            len(self.files), num_samples, shuffle, sampler, num_shards, shard_id, num_parallel_workers, cache
        )

    def _row(self, item):
        path, label = self.files[item]
        content = self.decrypt(str(path)) if self.decrypt else path.read_bytes()
        image = decoded("ImageFolderDataset", path, content) if self.decode else np.frombuffer(content, np.uint8)
        return image, np.array(label, np.int32)

    def _names(self):
        return ["image", "label"]

    def _labels(self, column):
        check_choice("PKSampler", "class_column", column, ["label"])
        return np.array([label for _, label in self.files])

    def num_classes(self):
        """The number of classes."""
        return len(self.classes)

    def get_class_indexing(self):
        """The number of each class by its folder's name."""
        return dict(self.classes)


def _classes(folder, class_indexing):
    """The numbers of the classes by their folders' names."""
    there = sorted(path.name for path in folder.iterdir() if path.is_dir())
    if class_indexing is None:
        return {name: number for number, name in enumerate(there)}
    if not isinstance(class_indexing, dict):
        raise type_error("ImageFolderDataset", "the 'class_indexing' must be a dict", shown(class_indexing))
    for name, number in class_indexing.items():
        check_int("ImageFolderDataset", "class_indexing", number, 0, 2**31)
        if name not in there:
            raise value_error(
                "ImageFolderDataset", f"the 'class_indexing' must name folders of '{folder}'", shown(name)
            )
    return dict(class_indexing)


def _files(folder, classes, extensions):
    """The path and the label of each image."""
    kept = None if extensions is None else tuple(check_names("ImageFolderDataset", "extensions", extensions))
    found = []
    for name in sorted(classes):
        for path in sorted((folder / name).rglob("*")):
            if path.is_file() and (kept is None or path.name.endswith(kept)):
                found.append((path, classes[name]))
    return found
