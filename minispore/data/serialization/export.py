"""``export`` and ``load``: a network as a file for other programs."""

from __future__ import annotations

import importlib
import inspect
import os
from typing import Any

from minispore.core import nest
from minispore.core.checks import check_choice, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.data.atomic_file import replace_file
from minispore.nn.cell import Cell

__all__ = ["export", "load"]

_FORMATS = ("AIR", "ONNX", "MINDIR")
_WITHOUT_EFFECT = ("do_convert", "custom_func", "incremental")  # options that change no file written here
_LONGEST = 2**31 - 1  # bytes of a protobuf message


def export(net: Cell, *inputs, file_name: str, file_format: str, **kwargs) -> None:
    """Write a network to a file for other programs: its operations on ``inputs``, and its Parameters.

    The network runs once, in evaluation mode, and its computation is recorded. So lengths, Python's numbers and the
    path through the code are fixed by this run. "MINDIR" is MindSpore 2.0's format, which :func:`load` reads too.
    "ONNX" has operators of version 18; the package ``onnx`` writes it.

    Args:
        net (Cell): The network.
        *inputs: Its inputs: Tensors, named in the file as the arguments of ``construct``, and constants. Shapes and
            dtypes are fixed by them.
        file_name (str): The file; ``.mindir`` or ``.onnx`` is appended unless it ends so.
        file_format (str): "MINDIR" or "ONNX". MindSpore's "AIR" is refused.
        **kwargs: MindSpore's further options of MINDIR files. One that would change the file is refused.

    Raises:
        TypeError: If ``file_name`` is not a str, or an input is a NumPy array.
        ValueError: If the network is not a Cell, or the format or an option is another.
        RuntimeError: If an operation has no counterpart in the format, or the network's path depends on an input's
            values. Nothing is written then.
        ImportError: If the package ``onnx`` is not installed.
        OSError: If the file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> path = os.path.join(tempfile.mkdtemp(), "net.mindir")
        >>> ms.export(ms.nn.ReLU(), ms.Tensor([1.0, -1.0]), file_name=path, file_format="MINDIR")
        >>> print(ms.nn.GraphCell(ms.load(path))(ms.Tensor([-2.0, 3.0])))
        [0. 3.]
    """
    check_text("export", "file_name", file_name)
    check_choice("export", "file_format", file_format, _FORMATS)
    if file_format == "AIR":
        raise value_error("export", "the 'file_format' must be 'MINDIR' or 'ONNX': only Ascend runs AIR", "'AIR'")
    if not isinstance(net, Cell):
        raise value_error("export", "the 'net' must be a Cell", shown(net))
    for x in nest.leaves(inputs):
        if not isinstance(x, (Tensor, bool, int, float, str, type(None))):
            raise type_error("export", "the inputs must be Tensors, numbers or None", type(x).__name__)
    path = _target(file_name, f".{file_format.lower()}")
    content = (_onnx if file_format == "ONNX" else _mindir)(net, inputs, kwargs)
    replace_file(path, lambda file: file.write(content), "export")


def load(file_name, **kwargs) -> Any:
    """The graph of a MINDIR file of MindSpore 2.0 or of :func:`export`, for ``nn.GraphCell``.

    The file is data: nothing of it runs but operations of minispore. It is read whole or not at all.

    Raises:
        TypeError: If ``file_name`` is not a str.
        ValueError: If it does not end in ".mindir", there is no such file, or it is not a sound one; if an option asks
            for a key or an obfuscated graph.

    Examples:
        >>> import minispore as ms
        >>> try:
        ...     ms.load("net.mindir")
        ... except ValueError as error:
        ...     print(error)
        For 'load', the file 'net.mindir' must exist, but there is none.
    """
    check_text("load", "file_name", file_name)
    if not file_name.endswith(".mindir"):
        raise value_error("load", "the 'file_name' must end in '.mindir'", shown(file_name))
    if not os.path.exists(file_name):
        raise value_error("load", f"the file '{file_name}' must exist, but there is none")
    _check_options("load", kwargs)
    if os.path.getsize(file_name) > _LONGEST:
        raise value_error("load", f"the file '{file_name}' must have at most {_LONGEST} bytes")
    with open(file_name, "rb") as file:
        data = file.read()
    reader = importlib.import_module("minispore.data.serialization.mindir.run")  # few programs need it
    try:
        return reader.graph_of(data)
    except ValueError as error:
        raise value_error("load", f"the file '{file_name}' must {error}") from error


def _check_options(operation, options):
    """Refuse options with values that would change the file."""
    for name, value in options.items():
        if value is not None and value is not False and name not in _WITHOUT_EFFECT and (name, value) != _DEFAULT:
            raise value_error(
                operation, f"the option '{name}' must be left out: files are written and read as they are"
            )


_DEFAULT = "enc_mode", "AES-GCM"  # which has no effect without a key


def _mindir(net, inputs, options):
    """The bytes of a MINDIR file."""
    _check_options("export", options)
    writer = importlib.import_module("minispore.data.serialization.mindir.write")  # many rules, which few programs need
    content = writer.content_of(
        _traced(net, inputs, fold_parameters=False), _input_names(net, inputs), type(net).__name__
    )
    if len(content) > _LONGEST:
        raise value_error("export", f"the network must take at most {_LONGEST} bytes", len(content))
    return content


def _onnx(net, inputs, options):
    """The bytes of an ONNX file."""
    onnx, traced = _package(), _traced(net, inputs)
    rules = importlib.import_module("minispore.data.serialization.onnx.model")  # many rules, which few programs need
    return rules.model_of(onnx, traced, _input_names(net, inputs), type(net).__name__).SerializeToString()


def _package():
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        message = "For 'export', the package onnx must be installed: pip install \"onnx>=1.14\"."
        raise ImportError(message) from error


def _target(file_name, ending):
    from pathlib import Path  # not at the top: it brings urllib and ipaddress into the import of minispore

    path = Path(file_name if file_name.endswith(ending) else f"{file_name}{ending}")
    if path.is_dir():
        raise IsADirectoryError(f"For 'export', the 'file_name' must be a file, but got a folder, '{path}'.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"For 'export', the folder '{path.parent}' must exist, but there is none.")
    return path


def _traced(net, inputs, fold_parameters=True):
    """The computation of the network in evaluation mode; its mode is put back."""
    modes = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        from minispore.data.serialization.trace import trace  # here, so that importing minispore stays quick

        return trace(net, inputs, fold_parameters)
    finally:
        for cell, mode in modes:
            cell.training = mode


def _input_names(net, inputs):
    """A name for each Tensor of the inputs: its argument's in ``construct``, with a number in a tuple or list."""
    bound = inspect.signature(net.construct).bind(*inputs)
    names = []
    for name, value in bound.arguments.items():
        found = nest.select(Tensor, value)
        names += [name] if isinstance(value, Tensor) else [f"{name}_{i}" for i in range(len(found))]
    return names
