"""Event files: the framing, its checksums and the messages, read back by what the formats' pages say."""

import gc
import io
import struct
import sys

import numpy as np
import pytest
from PIL import Image

import minispore as ms
from minispore.training.train.summary import event_file


def checksum(data):
    """The CRC32C of RFC 3720, bit by bit, masked as event files hold it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def records_of(path):
    """The payloads of an event file; asserts the lengths and the checksums."""
    data, found = path.read_bytes(), []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert data[8:12] == checksum(data[:8])
        payload = data[12 : 12 + length]
        assert data[12 + length : 16 + length] == checksum(payload)
        found.append(payload)
        data = data[16 + length :]
    return found


def message(data):
    """The fields of a protobuf message: a list of pairs of number and value, bytes left as they are."""
    found = []
    while data:
        key, data = varint(data)
        if key & 7 == 0:
            value, data = varint(data)
        elif key & 7 == 1:
            value, data = struct.unpack("<d", data[:8])[0], data[8:]
        elif key & 7 == 5:
            value, data = struct.unpack("<f", data[:4])[0], data[4:]
        else:
            length, data = varint(data)
            value, data = data[:length], data[length:]
        found.append((key >> 3, value))
    return found


def varint(data):
    number = 0
    for i, byte in enumerate(data):
        number |= (byte & 127) << (7 * i)
        if byte < 128:
            return number, data[i + 1 :]
    raise AssertionError("a number is cut off")


def values_of(path):
    """``{(step, tag): fields of the value}`` of an event file."""
    first, *events = [dict(message(payload)) for payload in records_of(path)]
    assert first[3] == b"brain.Event:2"
    found = {}
    for event in events:
        for _, value in message(event[5]):
            fields = dict(message(value))
            found[event.get(2, 0), fields[1].decode()] = fields
    return found


def test_the_checksum_is_masked_crc32c():
    crc = 0xE3069283  # of "123456789", as the standard's check value
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert checksum(b"123456789") == struct.pack("<I", masked)


def test_values_are_read_back(tmp_path):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    file = event_file.EventFile(tmp_path / "events")
    file.write(7, [event_file.scalar("s", 0.5), event_file.tensor("t", array), event_file.histogram("h", array)])
    file.close()
    found = values_of(tmp_path / "events")
    assert found[7, "s"][2] == 0.5
    tensor = dict(message(found[7, "t"][8]))
    np.testing.assert_array_equal(np.frombuffer(tensor[4], np.float32), array.reshape(-1))
    histogram = dict(message(found[7, "h"][5]))
    assert [histogram.get(i, 0.0) for i in range(1, 6)] == [0.0, 5.0, 6.0, 15.0, 55.0]
    assert np.frombuffer(histogram[7], np.float64).sum() == 6
    assert len(histogram[6]) == len(histogram[7]) == 30 * 8


def test_a_file_that_nobody_closed_holds_what_was_written(tmp_path):
    path = tmp_path / "events"
    file = event_file.EventFile(path)
    file.write(3, [event_file.scalar("loss", 0.5)])
    size = file.size
    del file
    gc.collect()  # would report a file that is still open
    assert path.stat().st_size == size


def test_a_histogram_leaves_out_what_is_not_finite():
    fields = dict(message(event_file.histogram("h", np.array([np.nan, np.inf, 2.0])).SerializeToString()))
    assert dict(message(fields[5]))[3] == 1.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "int64", "bool"])
def test_a_tensor_is_in_the_file_with_its_dtype_and_shape(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    content = event_file.tensor("t", array).tensor
    assert [d.size for d in content.tensor_shape.dim] == [2, 3]
    np.testing.assert_array_equal(np.frombuffer(content.tensor_content, dtype).reshape(2, 3), array)
    number = {"float16": 19, "float32": 1, "float64": 2, "int8": 6, "uint16": 17, "int64": 9, "bool": 10}[dtype]
    assert content.dtype == number


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_pixels_are_in_the_picture(channels):
    pixels = np.arange(8 * channels, dtype=np.uint8).reshape(2, 4, channels)
    content = event_file.image("i", pixels).image
    assert (content.height, content.width, content.colorspace) == (2, 4, channels)
    seen = np.asarray(Image.open(io.BytesIO(content.encoded_image_string)))
    np.testing.assert_array_equal(seen.reshape(2, 4, channels), pixels)


@pytest.mark.parametrize("make", [ms.SummaryRecord, ms.SummaryCollector])
def test_without_tensorboardx_a_sentence_says_what_to_install(make, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboardX.record_writer", None)
    with pytest.raises(ImportError, match=r"files need tensorboardX and Pillow: pip install .*the extra tensorboard"):
        make(str(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
