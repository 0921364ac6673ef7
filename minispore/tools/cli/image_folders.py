"""Images in one folder per class: read with Pillow, all of one size, grey or in color."""

import importlib

import numpy as np

from minispore.core.errors import value_error

__all__ = ["INSTALL", "has_class_folders", "read_class_folders"]

INSTALL = 'pip install "pillow>=9.1"'
_SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp"}
_TESTED = 6  # every sixth image of a class is for testing, if there are no folders `train` and `test`


def _folders_in(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _images_in(folder):
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)


def has_class_folders(folder):
    """True for a folder laid out as ``CLASS/IMAGE``, or as ``train/CLASS/IMAGE`` and ``test/CLASS/IMAGE``."""
    if not folder.is_dir():
        return False
    inner = _folders_in(folder)
    return any(_images_in(part) or any(map(_images_in, _folders_in(part))) for part in inner)


def read_class_folders(folder, side, color=False):
    """The images, uint8 (n, height, width, channels), and class numbers: the training ones, then the test ones.

    ``side`` is a number of pixels, or the pair of height and width. A class's number is the index of its folder's name
    among all names, sorted. Without folders ``train`` and ``test``, every sixth image of each class is for testing.

    Raises:
        ValueError: If Pillow is missing, a file is not an image, or the folders of ``train`` and ``test`` differ.
    """
    size = side if isinstance(side, tuple) else (side, side)
    if (folder / "train").is_dir() and (folder / "test").is_dir():
        parts = [{path.name: _images_in(path) for path in _folders_in(folder / part)} for part in ("train", "test")]
        if parts[0].keys() != parts[1].keys():
            expected = f"'{folder}' must hold the same classes in 'train' and 'test'"
            raise value_error("train", expected, " and ".join(str(sorted(part)) for part in parts))
    else:
        found = {path.name: _images_in(path) for path in _folders_in(folder)}
        tested = {name: paths[_TESTED - 1 :: _TESTED] for name, paths in found.items()}
        parts = [{name: [p for p in paths if p not in tested[name]] for name, paths in found.items()}, tested]
    return tuple(_read(part, size, color) for part in parts)


def _read(classes, size, color):
    labelled = [(path, number) for number, paths in enumerate(classes.values()) for path in paths]
    images = np.zeros((len(labelled), *size, 3 if color else 1), np.uint8)
    for i, (path, _) in enumerate(labelled):
        images[i] = _pixels(path, size, color)
    return images, np.array([number for _, number in labelled], np.uint32)


def _pixels(path, size, color):
    """The pixels of an image, (height, width, channels)."""
    try:
        pillow = importlib.import_module("PIL.Image")
    except ImportError as error:
        raise value_error("train", f"reading images such as '{path}' needs Pillow: {INSTALL}") from error
    try:
        with pillow.open(path) as image:
            pixels = np.asarray(image.convert("RGB" if color else "L").resize(size[::-1]))
    except (OSError, ValueError, pillow.DecompressionBombError) as error:
        raise value_error("train", f"the file '{path}' must be an image", str(error)) from error
    return pixels.reshape(*size, -1)
