"""Event files, as TensorBoard reads them: records of a length, checksums and a protobuf message ``Event``.

Sources: https://www.tensorflow.org/tutorials/load_data/tfrecord and https://www.rfc-editor.org/rfc/rfc3720 (CRC32C).
"""

import struct
import time
import weakref
import zlib

import numpy as np

from minispore.serialization.protobuf import bytes_field, number_field

__all__ = ["EventFile", "histogram", "image", "png", "scalar", "tensor"]

_POLYNOMIAL = 0x82F63B78
_FIRST = "brain.Event:2"  # the version, which begins every file
# TensorFlow's numbers of dtypes
_DTYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "int64": 9, "bool": 10}
_DTYPES |= {"uint16": 17, "float16": 19, "uint32": 22, "uint64": 23}


def _table():
    table = list(range(256))
    for _ in range(8):
        table = [(n >> 1) ^ (_POLYNOMIAL if n & 1 else 0) for n in table]
    return table


_TABLE = _table()


def _checksum(data):
    """The CRC32C of ``data``, masked as these files hold it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def _double(number, value):
    return bytes([number << 3 | 1]) + struct.pack("<d", value)


def _float(number, value):
    return bytes([number << 3 | 5]) + struct.pack("<f", value)


def _value(tag, content, plugin=None):
    """A summary's value, of the plug-in of TensorBoard that shows it."""
    metadata = bytes_field(9, bytes_field(1, bytes_field(1, plugin.encode()))) if plugin else b""
    return bytes_field(1, bytes_field(1, tag.encode()) + metadata + content)


def scalar(tag, number):
    """A number."""
    return _value(tag, _float(2, number))


def tensor(tag, array):
    """An array, as a TensorProto."""
    array = np.asarray(array)
    array = array if str(array.dtype) in _DTYPES else array.astype(np.float32)  # bfloat16 has no NumPy type to read it
    shape = b"".join(bytes_field(2, number_field(1, n)) for n in array.shape)
    content = number_field(1, _DTYPES[str(array.dtype)]) + bytes_field(2, shape)
    return _value(tag, bytes_field(8, content + bytes_field(4, np.ascontiguousarray(array).tobytes())), "tensor")


def histogram(tag, array):
    """The numbers of finite elements in thirty equal intervals."""
    wide = np.asarray(array).astype(np.float64).reshape(-1)
    wide = wide[np.isfinite(wide)]
    wide = wide if wide.size else np.zeros(1)
    counts, limits = np.histogram(wide, 30)
    numbers = wide.min(), wide.max(), float(wide.size), wide.sum(), (wide * wide).sum()
    content = b"".join(_double(i, float(n)) for i, n in enumerate(numbers, 1))
    packed = [limits[1:].astype("<f8").tobytes(), counts.astype("<f8").tobytes()]
    return _value(tag, bytes_field(5, content + b"".join(bytes_field(i, data) for i, data in enumerate(packed, 6))))


def image(tag, pixels):
    """A picture of shape (H, W, C), of uint8."""
    height, width, channels = pixels.shape
    content = number_field(1, height) + number_field(2, width) + number_field(3, channels)
    return _value(tag, bytes_field(4, content + bytes_field(4, png(pixels))))


def png(pixels):
    """A PNG file of pixels (H, W, C) of uint8 with 1 (grey), 2, 3 (colours) or 4 channels."""
    height, width, channels = pixels.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


class EventFile:
    """A new event file, to which events are appended; it is closed at the latest when nobody holds it any more.

    Args:
        path (str): The file.
    """

    def __init__(self, path):
        self._file, self.size = open(path, "xb"), 0  # noqa: SIM115 - it stays open until `close`
        weakref.finalize(self, self._file.close)  # a record that nobody closed is in the file all the same
        self._write(bytes_field(3, _FIRST.encode()))

    def write(self, step, values):
        """Append an event of a step with some values, which the functions of this file made."""
        self._write(number_field(2, step) + bytes_field(5, b"".join(values)))

    def _write(self, content):
        event = _double(1, time.time()) + content
        length = struct.pack("<Q", len(event))
        self.size += self._file.write(length + _checksum(length) + event + _checksum(event))

    def flush(self):
        """Hand everything to the operating system."""
        self._file.flush()

    def close(self):
        """Close the file."""
        self._file.close()
