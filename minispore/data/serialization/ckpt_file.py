"""MindSpore's checkpoint files: arrays and texts as protobuf messages.

A file is a sequence of values, each a name and a tensor. The format was learned from files that MindSpore 2.0.0 and
2.7.0 wrote:

=====================  ===================================================================================
value (field 1)        name (field 1), tensor (2)
tensor                 lengths of the axes (field 1, one each), type (2), content (3), little-endian
0-d                    the one length 0, or none
text                   type ``str``, length 0, content in UTF-32
more than 512 MB       several values of the same name, lengths and type; their contents follow one another
checksum, may be none  ``crc_num`` and the CRC-32 of all before, in ten bytes, big-endian, ends the file
=====================  ===================================================================================

``write`` and ``read`` are inverse to one another on dicts of arrays and texts, including order, dtypes and shapes.
Arrays are written and read one by one, so that neither needs memory for the whole file.
"""

import math
import os
import zlib

import ml_dtypes
import numpy as np

from minispore.core.dtype import STORED
from minispore.core.errors import type_error, value_error
from minispore.data.atomic_file import replace_file
from minispore.data.serialization.protobuf import BYTES, NUMBER, bytes_field, bytes_key, fields, number_field

__all__ = ["is_start", "read", "write"]

_VALUE, _NAME, _TENSOR = 1, 1, 2
_LENGTH, _TYPE, _CONTENT = 1, 2, 3
_DTYPES = {"Bool": np.dtype(np.bool_), "BFloat16": np.dtype(ml_dtypes.bfloat16)}
_DTYPES |= {f"{kind}{bits}": np.dtype(f"{kind.lower()}{bits}") for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)}
_DTYPES |= {f"Float{bits}": np.dtype(f"float{bits}") for bits in (16, 32, 64)}
_DTYPES |= {str(stored): stored.np for stored in STORED.values()}
_TYPES = {dtype: name for name, dtype in _DTYPES.items()}
_TEXT = "str"
_PIECE = 512 << 20  # the longest content of one value, in bytes; a protobuf message holds at most 2 GB
_CHECKSUM = b"crc_num"


def write(path, arrays, texts):
    """Write ``arrays``, NumPy arrays by name, and ``texts``, text by name, to the file ``path``.

    Raises:
        TypeError: If the format has no such dtype.
        ValueError: If a name or a text is not Unicode.
        OSError: If the file cannot be written; an existing one is then unchanged.
    """
    values = [_value(name, *piece) for name, array in arrays.items() for piece in _pieces(name, array)]
    values += [_value(name, (0,), _TEXT, _encoded(text, "utf-32-le")) for name, text in texts.items()]

    def write_to(file):
        for head, content in values:
            file.write(head)
            file.write(content)

    replace_file(path, write_to)


def _pieces(name, array):
    """The shape, the type and the content of each value that holds a part of an array."""
    if array.dtype not in _TYPES:
        expected = f"the dtype of '{name}' must be one of {sorted((kind.names or [kind.name])[0] for kind in _TYPES)}"
        raise type_error("save_checkpoint", expected, array.dtype)
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for start in range(0, max(len(content), 1), _PIECE):
        yield array.shape or (0,), _TYPES[array.dtype], content[start : start + _PIECE]


def _value(name, shape, kind, content):
    """The bytes of a value before its content, and the content."""
    lengths = b"".join(number_field(_LENGTH, length) for length in shape)
    tensor = lengths + bytes_field(_TYPE, kind.encode()) + bytes_key(_CONTENT, len(content))
    value = bytes_field(_NAME, _encoded(name, "utf-8")) + bytes_key(_TENSOR, len(tensor) + len(content)) + tensor
    return bytes_key(_VALUE, len(value) + len(content)) + value, content


def _encoded(text, encoding):
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise value_error("save_checkpoint", "names and texts must be Unicode", repr(text[error.start])) from error


def is_start(start):
    """True if a file begins as this format does: with the key of a value."""
    return start.startswith(bytes_key(_VALUE, 0)[:1])


