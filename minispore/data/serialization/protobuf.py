"""Protobuf's wire format: a message is a sequence of fields, each a key (number and kind) and a number or bytes.

Source: https://protobuf.dev/programming-guides/encoding
"""

import io
import struct

import numpy as np

__all__ = ["BYTES", "FOUR_BYTES", "NUMBER", "bytes_field", "bytes_key", "fields", "float_field", "message"]
__all__ += ["number_field", "packed_numbers"]

NUMBER, BYTES, FOUR_BYTES = 0, 2, 5  # the kinds of fields: varint, length-delimited, 32 bits


def number_field(number, value):
    """A field that holds a number of at least 0."""
    return _varint(number << 3 | NUMBER) + _varint(value)


def bytes_field(number, data):
    """A field that holds bytes."""
    return bytes_key(number, len(data)) + data


def bytes_key(number, length):
    """The key before the bytes of a field."""
    return _varint(number << 3 | BYTES) + _varint(length)


def float_field(number, value):
    """A field that holds a number with a fraction, in 32 bits."""
    return _varint(number << 3 | FOUR_BYTES) + struct.pack("<f", value)


def _varint(number):
    """A number in groups of seven bits, the lowest first, each but the last with the eighth bit set."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def fields(file, start, end, kinds):
    """Yield each field of the message between two offsets of a file: its number, and its value or where its bytes are.

    ``kinds`` has the kind of each field that the message may have, or a tuple of kinds, by number. ValueError if the
    message is cut off, or has a field of another number or kind.
    """
    while start < end:
        file.seek(start)
        key = _read_varint(file, end)
        number, kind = key >> 3, key & 7
        allowed = kinds.get(number)
        if kind != allowed and not (isinstance(allowed, tuple) and kind in allowed):
            raise ValueError(f"hold fields of its format, but got number {number} of kind {kind}")
        value = 4 if kind == FOUR_BYTES else _read_varint(file, end)
        start = file.tell()
        if kind != NUMBER:
            if value > end - start:
                raise ValueError(f"be complete, but got {end - start} of {value} bytes")
            start, value = start + value, (start, start + value)
        yield number, value


def message(data, kinds):
    """The fields of a message as a dict: for each number in ``kinds`` the list of its values, bytes as bytes.

    ValueError as of :func:`fields`, which tells what ``kinds`` is.
    """
    found = {number: [] for number in kinds}
    for number, value in fields(io.BytesIO(data), 0, len(data), kinds):
        found[number].append(data[slice(*value)] if isinstance(value, tuple) else value)
    return found


def packed_numbers(data):
    """The numbers of a packed field, as uint64; ValueError if it is cut off."""
    groups = np.frombuffer(data, np.uint8)
    lasts = np.flatnonzero(groups < 128)
    if not len(groups):
        return np.zeros(0, np.uint64)
    if not len(lasts) or lasts[-1] != len(groups) - 1:
        raise ValueError("be complete, but it ends within a number")
    starts = np.concatenate([[0], lasts[:-1] + 1])
    places = np.arange(len(groups)) - np.repeat(starts, lasts - starts + 1)
    if places.max() >= 10:
        raise ValueError("hold numbers of at most ten bytes, but got a longer one")
    return np.add.reduceat((groups & 127).astype(np.uint64) << (7 * places).astype(np.uint64), starts)


def _read_varint(file, end):
    number = 0
    for shift in range(0, 70, 7):
        byte = file.read(1) if file.tell() < end else b""
        if not byte:
            raise ValueError("be complete, but it ends within a number")
        number |= (byte[0] & 127) << shift
        if byte[0] < 128:
            return number
    raise ValueError("hold numbers of at most ten bytes, but got a longer one")
