"""MessagePack of a flat map from names to ints, floats and texts: a row's plain fields."""

import struct

__all__ = ["packed", "unpacked"]

_INTS = ((0xCC, "B"), (0xCD, "H"), (0xCE, "I"), (0xCF, "Q"), (0xD0, "b"), (0xD1, "h"), (0xD2, "i"), (0xD3, "q"))
_FLOATS = ((0xCA, "f"), (0xCB, "d"))
_LENGTHS = {0xD9: "B", 0xDA: "H", 0xDB: "I", 0xDE: "H", 0xDF: "I"}
_NUMBERS = dict(_INTS + _FLOATS)
_UNSIGNED, _SIGNED = _INTS[:4], _INTS[4:]


def packed(fields):
    """The bytes of a dict of ints, floats and texts, each in its shortest form."""
    return b"".join([_length(len(fields), 0x80, 16, (0xDE, 0xDF)), *map(_packed, _flat(fields))])


def _flat(fields):
    return [part for pair in fields.items() for part in pair]


def _packed(value):
    if isinstance(value, str):
        text = value.encode()
        return _length(len(text), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + text
    if isinstance(value, float):
        return _packed_float(value)
    if -32 <= value < 128:
        return struct.pack("B", value & 0xFF)
    code, kind = next((c, k) for c, k in (_UNSIGNED if value >= 0 else _SIGNED) if _fits(value, k))
    return struct.pack(f">B{kind}", code, value)


def _fits(value, kind):
    bits = 8 * struct.calcsize(kind)
    return value < 2**bits if value >= 0 else value >= -(2 ** (bits - 1))


def _packed_float(value):
    """4 bytes where they hold the value, otherwise 8."""
    try:
        if struct.unpack(">f", struct.pack(">f", value))[0] == value:
            return struct.pack(">Bf", 0xCA, value)
    except OverflowError:  # beyond the range of 4 bytes
        pass
    return struct.pack(">Bd", 0xCB, value)


def _length(n, base, most, codes):
    """The head of a text or map of ``n``: in one byte, or a code and the length after it."""
    if n < most:
        return struct.pack("B", base | n)
    code = next(code for code in codes if n < 256 ** struct.calcsize(_LENGTHS[code]))
    return struct.pack(f">B{_LENGTHS[code]}", code, n)


def unpacked(data):
    """The dict of its bytes.

    Raises:
        ValueError: If they are not such a map, or there are more of them.
    """
    reader = _Reader(data)
    fields = reader.map()
    if reader.place != len(data):
        raise ValueError("bytes after the map")
    return fields


class _Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, n):
        part = self.data[self.place : self.place + n]
        if len(part) < n:
            raise ValueError("the bytes end early")
        self.place += n
        return part

    def number(self, kind):
        return struct.unpack(f">{kind}", self.take(struct.calcsize(kind)))[0]

    def map(self):
        code = self.number("B")
        if 0x80 <= code < 0x90:
            count = code & 0xF
        elif code in (0xDE, 0xDF):
            count = self.number(_LENGTHS[code])
        else:
            raise ValueError(f"no map begins with {code:#x}")
        fields = {}
        for _ in range(min(count, len(self.data) + 1)):
            name = self.value()
            if not isinstance(name, str):
                raise ValueError("a name is not a text")
            fields[name] = self.value()
        return fields

    def value(self):
        code = self.number("B")
        if code < 0x80 or code >= 0xE0:
            return code if code < 0x80 else code - 256
        if 0xA0 <= code < 0xC0:
            return self.take(code & 0x1F).decode()
        if code in (0xD9, 0xDA, 0xDB):
            return self.take(self.number(_LENGTHS[code])).decode()
        if code in _NUMBERS:
            return self.number(_NUMBERS[code])
        raise ValueError(f"no number or text begins with {code:#x}")
