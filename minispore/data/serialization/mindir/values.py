"""Values in MINDIR's messages: numbers, texts, tuples, Tensors and data types, written and read.

The format was learned from files that MindSpore 2.0.0 wrote. A value is a message with its kind (field 16):

==========  =====================================================================================
kind        content
==========  =====================================================================================
1           float: field 2, within a tuple field 8; 32 bits
7           int: field 3, within a tuple field 10; 64 bits, two's complement
8           text: field 5, within a tuple field 11
9           bool: as an int
19          Tensor (field 12); a data type is a Tensor without lengths and content
20, 21      tuple, list: their values (field 17)
23, 25      a mark of order, which nothing computes with; None
==========  =====================================================================================

A Tensor has its lengths (field 1, one each), type (2), name (7) and content (9), little-endian.
"""

import math
import struct

import numpy as np

from minispore.core.data_type import DType, from_numpy
from minispore.data.serialization.protobuf import (
    BYTES,
    FOUR_BYTES,
    NUMBER,
    bytes_field,
    float_field,
    message,
    number_field,
)

__all__ = []

_NAME, _KIND = 1, 16
_FLOAT, _INT, _TEXT, _BOOL, _TENSOR, _TUPLE, _LIST, _ORDER, _NONE = 1, 7, 8, 9, 19, 20, 21, 23, 25
_SINGLE = {_FLOAT: 2, _INT: 3, _BOOL: 3, _TEXT: 5, _TENSOR: 12}  # kind -> the field of its content
_INSIDE = {_FLOAT: 8, _INT: 10, _BOOL: 10, _TEXT: 11, _TENSOR: 12}  # the same within a tuple
_PARTS = 17
_ENDS = 18  # after the values of a tuple in a description of shapes
_DEEPEST = 50

LENGTH, TYPE, TENSOR_NAME, CONTENT, PARAMETER_NAME = 1, 2, 7, 9, 13
TENSOR_FIELDS = {LENGTH: NUMBER, TYPE: NUMBER, TENSOR_NAME: BYTES, CONTENT: BYTES, PARAMETER_NAME: BYTES, 16: NUMBER}
_VALUE_FIELDS = {_NAME: BYTES, 2: FOUR_BYTES, 3: NUMBER, 5: BYTES, 8: FOUR_BYTES, 10: NUMBER, 11: BYTES, 12: BYTES}
_VALUE_FIELDS |= {_KIND: NUMBER, _PARTS: BYTES, _ENDS: BYTES}

