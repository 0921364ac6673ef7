"""Images in one folder per class: read with Pillow, as grey images of 28x28 pixels."""

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


def read_class_folders(folder, side):
    """The images, uint8 (n, side, side), and class numbers of ``folder``: the training ones, then the test ones.

    A class's number is the index of its folder's name among all names, sorted. Without folders ``train`` and ``test``,
    every sixth image of each class is for testing.

    Raises:
        ValueError: If Pillow is missing, a file is not an image, or the folders of ``train`` and ``test`` differ.
    """
    if (folder / "train").is_dir() and (folder / "test").is_dir():
        parts = [{path.name: _images_in(path) for path in _folders_in(folder / part)} for part in ("train", "test")]
        if parts[0].keys() != parts[1].keys():
            expected = f"'{folder}' must hold the same classes in 'train' and 'test'"
            raise value_error("train", expected, " and ".join(str(sorted(part)) for part in parts))
    else:
        found = {path.name: _images_in(path) for path in _folders_in(folder)}
        tested = {name: paths[_TESTED - 1 :: _TESTED] for name, paths in found.items()}
        parts = [{name: [p for p in paths if p not in tested[name]] for name, paths in found.items()}, tested]
    return tuple(_read(part, side) for part in parts)


def _read(classes, side):
    labelled = [(path, number) for number, paths in enumerate(classes.values()) for path in paths]
    images = np.zeros((len(labelled), side, side), np.uint8)
    for i, (path, _) in enumerate(labelled):
        images[i] = _pixels(path, side)
    return images, np.array([number for _, number in labelled], np.uint32)


def _pixels(path, side):
    try:
        pillow = importlib.import_module("PIL.Image")
    except ImportError as error:
        raise value_error("train", f"reading images such as '{path}' needs Pillow: {INSTALL}") from error
    try:
        with pillow.open(path) as image:
            return np.asarray(image.convert("L").resize((side, side)))
    except (OSError, ValueError, pillow.DecompressionBombError) as error:
        raise value_error("train", f"the file '{path}' must be an image", str(error)) from error
