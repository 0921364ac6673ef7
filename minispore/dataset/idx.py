"""The idx file format of MNIST: a magic number, the dimensions, and big-endian data; gzip or not.

The layout is ``00 00 kind rank``, then ``rank`` dimensions of four bytes each, then the values in C order.
Format: http://yann.lecun.com/exdb/mnist/
"""

import gzip
import math
import zlib
from pathlib import Path

import numpy as np

__all__ = ["read_idx"]

_GZIP = b"\x1f\x8b"
_KINDS = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def _refuse(path, expected, got):
    return ValueError(f"For 'read_idx', the file '{path}' must {expected}, but got {got}.")


def _read_bytes(path):
    if not path.is_file():
        raise FileNotFoundError(f"For 'read_idx', the file '{path}' must exist, but there is no such file.")
    data = path.read_bytes()
    if data[:2] != _GZIP:
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise _refuse(path, "be a whole gzip file", f"{len(data)} bytes that do not decompress ({error})") from error


def _read_header(path, data):
    """The element type and the shape that the first bytes announce, and how many bytes the header takes."""
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] not in _KINDS or data[3] == 0:
        start = data[:4].hex(" ") or "nothing"
        raise _refuse(
            path,
            "be an idx file, which starts with 00 00, a type and a rank",
            f"{len(data)} bytes that start with {start}",
        )
    end = 4 + 4 * data[3]
    if len(data) < end:
        raise _refuse(path, f"have an idx header of {end} bytes", f"{len(data)} bytes in all")
    return np.dtype(_KINDS[data[2]]), tuple(np.frombuffer(data, ">u4", data[3], 4).tolist()), end


def read_idx(path):
    """The array that an idx file holds, in the machine's byte order.

    Args:
        path: The file, plain or compressed with gzip (told by its content, not by its name).

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is no idx file, or holds fewer or more bytes than its header announces.
    """
    path = Path(path)
    data = _read_bytes(path)
    kind, shape, start = _read_header(path, data)
    expected = start + math.prod(shape) * kind.itemsize
    if len(data) != expected:
        raise _refuse(path, f"hold {expected} bytes, as its header of shape {shape} says", f"{len(data)} bytes")
    return np.frombuffer(data, kind, offset=start).reshape(shape).astype(kind.newbyteorder("="))
