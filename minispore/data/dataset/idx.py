"""The idx file format of MNIST: a magic number, the dimensions, and big-endian data; gzip or not.

The layout is ``00 00 kind rank``, then ``rank`` dimensions of four bytes each, then the values in C order.
Format: http://yann.lecun.com/exdb/mnist/
"""

from __future__ import annotations

import gzip
import math
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from minispore.core.errors import shown, type_error

__all__ = ["read_idx"]

_GZIP = b"\x1f\x8b"
_KINDS = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
_CHUNK = 1 << 20


def _refuse(path, expected, got):
    return ValueError(f"For 'read_idx', the file '{path}' must {expected}, but got {got}.")


def _opened(path):
    """The file, opened for reading its content; a compressed one is decompressed piece by piece."""
    if not path.is_file():
        raise FileNotFoundError(f"For 'read_idx', the file '{path}' must exist, but there is no such file.")
    with open(path, "rb") as file:
        compressed = file.read(2) == _GZIP
    return gzip.open(path) if compressed else open(path, "rb")


def _take(path, file, most):
    """The next ``most`` bytes, or fewer at the end; memory is allocated for the bytes read, not for ``most``."""
    taken = bytearray()
    try:
        while chunk := file.read(min(_CHUNK, most - len(taken))):
            taken += chunk
    except (EOFError, OSError, zlib.error) as error:
        size = path.stat().st_size
        raise _refuse(path, "be a whole gzip file", f"{size} bytes that do not decompress ({error})") from error
    return taken


def _read_header(path, file):
    """The element type and the shape in the header."""
    start = _take(path, file, 4)
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in _KINDS or start[3] == 0:
        got = f"{path.stat().st_size} bytes that start with {start.hex(' ') or 'nothing'}"
        raise _refuse(path, "be an idx file, which starts with 00 00, a type and a rank", got)
    lengths = _take(path, file, 4 * start[3])
    if len(lengths) < 4 * start[3]:
        raise _refuse(path, f"have an idx header of {4 + 4 * start[3]} bytes", f"{4 + len(lengths)} bytes in all")
    return np.dtype(_KINDS[start[2]]), tuple(np.frombuffer(lengths, ">u4").tolist())


def read_idx(path) -> Any:
    """The array in an idx file, in native byte order.

    No more is read or decompressed than the header announces, and one byte to detect excess data.

    Args:
        path: The file, plain or compressed with gzip (recognized by its content, not by its name).

    Raises:
        TypeError: If ``path`` is no path.
        FileNotFoundError: If there is no such file.
        ValueError: If the file is not an idx file, or holds fewer or more bytes than its header announces. Also if it
            holds an array of more or longer axes than NumPy supports.

    Examples:
        >>> import os
        >>> from minispore import dataset
        >>> file = os.path.join(dataset.embedded_fashion_mnist_dir(), "t10k-labels-idx1-ubyte.gz")
        >>> print(dataset.read_idx(file)[:5])
        [9 2 1 1 6]
    """
    if not isinstance(path, (str, os.PathLike)):
        raise type_error("read_idx", "the 'path' must be a str or a path", shown(path))
    path = Path(path)
    with _opened(path) as file:
        kind, shape = _read_header(path, file)
        size = math.prod(shape) * kind.itemsize
        data = _take(path, file, size + 1)
    if len(data) != size:
        start = 4 + 4 * len(shape)
        got = f"{start + len(data)} bytes{' or more' if len(data) > size else ''}"
        raise _refuse(path, f"hold {start + size} bytes, as its header of shape {shape} says", got)
    try:
        return np.frombuffer(data, kind).reshape(shape).astype(kind.newbyteorder("="), copy=False)
    except ValueError as error:
        raise _refuse(path, f"hold an array that NumPy can ({error})", f"shape {shape}") from error
