"""Sources of image files that a folder or a list names: each row is images and facts about them."""

import io
import os

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import type_error, value_error
from minispore.data.dataset.engine.sources.indexed import MappableDataset, VisionBaseDataset
from minispore.data.dataset.engine.sources.mnist import folder_of

__all__ = []


class ImageFiles(MappableDataset, VisionBaseDataset):
    """A source of rows from paths, which are read as images, and from arrays.

    A subclass gets its constructor from ``arguments``, and lists its rows in ``_listed``.
    """

    names = ("image", "label")  # of the columns

    def _set_up(self, options, dataset_dir, decode, decrypt=None, **own):
        folder = folder_of(type(self).__name__, dataset_dir)
        self._take(self._listed(folder, **own), decode, decrypt, options)

    def _listed(self, folder):
        """A tuple for each row of the folder: a path for each image, and arrays.

        Arguments of the subclass's own follow by name.
        """
        raise NotImplementedError

    def _take(self, rows, decode, decrypt, options):
        """Keep the rows, and choose from them by the ``options`` of :class:`MappableDataset`.

        Args:
            rows: As ``_listed`` gives them.
            decode: True for pixels of shape (height, width, 3), False for the bytes of the images' files.
            decrypt: A function of a file's path that returns the image's bytes; None reads the file.
            options: Those after the number of rows.
        """
        name = type(self).__name__
        self.rows = rows
        self.decode = check_bool(name, "decode", bool(decode) if decode is None else decode)
        if decrypt is not None and not callable(decrypt):
            raise type_error(name, "the 'decrypt' must be a function or None", type(decrypt).__name__)
        self.decrypt = decrypt
        if not rows:
            raise value_error(name, "the folder must hold images that are to be read", "none")
        super().__init__(len(rows), *options)

    def _with_metadata(self, rows):
        """The rows with the images' names in one more column, which iterators leave out unless it is renamed."""
        self.names = [*self.names, "_meta-filename"]
        return [(*row, np.array(row[0].stem)) for row in rows]

    def _row(self, item):
        return tuple(self._image(part) if isinstance(part, os.PathLike) else part for part in self.rows[item])

    def _image(self, path):
        name = type(self).__name__
        try:
            content = self.decrypt(str(path)) if self.decrypt else path.read_bytes()
        except FileNotFoundError as error:
            raise value_error(name, f"the image '{path}' must be there", "no such file") from error
        return decoded(name, path, content) if self.decode else np.frombuffer(content, np.uint8)

    def _names(self):
        return self.names

    def _labels(self, column):
        """The values of a column, which must be one int in each row."""
        check_choice("PKSampler", "class_column", column, self.names)
        values = [row[self.names.index(column)] for row in self.rows]
        if not all(isinstance(value, np.ndarray) and not value.ndim and value.dtype.kind in "iu" for value in values):
            raise value_error("PKSampler", f"the column '{column}' must be one int for each row")
        return np.array(values)


def decoded(operation, path, content):
    """The pixels of an encoded image, (height, width, 3)."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise ImportError(f"For '{operation}', images need Pillow: pip install \"pillow>=9.1\".") from error
    try:
        return np.array(Image.open(io.BytesIO(content)).convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        what = f"'{os.path.basename(path)}' of {len(content)} bytes ({error})"
        raise value_error(operation, f"the file '{path}' must be a whole image", what) from error


def lines_of(operation, path):
    """The lines of a text file, without empty ones."""
    if not path.is_file():
        raise FileNotFoundError(f"For '{operation}', the file '{path}' must exist, but there is no such file.")
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError as error:
        raise value_error(operation, f"the file '{path}' must be UTF-8 text", str(error)) from error


def subfolder(operation, folder, name):
    """A folder within the data set's, which must be there."""
    if not (folder / name).is_dir():
        raise value_error(operation, f"the 'dataset_dir' must hold the folder '{name}'", f"'{folder}'")
    return folder / name


def files_in(folder):
    """The files of a folder in the order of their names."""
    return sorted(path for path in folder.iterdir() if path.is_file())


def folders_in(folder):
    """The folders within a folder in the order of their names."""
    return sorted(path for path in folder.iterdir() if path.is_dir())
