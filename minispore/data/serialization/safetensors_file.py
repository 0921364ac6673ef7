"""Checkpoint files: arrays and texts in the open safetensors format.

The format holds data only, so reading it runs no code. ``write`` and ``read`` are inverse to one another on dicts of
arrays, including order, dtypes and 0-d shapes; a file is written atomically. Arrays are written and read one by one,
so that neither needs memory for the whole file. The safetensors library checks each file that is read.

Layout: the header's length in eight bytes, the header in JSON (dtype, shape, and start and end of each array's data),
the data. Format: https://huggingface.co/docs/safetensors
"""

import json
import struct

import ml_dtypes
import numpy as np
import safetensors

from minispore.core.dtype import float8_e4m3fn, float8_e5m2
from minispore.core.errors import type_error, value_error
from minispore.data.atomic_file import replace_file

__all__ = ["is_start", "read", "write"]

_ORDER = "minispore.order"  # the format does not keep the order
_METADATA = "__metadata__"  # the header's entry for texts
_LONGEST = 100_000_000  # the longest header in bytes that the safetensors library reads
_CODES = {"BOOL": np.bool_, "BF16": ml_dtypes.bfloat16, "F16": np.float16, "F32": np.float32, "F64": np.float64}
_CODES |= {f"{kind}{bits}": f"{kind.lower()}{bits // 8}" for kind in "IU" for bits in (8, 16, 32, 64)}
_CODES |= {"F8_E4M3": float8_e4m3fn.np, "F8_E5M2": float8_e5m2.np}  # it has no hifloat8
_DTYPES = {code: np.dtype(kind) for code, kind in _CODES.items()}
_CODE = {kind: code for code, kind in _DTYPES.items()}


def write(path, arrays, texts):
    """Write ``arrays``, NumPy arrays by name, and ``texts``, text by name, to the file ``path``.

    Raises:
        TypeError: If the format has no such dtype.
        ValueError: If the format cannot hold a name or a text.
        OSError: If the file cannot be written; an existing one is then unchanged.
    """
    ordered = sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize)  # so that all data is aligned
    header = _header(ordered, {**texts, _ORDER: json.dumps(list(arrays))})

    def write_to(file):
        file.write(struct.pack("<Q", len(header)) + header)
        for _, array in ordered:
            file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8))

    replace_file(path, write_to)


def _header(ordered, texts):
    """The header of arrays whose data are in this order, padded with spaces to a multiple of eight bytes."""
    entries, end = {_METADATA: texts}, 0
    for name, array in ordered:
        if array.dtype not in _CODE:
            legal = sorted((kind.names or [kind.name])[0] for kind in _CODE)
            raise type_error("save_checkpoint", f"the dtype of '{name}' must be one of {legal}", array.dtype)
        if name == _METADATA:
            raise value_error("save_checkpoint", f"no parameter may be called '{name}', the format's name for texts")
        begin, end = end, end + array.nbytes
        entries[name] = {"dtype": _CODE[array.dtype], "shape": array.shape, "data_offsets": [begin, end]}
    try:
        header = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise value_error(
            "save_checkpoint", "names and texts must be Unicode", repr(error.object[error.start])
        ) from error
    if len(header) > _LONGEST - 8:
        raise value_error("save_checkpoint", f"names and texts must take at most {_LONGEST} bytes", len(header))
    return header.ljust(-(-len(header) // 8) * 8)


def is_start(start, size):
    """True if a file of ``size`` bytes begins as this format does: with a possible length, and a JSON object."""
    return start[8:9] == b"{" and struct.unpack("<Q", start[:8])[0] <= size


def read(path):
    """The arrays and the texts of a file, in the order of writing.

    Raises:
        ValueError: If the file is not a complete safetensors file; the message names the expected and the found.
    """
    with open(path, "rb") as file:
        try:
            with safetensors.safe_open(path, framework="np") as checked:
                texts = checked.metadata() or {}
        except (safetensors.SafetensorError, ValueError) as error:  # ValueError: nothing to map, an empty file
            raise ValueError(f"be a whole safetensors file, but got {file.seek(0, 2)} bytes: {error}") from error
        entries, start = _entries(file)
        order = _ordered(entries, texts.pop(_ORDER, None))
        return {name: _array(file, start, name, entries[name]) for name in order}, texts


def _entries(file):
    """The header's entry of each array, by name, and the offset of the data."""
    length = struct.unpack("<Q", file.read(8))[0]
    entries = json.loads(file.read(length))
    entries.pop(_METADATA, None)
    return entries, 8 + length


def _ordered(names, noted):
    """The names in the order stored in the file, or in the file's own if another program wrote it."""
    if noted is None:
        return list(names)
    order = parse_json(noted)
    if not isinstance(order, list) or not all(isinstance(name, str) for name in order):
        raise ValueError(f"note the order of its arrays as a list of names, but got {noted!r:.40}")
    return order if sorted(order) == sorted(names) else list(names)


def parse_json(text):
    """The value of a JSON text, or None if it is invalid, nested too deep, or has too many digits."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _array(file, start, name, entry):
    """One array from its place in the file."""
    if entry["dtype"] not in _DTYPES:
        raise ValueError(f"hold dtypes among {sorted(_DTYPES)}, but got {entry['dtype']} for '{name}'")
    (begin, end), kind = entry["data_offsets"], _DTYPES[entry["dtype"]]
    file.seek(start + begin)
    values = np.fromfile(file, kind, (end - begin) // kind.itemsize)
    try:
        return values.reshape(entry["shape"])
    except ValueError as error:  # more or longer axes than NumPy supports; or the file has changed since the check
        raise ValueError(f"hold arrays that NumPy can, but got shape {entry['shape']!r:.40} for '{name}'") from error
