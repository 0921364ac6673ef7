"""Checkpoints: parameters in a file, written atomically, and loaded entirely or not at all.

The file has MindSpore's own format or the safetensors format; neither holds code.
"""

from __future__ import annotations

import json
import os
from functools import partial

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.data.serialization import ckpt_file, safetensors_file
from minispore.data.serialization.background_save import begin_save, finish_last_save
from minispore.data.serialization.load_parameters import listed, load_param_into_net, named_parameters
from minispore.ops.object_checks import check_optional_callable, check_path

__all__ = ["load_checkpoint", "load_param_into_net", "save_checkpoint"]

_FORMATS = {"ckpt": ckpt_file, "safetensors": safetensors_file}  # by the suffix of the file
_SUFFIXES = tuple(f".{name}" for name in _FORMATS)
_FOREIGN = {
    b"\x80": "a pickle, which is not read because it could run code",
    b"PK": "a zip archive, as PyTorch and npz files are",
}
_INT64 = np.iinfo(np.int64)


def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save: bool = True,
    async_save: bool = False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    *,
    format=None,
) -> None:
    """Write the parameters of a network to a file, atomically.

    Args:
        save_obj: A Cell, or a list of dicts ``{"name": str, "data": Tensor}``.
        ckpt_file_name: The file; ``.ckpt`` is appended unless it ends in that or in ``.safetensors``. The end of its
            name chooses the format: MindSpore's own, which MindSpore loads, or safetensors.
        integrated_save: Accepted; parameters are never split on this device.
        async_save: Whether a thread writes the file while the program goes on. The values are those at the call; an
            error is logged, and raised by the next call, or by ``async_ckpt_thread_status``.
        append_dict: Further entries by name: ints, floats and bools (read back as 0-d Parameters of int64, float64 and
            bool), Tensors, and texts (read back unchanged).
        enc_key: Not supported; None.
        enc_mode: Accepted, without effect.
        choice_func: Which parameters to save: a function from name to bool.
        format: "ckpt" or "safetensors", to which the end of the name is brought; None leaves it to the name.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If two values have the same name, an int does not fit in 64 bits, or ``enc_key`` is given.
        OSError: If the file cannot be written; an existing one is then unchanged.
        IsADirectoryError: If ``ckpt_file_name`` names a folder.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(ms.nn.Dense(2, 1), file, append_dict={"epoch": 3})
        >>> found = ms.load_checkpoint(file)
        >>> print(sorted(found), int(found["epoch"]))
        ['bias', 'epoch', 'weight'] 3
    """
    operation = "save_checkpoint"
    for name, flag in (("integrated_save", integrated_save), ("async_save", async_save)):
        if not isinstance(flag, bool):
            raise type_error(operation, f"the '{name}' must be a bool", type(flag).__name__)
    _check_no_key(operation, "enc_key", enc_key)
    check_text(operation, "enc_mode", enc_mode)
    check_optional_callable(operation, "choice_func", choice_func)
    from pathlib import Path  # not at the top: it brings urllib and ipaddress into the import of minispore

    path = _target(Path(check_path(operation, "ckpt_file_name", ckpt_file_name)), format)
    chosen = [(name, p) for name, p in _saved(save_obj) if choice_func is None or choice_func(name)]
    numbers, texts = _appended(append_dict)
    arrays = _unique(operation, [(name, value.asnumpy()) for name, value in chosen] + numbers + texts)
    write = partial(_write, path, arrays, {name: arrays.pop(name) for name, _ in texts})
    if async_save:
        begin_save(write)
        return
    finish_last_save()
    write()


def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load: bool = False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
) -> dict[str, Parameter]:
    """Read a checkpoint: a dict from name to Parameter (or to text, if ``append_dict`` had one), in the saved order.

    Args:
        ckpt_file_name: A file whose name ends in ``.ckpt`` or ``.safetensors``; its content shows the format.
        net: A Cell to load the parameters into.
        strict_load: As in :func:`load_param_into_net`.
        filter_prefix: Skip names with this prefix: a str, or a list or tuple of them.
        dec_key: Not supported; None.
        dec_mode: Accepted, without effect.
        specify_prefix: Keep only names with this prefix: a str, or a list or tuple of them.
        choice_func: Keep only names for which this function is true.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the file is missing, truncated or of another format, or if the arguments select no entry.
        RuntimeError: If the parameters do not fit ``net``, which is then unchanged.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(ms.nn.Dense(2, 1, weight_init="ones"), file)
        >>> print(ms.load_checkpoint(file)["weight"].asnumpy())
        [[1. 1.]]
    """
    operation = "load_checkpoint"
    check_bool(operation, "strict_load", strict_load)
    _check_no_key(operation, "dec_key", dec_key)
    check_text(operation, "dec_mode", dec_mode)
    check_optional_callable(operation, "choice_func", choice_func)
    excluded = _prefixes(operation, "filter_prefix", filter_prefix)
    included = _prefixes(operation, "specify_prefix", specify_prefix)
    from pathlib import Path  # not at the top: it brings urllib and ipaddress into the import of minispore

    path = Path(check_path(operation, "ckpt_file_name", ckpt_file_name))
    arrays, texts = _read(operation, path)

    def chosen(name):
        kept = included is None or name.startswith(included)
        left_out = excluded is not None and name.startswith(excluded)
        return kept and not left_out and (choice_func is None or choice_func(name))

    found = len(arrays) + len(texts)
    loaded = {name: Parameter(arrays.pop(name), name=name) for name in list(arrays) if chosen(name)}
    loaded |= {name: text for name, text in texts.items() if chosen(name)}
    if found and not loaded:
        raise value_error(operation, f"the file '{path}' must hold a parameter that the arguments choose", "none")
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


