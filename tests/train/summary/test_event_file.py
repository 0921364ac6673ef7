"""Event files: the framing, its checksums and the messages, read back by what the formats' pages say."""

import gc
import struct
import zlib

import numpy as np

from minispore.train.summary import event_file


def records_of(path):
    """The payloads of an event file; asserts the lengths and the checksums."""
    data, found = path.read_bytes(), []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert data[8:12] == event_file._checksum(data[:8])
        payload = data[12 : 12 + length]
        assert data[12 + length : 16 + length] == event_file._checksum(payload)
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
    assert event_file._checksum(b"123456789") == struct.pack("<I", masked)


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
    assert [histogram[i] for i in range(1, 6)] == [0.0, 5.0, 6.0, 15.0, 55.0]
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
    fields = dict(message(dict(message(event_file.histogram("h", np.array([np.nan, np.inf, 2.0]))))[1]))
    assert dict(message(fields[5]))[3] == 1.0


def test_pixels_are_in_the_png():
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    data = event_file.png(pixels)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + length]), np.uint8).reshape(2, 13)
    np.testing.assert_array_equal(rows[:, 1:].reshape(2, 4, 3), pixels)