def read(path):
    """The arrays and the texts of a file, in the order of writing.

    Raises:
        ValueError: If the file is not a complete checkpoint; the message names the expected and the found.
    """
    with open(path, "rb") as file:
        found = {}
        for name, shape, kind, place in _values(file, _checked_end(file)):
            pieces = found.setdefault(name, (shape, kind, []))
            if pieces[:2] != (shape, kind):
                raise ValueError(f"hold one value for a name, but got several for '{name:.40}'")
            pieces[2].append(place)
        arrays = {name: _array(file, name, *pieces) for name, pieces in found.items() if pieces[1] != _TEXT}
        texts = {name: _text(file, name, *pieces) for name, pieces in found.items() if pieces[1] == _TEXT}
        return arrays, texts


def _checked_end(file):
    """The end of the values: the file's end, or the place before its checksum, which must be right."""
    size = file.seek(0, os.SEEK_END)
    end = max(size - len(_CHECKSUM) - 10, 0)
    file.seek(end)
    tail = file.read()
    if not tail.startswith(_CHECKSUM):
        return size
    noted, found = int.from_bytes(tail[len(_CHECKSUM) :], "big"), _crc32(file, end)
    if noted != found:
        raise ValueError(f"be unchanged since it was written with the checksum {noted}, but got {found}")
    return end


def _crc32(file, end):
    file.seek(0)
    crc = 0
    for start in range(0, end, 1 << 20):
        crc = zlib.crc32(file.read(min(1 << 20, end - start)), crc)
    return crc


def _values(file, end):
    """Yield the name, the shape, the type and the place of the content of each value."""
    for _, value in fields(file, 0, end, {_VALUE: BYTES}):
        parts = _single(fields(file, *value, {_NAME: BYTES, _TENSOR: BYTES}), 2)
        tensor = list(fields(file, *parts[_TENSOR], {_LENGTH: NUMBER, _TYPE: BYTES, _CONTENT: BYTES}))
        shape = tuple(length for number, length in tensor if number == _LENGTH)
        rest = _single((field for field in tensor if field[0] != _LENGTH), 2)
        yield _decoded(file, parts[_NAME], "utf-8"), shape, _decoded(file, rest[_TYPE], "utf-8"), rest[_CONTENT]


def _single(fields, count):
    """The fields as a dict; raises unless it has ``count`` fields, none of them twice."""
    fields = list(fields)
    if len(fields) != count or len(dict(fields)) != count:
        raise ValueError(f"hold each field of a value once, but got the fields {[number for number, _ in fields]}")
    return dict(fields)


def _decoded(file, place, encoding):
    start, end = place
    file.seek(start)
    data = file.read(end - start)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(f"hold names and texts in Unicode, but got {data[:40]!r}") from error


def _text(file, name, shape, kind, places):
    if len(places) > 1:
        raise ValueError(f"hold one value for a name, but got several for '{name:.40}'")
    return _decoded(file, places[0], "utf-32-le")


def _array(file, name, shape, kind, places):
    """One array from the places of its pieces."""
    if kind not in _DTYPES:
        raise ValueError(f"hold dtypes among {sorted(_DTYPES)}, but got '{kind:.40}' for '{name:.40}'")
    dtype, length = _DTYPES[kind], sum(end - start for start, end in places)
    if shape == (0,) and length:
        shape = ()
    if math.prod(shape) * dtype.itemsize != length:
        raise ValueError(f"hold the content of '{name:.40}', of shape {shape!s:.40} and {kind}, but got {length} bytes")
    array, filled = np.empty(length // dtype.itemsize, dtype), 0
    for start, end in places:
        file.seek(start)
        filled += file.readinto(array.view(np.uint8)[filled : filled + end - start])
    try:
        return array.reshape(shape)
    except ValueError as error:  # more or longer axes than NumPy supports
        raise ValueError(f"hold arrays that NumPy can, but got shape {shape!s:.40} for '{name:.40}'") from error