# Reading and writing


def _target(path, format):
    """The path of the file to write; its folder must exist."""
    if format is not None:
        check_choice("save_checkpoint", "format", format, tuple(_FORMATS))
    suffixes = _SUFFIXES if format is None else (f".{format}",)
    if path.suffix not in suffixes:
        path = path.with_name(path.name + suffixes[0]) if path.name else path
    if path.is_dir():
        raise IsADirectoryError(
            f"For 'save_checkpoint', the 'ckpt_file_name' must be a file, but got a folder, '{path}'."
        )
    if not path.parent.is_dir():
        raise FileNotFoundError(f"For 'save_checkpoint', the folder '{path.parent}' must exist, but there is none.")
    return path


def _read(operation, path):
    """The arrays and the texts in a checkpoint."""
    if path.suffix not in _SUFFIXES:
        raise value_error(operation, f"the 'ckpt_file_name' must end in {' or '.join(_SUFFIXES)}", f"'{path}'")
    if not path.is_file():
        raise value_error(operation, f"the file '{path}' must exist, but there is no such file")
    try:
        return _read_by_content(path)
    except ValueError as error:
        raise value_error(operation, f"the file '{path}' must {error}") from error


def _read_by_content(path):
    with open(path, "rb") as file:
        start, size = file.read(9), file.seek(0, os.SEEK_END)
    if safetensors_file.is_start(start, size):
        arrays, metadata = safetensors_file.read(path)
        return arrays, _texts(metadata, arrays)
    if ckpt_file.is_start(start):
        return ckpt_file.read(path)
    what = next((f" ({what})" for magic, what in _FOREIGN.items() if start.startswith(magic)), "")
    raise ValueError(f"be a checkpoint of MindSpore or a safetensors file, but got {size} other bytes{what}")


def _write(path, arrays, texts):
    if path.suffix == ".safetensors":
        texts = {"producer": "minispore", "text": json.dumps(texts)}
    _FORMATS[path.suffix[1:]].write(path, arrays, texts)


def _texts(metadata, arrays):
    """The texts of ``append_dict``, by name."""
    if metadata.get("producer") != "minispore" or "text" not in metadata:
        return {}
    texts = safetensors_file.parse_json(metadata["text"])
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"note its texts by name, but got {metadata['text']!r:.40}")
    if both := texts.keys() & arrays.keys():
        raise ValueError(f"hold one value for a name, but got an array and a text for {listed(sorted(both))}")
    return texts


# Saving


def _saved(save_obj):
    if isinstance(save_obj, list):
        return [_list_item(item) for item in save_obj]
    if not hasattr(save_obj, "parameters_dict"):
        raise type_error("save_checkpoint", "the 'save_obj' must be a Cell or a list", type(save_obj).__name__)
    return named_parameters(save_obj)


def _list_item(item):
    if not isinstance(item, dict) or not isinstance(item.get("name"), str) or not isinstance(item.get("data"), Tensor):
        expected = "each element of the list must be a dict of 'name', a str, and 'data', a Tensor"
        raise type_error("save_checkpoint", expected, shown(item))
    return item["name"], item["data"]


def _appended(append_dict):
    """The pairs of name and array, and of name and text, from ``append_dict``."""
    if append_dict is None:
        return [], []
    if not isinstance(append_dict, dict):
        raise type_error("save_checkpoint", "the 'append_dict' must be a dict", type(append_dict).__name__)
    for name in append_dict:
        if not isinstance(name, str) or not name:
            raise type_error("save_checkpoint", "the names in 'append_dict' must be texts", shown(name))
    texts = [(name, value) for name, value in append_dict.items() if isinstance(value, str)]
    numbers = [(name, _number(name, value)) for name, value in append_dict.items() if not isinstance(value, str)]
    return numbers, texts


def _number(name, value):
    """The array of one value of ``append_dict``; a float stays float64, so that it is read back unchanged."""
    if not isinstance(value, bool | int | float | Tensor):
        expected = "the 'append_dict' must hold ints, floats, bools, strs and Tensors by name"
        raise type_error("save_checkpoint", expected, f"{shown(name)}: {shown(value)} of type {type(value).__name__}")
    if isinstance(value, Tensor):
        return value.asnumpy()
    if type(value) is int and not _INT64.min <= value <= _INT64.max:
        raise value_error("save_checkpoint", f"the int '{name}' must fit in 64 bits", value)
    return np.array(value, {bool: np.bool_, int: np.int64}.get(type(value), np.float64))


def _unique(operation, pairs):
    """The pairs as a dict; raises if two names are equal, since one value would be lost."""
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise value_error(operation, "the names to save must differ", f"twice {listed(twice)}")
    return dict(pairs)


def _check_no_key(operation, argument, key):
    if key is not None:
        raise value_error(operation, f"the '{argument}' must be None, as encryption is not supported", "a key")


# Loading


def _prefixes(operation, argument, value):
    """The prefixes as a tuple, or None."""
    if value is None:
        return None
    prefixes = (value,) if isinstance(value, str) else value
    if not isinstance(prefixes, list | tuple) or not all(isinstance(prefix, str) for prefix in prefixes):
        raise type_error(operation, f"the '{argument}' must be a str, or a list or tuple of str", shown(value))
    if not prefixes:
        raise value_error(operation, f"the '{argument}' must not be empty", shown(value))
    return tuple(prefixes)
