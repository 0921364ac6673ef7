"""Protobuf's wire format: a message is a sequence of fields, each a key (number and kind) and a number or bytes.

Source: https://protobuf.dev/programming-guides/encoding
"""

__all__ = ["BYTES", "NUMBER", "bytes_field", "bytes_key", "fields", "number_field"]

NUMBER, BYTES = 0, 2  # the kinds of fields: varint and length-delimited


def number_field(number, value):
    """A field that holds a number of at least 0."""
    return _varint(number << 3 | NUMBER) + _varint(value)


def bytes_field(number, data):
    """A field that holds bytes."""
    return bytes_key(number, len(data)) + data


def bytes_key(number, length):
    """What comes before the bytes of a field."""
    return _varint(number << 3 | BYTES) + _varint(length)


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

    ``kinds`` has the kind of each field that the message may have, by number. ValueError if the message is cut off, or
    has a field of another number or kind.
    """
    while start < end:
        file.seek(start)
        key, value = _read_varint(file, end), _read_varint(file, end)
        number, kind = key >> 3, key & 7
        if kinds.get(number) != kind:
            raise ValueError(f"hold fields of its format, but got number {number} of kind {kind}")
        start = file.tell()
        if kind == BYTES:
            if value > end - start:
                raise ValueError(f"be complete, but got {end - start} of {value} bytes")
            start, value = start + value, (start, start + value)
        yield number, value


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
