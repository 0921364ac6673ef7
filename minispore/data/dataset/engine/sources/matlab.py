"""Matlab's files (level 5): the arrays of numbers that they hold, by their names.

A file is a head of 128 bytes and elements, each a kind, a length, the data and what fills it up to eight bytes. An
array is an element of elements: its class, its lengths, its name and its numbers; it may be compressed by zlib.
Format: https://www.mathworks.com/help/pdf_doc/matlab/matfile_format.pdf
"""

import struct
import zlib

import numpy as np

__all__ = ["matlab_arrays"]

_KINDS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_ARRAY, _COMPRESSED = 14, 15
_ALWAYS, _TIMES = 2**25, 64  # bytes that a file's arrays may have together when decompressed, or times the file's own


def matlab_arrays(content):
    """The arrays of numbers in the bytes of a file; ValueError if they are of another format or cut off."""
    if len(content) < 128 or content[126:128] not in (b"IM", b"MI"):
        raise ValueError("it does not begin with the head of a Matlab file")
    order, found = "<" if content[126:128] == b"IM" else ">", {}
    most = left = max(_ALWAYS, _TIMES * len(content))
    try:
        for kind, data in _elements(content[128:], order):
            if kind == _COMPRESSED:
                data = zlib.decompressobj().decompress(data, left + 1)
                if len(data) > left:
                    raise ValueError(f"{len(content)} bytes decompress to more than {most}")
                left -= len(data)
                ((kind, data),) = _elements(data, order)
            if kind == _ARRAY:
                found |= _array(data, order)
    except (zlib.error, struct.error) as error:
        raise ValueError(f"an array is broken: {error}") from error
    return found


def _elements(data, order):
    """The kind and the data of each element; one of at most four bytes has them within its head."""
    start = 0
    while start + 8 <= len(data):
        kind, length = struct.unpack_from(f"{order}II", data, start)
        small = kind >> 16
        first = start + (4 if small else 8)
        kind, length = (kind & 0xFFFF, small) if small else (kind, length)
        if first + length > len(data):
            raise ValueError(f"an element of {length} bytes is cut off")
        yield kind, data[first : first + length]
        start = start + 8 if small else first + length + (-length % 8 if kind != _COMPRESSED else 0)


def _array(data, order):
    """An array by its name; None if it does not hold numbers."""
    parts = [part for _, part in zip(range(4), _elements(data, order), strict=False)]
    if len(parts) < 4:
        raise ValueError("an array lacks its class, lengths, name or numbers")
    (_, flags), (_, lengths), (_, name), (kind, numbers) = parts
    dtype = _CLASSES.get(struct.unpack_from(f"{order}I", flags)[0] & 0xFF)
    if dtype is None or kind not in _KINDS:
        return {}
    shape = np.frombuffer(lengths, f"{order}i4")
    values = np.frombuffer(numbers, np.dtype(_KINDS[kind]).newbyteorder(order))
    return {name.decode("latin-1"): values.reshape(shape.tolist(), order="F").astype(dtype)}
