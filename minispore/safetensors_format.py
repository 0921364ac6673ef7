"""The safetensors file format, read and written: eight bytes of length, a JSON header, and the arrays' bytes.

The format is open and holds data only, so reading it runs no code: https://github.com/huggingface/safetensors
``encode`` and ``decode`` are each other's inverse on dicts of arrays, order, dtypes and 0-d shapes included.
"""

import json
import math
import os
import secrets

import ml_dtypes
import numpy as np

__all__ = ["decode", "encode", "write_atomically"]

_NAMES = {"bool": "BOOL", "bfloat16": "BF16"}
_NAMES |= {f"{kind}{bits}": f"{kind[0].upper()}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
_NAMES |= {f"float{bits}": f"F{bits}" for bits in (16, 32, 64)}
_DTYPES = {code: np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name) for name, code in _NAMES.items()}
_LARGEST, _DEEPEST = 2**48, 32  # bytes or elements, and dimensions, that a file may announce
_FOREIGN = (
    (b"\x80", "a pickle, which is not read because it could run code"),
    (b"PK", "a zip archive, as PyTorch and npz files are"),
    (b"\n", "perhaps a protobuf file, as MindSpore's own checkpoints are"),
)


def encode(arrays, metadata):
    """The bytes of a file with ``arrays``, NumPy arrays by name, and ``metadata``, text by name.

    Raises:
        TypeError: If the format has no such dtype.
    """
    header = {"__metadata__": metadata} | {name: _entry(name, array) for name, array in arrays.items()}
    # Wide elements first: then every array starts at a multiple of its element size, which other readers like.
    by_width = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    end = 0
    for name in by_width:
        header[name]["data_offsets"] = [end, end := end + arrays[name].nbytes]
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(arrays[name].tobytes() for name in by_width)])


def _entry(name, array):
    code = _NAMES.get(array.dtype.name)
    if code is None:
        raise TypeError(f"For 'encode', the dtype of '{name}' must be one of {sorted(_NAMES)}, but got {array.dtype}.")
    return {"dtype": code, "shape": list(array.shape)}


def decode(data):
    """The read-only arrays and the metadata in the bytes of a file: ``(arrays by name, text by name)``.

    Raises:
        ValueError: If the bytes are no whole safetensors file; the message says what they should be and are.
    """
    header, start = _read_header(data)
    metadata = header.pop("__metadata__", {})
    _check_offsets(header, len(data), start)
    return {name: _array(data, start, entry) for name, entry in header.items()}, metadata


def _read_header(data):
    """The header's dict, and where the arrays' bytes begin."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or (data[8:9] != b"{"):
        raise ValueError(f"be a safetensors file, but got {_describe(data)}")
    if len(data) < 8 + length:
        raise ValueError(f"hold a header of {length} bytes, but got {len(data)} bytes in all: it is truncated")
    try:
        header = json.loads(data[8 : 8 + length].decode())
        well_formed = all(_is_entry(name, entry) for name, entry in header.items())
    except (ValueError, AttributeError, RecursionError):
        well_formed = False
    if not well_formed:
        raise ValueError("hold the header of a safetensors file, but got one that is damaged")
    _check_dtypes(header)
    return header, 8 + length


def _describe(data):
    what = next((what for start, what in _FOREIGN if data.startswith(start)), "something else")
    return f"{len(data)} bytes" + (f" ({what})" if data else "")


def _is_entry(name, entry):
    if name == "__metadata__":
        return all(isinstance(text, str) for text in entry.values())
    dtype, shape, offsets = (entry.get(key) for key in ("dtype", "shape", "data_offsets"))
    if not (isinstance(dtype, str) and isinstance(shape, list) and isinstance(offsets, list)):
        return False
    whole = all(type(number) is int and 0 <= number < _LARGEST for number in shape + offsets)
    return whole and len(shape) <= _DEEPEST and len(offsets) == 2


def _check_dtypes(header):
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] not in _DTYPES:
            raise ValueError(f"hold dtypes among {sorted(_DTYPES)}, but got {entry['dtype']!r} for '{name}'")


def _check_offsets(header, size, start):
    """The arrays must follow one another without gap or overlap, each as long as its shape says, up to the end."""
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        length = math.prod(entry["shape"]) * _DTYPES[entry["dtype"]].itemsize
        if entry["data_offsets"] != [end, end + length]:
            raise ValueError(f"hold '{name}' in bytes {end} to {end + length}, but got {entry['data_offsets']}")
        end += length
    if size != start + end:
        what = "it is truncated" if size < start + end else "something follows its end"
        raise ValueError(f"hold {start + end} bytes, as its header says, but got {size}: {what}")


def _array(data, start, entry):
    count = math.prod(entry["shape"])
    flat = np.frombuffer(data, _DTYPES[entry["dtype"]], count, start + entry["data_offsets"][0]) if count else None
    return np.empty(entry["shape"], _DTYPES[entry["dtype"]]) if flat is None else flat.reshape(entry["shape"])


def write_atomically(path, data):
    """Write beside the target, then rename: whoever looks sees the old file or the new one, never a part."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
