"""TFRecord files of examples: the places of their records, and a record's lists of values by name.

A record is its length (8 bytes), the masked CRC-32C of these, the data, and the data's checksum. The data is a message
``Example``: features by name, each a list of bytes, of 32-bit floats or of 64-bit ints.
"""

import io
import struct

import numpy as np

from minispore.data.serialization.protobuf import BYTES, FOUR_BYTES, NUMBER, fields, packed_numbers

__all__ = []

_HEAD, _TAIL = struct.calcsize("<QI"), struct.calcsize("<I")
_OF_BYTES, _OF_FLOATS = 1, 2
_LISTS = {_OF_BYTES: BYTES, _OF_FLOATS: BYTES, 3: BYTES}


def _crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0x82F63B78, table >> 1)
    return table.tolist()


_TABLE = _crc_table()


def masked_crc(data):
    """The CRC-32C of bytes, rotated by 15 bits, plus a constant."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records_of(file):
    """Yield where the data of each record of a file begins and ends; ValueError unless it consists of whole records.

    The checksum of each length is compared; the data's checksum is not read; MindSpore does not read it either.
    """
    size, start = file.seek(0, io.SEEK_END), 0
    while start < size:
        file.seek(start)
        head = file.read(_HEAD)
        if len(head) < _HEAD:
            raise ValueError(f"consist of whole records, but the one at byte {start} is cut off")
        length, crc = struct.unpack("<QI", head)
        if masked_crc(head[:8]) != crc:
            raise ValueError(f"consist of records, but there is none at byte {start}: its checksum differs")
        end = start + _HEAD + length
        if end + _TAIL > size:
            raise ValueError(f"consist of whole records, but the one at byte {start} is cut off")
        yield start + _HEAD, end
        start = end + _TAIL


def example_of(data):
    """The features of an example by name: a list of bytes, or an array of float32 or int64; or ValueError.

    A feature without a kind of values is None.
    """
    found = {}
    file = io.BytesIO(data)
    for _, features in fields(file, 0, len(data), {1: BYTES}):
        for _, entry in fields(file, *features, {1: BYTES}):
            name, feature = "", None
            for number, (start, end) in fields(file, *entry, {1: BYTES, 2: BYTES}):
                if number == 1:
                    name = data[start:end].decode()
                else:
                    feature = _feature(file, data, start, end)
            found[name] = feature
    return found


def _feature(file, data, start, end):
    values = None
    for kind, span in fields(file, start, end, _LISTS):
        read = {_OF_BYTES: _bytes, _OF_FLOATS: _floats}.get(kind, _ints)
        values = read(file, data, *span)
    return values


def _bytes(file, data, start, end):
    return [data[low:high] for _, (low, high) in fields(file, start, end, {1: BYTES})]


def _floats(file, data, start, end):
    """Floats, each a field of its own or all in one."""
    parts = [data[low:high] for _, (low, high) in fields(file, start, end, {1: (BYTES, FOUR_BYTES)})]
    if any(len(part) % 4 for part in parts):
        raise ValueError("hold floats of four bytes each, but it ends within one")
    return np.frombuffer(b"".join(parts), "<f4")


def _ints(file, data, start, end):
    """Ints, each a field of its own or all in one; 64 bits in two's complement."""
    found = [value for _, value in fields(file, start, end, {1: (BYTES, NUMBER)})]
    parts = [packed_numbers(data[slice(*v)]) if isinstance(v, tuple) else [v & 2**64 - 1] for v in found]
    return np.concatenate([np.array(part, np.uint64) for part in parts] or [np.zeros(0, np.uint64)]).view(np.int64)
