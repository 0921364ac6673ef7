"""The bytes of a row's large fields: byte strings, float arrays, and int arrays with each int in its shortest width.

Several fields stand one after another, each behind its length; a single one has no length, and four zeros stand for an
empty list.
"""

import struct

import numpy as np

__all__ = ["ARRAYS", "joined", "separated"]

ARRAYS = {kind: np.dtype(kind).newbyteorder("<") for kind in ("int32", "int64", "float32", "float64")}
_WIDTHS = [np.dtype(f"<i{width}") for width in (1, 2, 4, 8)]
_NOTHING = bytes(4)


def joined(values, kinds):
    """The bytes of a row's large fields, each bytes or an array of its kind."""
    parts = [value if kind == "bytes" else _of_array(value, kind) for value, kind in zip(values, kinds, strict=True)]
    if len(parts) < 2:
        return parts[0] if parts else _NOTHING
    return b"".join(struct.pack(">Q", len(part)) + part for part in parts)


def separated(data, kinds):
    """The large fields of a row's bytes: bytes, and flat arrays."""
    parts = _cut(data, len(kinds)) if len(kinds) > 1 else [data][: len(kinds)]
    return [part if kind == "bytes" else _array(part, kind) for part, kind in zip(parts, kinds, strict=True)]


def _cut(data, count):
    parts, place = [], 0
    for _ in range(count):
        (length,) = struct.unpack_from(">Q", data, place)
        parts.append(data[place + 8 : place + 8 + length])
        if len(parts[-1]) != length:
            raise ValueError("a field is longer than its row")
        place += 8 + length
    return parts


def _of_array(array, kind):
    flat = np.ascontiguousarray(array, ARRAYS[kind]).reshape(-1)
    return flat.tobytes() if flat.dtype.kind == "f" else _short(flat)


def _short(flat):
    """Ints as their count, a code of two bits for each one's width, and each in that width."""
    codes = sum(((flat < -(2**bits)) | (flat >= 2**bits)).astype(np.uint8) for bits in (7, 15, 31))
    codes = np.zeros(0, np.uint8) if not len(flat) else codes
    fours = np.pad(codes, (0, -len(codes) % 4)).reshape(-1, 4)
    packed = (fours << np.array([6, 4, 2, 0], np.uint8)).sum(1).astype(np.uint8)
    numbers = b"".join(_WIDTHS[code].type(n).tobytes() for n, code in zip(flat, codes, strict=True))
    return struct.pack(">I", len(flat)) + packed.tobytes() + numbers


def _array(data, kind):
    return np.frombuffer(data, ARRAYS[kind]) if kind.startswith("float") else _long(data, kind)


def _long(data, kind):
    (count,) = struct.unpack_from(">I", data)
    if count > len(data):
        raise ValueError("an array is longer than its row")
    packed = np.frombuffer(data, np.uint8, -(-count // 4), 4)
    codes = (packed[:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3).reshape(-1)[:count]
    ends = 4 + len(packed) + np.cumsum(1 << codes.astype(np.int64))
    if (ends[-1] if count else 4) != len(data):
        raise ValueError("an array's length is not that of its row")
    out, content = np.zeros(count, ARRAYS[kind]), np.frombuffer(data, np.uint8)
    for code, width in enumerate(_WIDTHS):
        chosen = codes == code
        starts = ends[chosen] - width.itemsize
        out[chosen] = content[starts[:, None] + np.arange(width.itemsize)].view(width).reshape(-1)
    return out