_BY_NUMBER = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool"}
_BY_NUMBER |= {10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128"}
DTYPES = {number: np.dtype(name) for number, name in _BY_NUMBER.items()}
_NUMBERS = {dtype: number for number, dtype in DTYPES.items()}


class Order:
    """MindSpore's mark of the order of effects (a monad): it is handed on, and nothing is computed with it."""


ORDER = Order()


class NotSaidError(Exception):
    """The reason why MINDIR cannot express a value; the text continues a sentence."""


# Writing


def tensor_message(array, name="value0", parameter=None):
    """A NumPy array as a message; a Parameter's has its own name too."""
    content = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    message = shape_message(array.shape, array.dtype) + bytes_field(TENSOR_NAME, name.encode())
    message += bytes_field(CONTENT, content)
    if parameter is None:
        return message
    return message + bytes_field(PARAMETER_NAME, parameter.encode()) + number_field(16, 0)


def shape_message(shape, dtype):
    """The lengths and the type of a Tensor as a message."""
    lengths = b"".join(number_field(LENGTH, length) for length in shape)
    return lengths + number_field(TYPE, dtype_number(dtype))


def dtype_number(dtype):
    """MINDIR's number of a data type.

    Raises:
        NotSaidError: If it has none.
    """
    if np.dtype(dtype) not in _NUMBERS:
        raise NotSaidError(f"it has the data type {np.dtype(dtype)}")
    return _NUMBERS[np.dtype(dtype)]


def value_message(value, name=None):
    """A Python value, NumPy array, data type or :data:`ORDER` as a message.

    Raises:
        NotSaidError: If MINDIR has no such value.
    """
    named = bytes_field(_NAME, name.encode()) if name is not None else b""
    kind, content = _written(value, _SINGLE if name is not None else _INSIDE)
    return named + content + number_field(_KIND, kind)


def _written(value, places):
    """The kind of a value, and its content as fields."""
    if value is None or value is ORDER:
        return (_NONE if value is None else _ORDER), b""
    if isinstance(value, (tuple, list)):
        kind = _TUPLE if isinstance(value, tuple) else _LIST
        return kind, b"".join(bytes_field(_PARTS, value_message(part)) for part in value)
    if isinstance(value, np.ndarray):
        return _TENSOR, bytes_field(places[_TENSOR], tensor_message(value))
    if isinstance(value, (np.dtype, DType)):
        dtype = value if isinstance(value, np.dtype) else value.np
        message = number_field(TYPE, dtype_number(dtype)) + bytes_field(TENSOR_NAME, b"value0")
        return _TENSOR, bytes_field(places[_TENSOR], message)
    return _written_number(value, places)


def _written_number(value, places):
    if isinstance(value, (bool, np.bool_)):
        return _BOOL, number_field(places[_BOOL], int(value))
    if isinstance(value, (int, np.integer)):
        if not -(2**63) <= value < 2**63:
            raise NotSaidError("it has an int of more than 64 bits")
        return _INT, number_field(places[_INT], int(value) % 2**64)
    if isinstance(value, (float, np.floating)):
        return _FLOAT, float_field(places[_FLOAT], value)
    if isinstance(value, str):
        return _TEXT, bytes_field(places[_TEXT], value.encode())
    raise NotSaidError(f"it has an argument of type '{type(value).__name__}'")


# Reading


def shape_of(data):
    """The lengths and the type of a Tensor's message; ValueError for another message."""
    found = message(data, TENSOR_FIELDS)
    return tuple(found[LENGTH]), _dtype_of(found)


def _dtype_of(found):
    kinds = found[TYPE]
    if len(kinds) != 1 or kinds[0] not in DTYPES:
        raise ValueError(f"hold Tensors of one type among {sorted(DTYPES)}, but got the types {kinds!s:.40}")
    return DTYPES[kinds[0]]


def tensor_of(data):
    """The array of a Tensor's message and the Tensor's name, or its data type alone; ValueError for another message."""
    found = message(data, TENSOR_FIELDS)
    dtype, shape, contents = _dtype_of(found), tuple(found[LENGTH]), found[CONTENT]
    name = text_of(b"".join(found[PARAMETER_NAME][:1] or found[TENSOR_NAME][:1]))
    if not contents and not shape:
        return from_numpy(dtype), name
    content = b"".join(contents)
    if math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError(f"hold the content of shape {shape!s:.40} and {dtype}, but got {len(content)} bytes")
    try:
        return np.frombuffer(content, dtype.newbyteorder("<")).astype(dtype).reshape(shape), name
    except ValueError as error:  # more or longer axes than NumPy supports
        raise ValueError(f"hold arrays that NumPy can, but got shape {shape!s:.40}") from error


def value_of(data, left=_DEEPEST):
    """The name and the value of a message; ValueError for another message."""
    found = message(data, _VALUE_FIELDS)
    kind = found[_KIND][-1] if found[_KIND] else None
    name = text_of(b"".join(found[_NAME][:1]))
    if kind in (_ORDER, _NONE):
        return name, ORDER if kind == _ORDER else None
    if kind in (_TUPLE, _LIST):
        if not left:
            raise ValueError(f"hold tuples at most {_DEEPEST} deep inside one another, but got a deeper one")
        parts = [value_of(part, left - 1)[1] for part in found[_PARTS]]
        return name, tuple(parts) if kind == _TUPLE else parts
    if kind not in _SINGLE:
        raise ValueError(f"hold values of the kinds {sorted({*_SINGLE, _TUPLE, _LIST, _ORDER, _NONE})}, but got {kind}")
    contents = found[_SINGLE[kind]] + (found[_INSIDE[kind]] if _INSIDE[kind] != _SINGLE[kind] else [])
    if len(contents) != 1:
        raise ValueError(f"hold one content in a value of kind {kind}, but got {len(contents)}")
    return name, _read(kind, contents[0])


def _read(kind, content):
    if kind == _TENSOR:
        return tensor_of(content)[0]
    if kind == _TEXT:
        return text_of(content)
    if kind == _FLOAT:
        return struct.unpack("<f", content)[0]
    return bool(content) if kind == _BOOL else (content + 2**63) % 2**64 - 2**63


def text_of(data):
    """Bytes as text; ValueError unless they are Unicode."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"hold names and texts in Unicode, but got {data[:40]!r}") from error
