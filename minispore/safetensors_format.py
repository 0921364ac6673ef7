"""The checkpoint file: arrays and texts in the open safetensors format, through its own library.

The format holds data only, so reading it runs no code. ``write`` and ``read`` are each other's inverse on dicts of
arrays, order, dtypes and 0-d shapes included; a file appears whole or not at all.
"""

import json
import os
import secrets

import ml_dtypes
import numpy as np
import safetensors
from safetensors.numpy import save

__all__ = ["read", "write"]

_ORDER = "minispore.order"  # the library keeps an order of its own
_CODES = {"BOOL": np.bool_, "BF16": ml_dtypes.bfloat16, "F16": np.float16, "F32": np.float32, "F64": np.float64}
_CODES |= {f"{kind}{bits}": f"{kind.lower()}{bits // 8}" for kind in "IU" for bits in (8, 16, 32, 64)}
_DTYPES = {code: np.dtype(kind) for code, kind in _CODES.items()}
_FOREIGN = (
    (b"\x80", "a pickle, which is not read because it could run code"),
    (b"PK", "a zip archive, as PyTorch and npz files are"),
    (b"\n", "perhaps a protobuf file, as MindSpore's own checkpoints are"),
)


def write(path, arrays, texts):
    """Write ``arrays``, NumPy arrays by name, and ``texts``, text by name, to the file ``path``.

    Raises:
        TypeError: If the format has no such dtype.
        OSError: If the file cannot be written; one that was there is as before.
    """
    for name, array in arrays.items():
        if array.dtype not in _DTYPES.values():
            legal = sorted(kind.name for kind in _DTYPES.values())
            raise TypeError(
                f"For 'save_checkpoint', the dtype of '{name}' must be one of {legal}, but got {array.dtype}."
            )
    whole = {name: array if array.flags.c_contiguous else array.copy() for name, array in arrays.items()}
    _write_atomically(path, save(whole, {**texts, _ORDER: json.dumps(list(arrays))}))


def read(path):
    """The arrays and the texts of a file, in the order in which they were written.

    Raises:
        ValueError: If the file is no whole safetensors file; the message says what it should be and is.
    """
    data = path.read_bytes()
    try:
        entries = dict(safetensors.deserialize(data))
        with safetensors.safe_open(path, framework="np") as file:
            texts = file.metadata() or {}
    except safetensors.SafetensorError as error:
        raise ValueError(f"be a whole safetensors file, but got {_describe(data)}: {error}") from error
    return {name: _array(name, entries[name]) for name in _ordered(entries, texts.pop(_ORDER, "[]"))}, texts


def _ordered(names, noted):
    """The names in the order noted in the file, or, where another program wrote it, in the file's own."""
    try:
        order = json.loads(noted)
    except ValueError:
        return list(names)
    return order if isinstance(order, list) and sorted(map(str, order)) == sorted(names) else list(names)


def _array(name, entry):
    if entry["dtype"] not in _DTYPES:
        raise ValueError(f"hold dtypes among {sorted(_DTYPES)}, but got {entry['dtype']} for '{name}'")
    return np.frombuffer(entry["data"], _DTYPES[entry["dtype"]]).reshape(entry["shape"])


def _describe(data):
    what = next((f" ({what})" for start, what in _FOREIGN if data.startswith(start)), "")
    return f"{len(data)} bytes{what}"


def _write_atomically(path, data):
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
