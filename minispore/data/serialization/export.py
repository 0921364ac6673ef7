"""``export`` and ``load``: a network as a file for other programs."""

from __future__ import annotations

import importlib
import inspect
import os
from typing import Any

from minispore.core import nest
from minispore.core.atomic_file import replace_file
from minispore.core.checks import check_choice, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell

__all__ = ["export", "load"]

_FORMATS = ("AIR", "ONNX", "MINDIR")
_ONLY_MINDSPORE = (
    "only MindSpore's compiler makes and runs such graphs; the format 'ONNX' is one that other programs run"
)


def export(net: Cell, *inputs, file_name: str, file_format: str, **kwargs) -> None:
    """Write a network to an ONNX file (operators of version 18): its operations on ``inputs``, and its Parameters.

    The network runs once, in evaluation mode, and its computation is recorded. So lengths, Python's numbers and the
    path through the code are fixed by this run. The package ``onnx`` writes the file.

    Args:
        net (Cell): The network.
        *inputs: Its inputs: Tensors, named in the file as the arguments of ``construct``, and constants.
        file_name (str): The file; ``.onnx`` is appended unless it ends so.
        file_format (str): "ONNX". MindSpore's own "MINDIR" and "AIR" are refused.
        **kwargs: MindSpore's further options of MINDIR files; without effect on others.

    Raises:
        TypeError: If ``file_name`` is not a str, or an input is a NumPy array.
        ValueError: If the network is not a Cell, or the format is another.
        RuntimeError: If an operation has no counterpart in ONNX, or the network's path depends on an input's values.
        ImportError: If the package ``onnx`` is not installed.
        OSError: If the file cannot be written.

    Examples:
        >>> import minispore as ms
        >>> try:
        ...     ms.export(ms.nn.Dense(2, 1), ms.ops.ones((1, 2)), file_name="net", file_format="MINDIR")
        ... except (NotImplementedError, ValueError) as error:
        ...     print(type(error).__name__)
        ValueError
    """
    check_text("export", "file_name", file_name)
    check_choice("export", "file_format", file_format, _FORMATS)
    if file_format != "ONNX":
        raise value_error("export", f"the 'file_format' must be 'ONNX': {_ONLY_MINDSPORE}", shown(file_format))
    if not isinstance(net, Cell):
        raise value_error("export", "the 'net' must be a Cell", shown(net))
    for x in nest.leaves(inputs):
        if not isinstance(x, (Tensor, bool, int, float, str, type(None))):
            raise type_error("export", "the inputs must be Tensors, numbers or None", type(x).__name__)
    path = _target(file_name)
    onnx = _package()
    model = _model(onnx, net, inputs)
    replace_file(path, lambda file: file.write(model.SerializeToString()), "export")


def load(file_name, **kwargs) -> Any:
    """Refuse a MINDIR file: only MindSpore's compiler runs the graph in it.

    Raises:
        TypeError: If ``file_name`` is not a str.
        ValueError: If it does not end in ".mindir", or there is no such file.
        NotImplementedError: If there is one.

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
    instead = "build the network from its Cells, and load its Parameters by load_checkpoint"
    raise NotImplementedError(f"For 'load', the graph in '{file_name}' cannot be run: {_ONLY_MINDSPORE}; {instead}.")


def _package():
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        message = "For 'export', the package onnx must be installed: pip install \"onnx>=1.14\"."
        raise ImportError(message) from error


def _target(file_name):
    from pathlib import Path  # not at the top: it brings urllib and ipaddress into the import of minispore

    path = Path(file_name if file_name.endswith(".onnx") else f"{file_name}.onnx")
    if path.is_dir():
        raise IsADirectoryError(f"For 'export', the 'file_name' must be a file, but got a folder, '{path}'.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"For 'export', the folder '{path.parent}' must exist, but there is none.")
    return path


def _model(onnx, net, inputs):
    """The model of the network in evaluation mode; its mode is put back."""
    modes = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        from minispore.data.serialization.onnx.trace import trace  # here, so that importing minispore stays quick

        traced = trace(net, inputs)
    finally:
        for cell, mode in modes:
            cell.training = mode
    rules = importlib.import_module("minispore.data.serialization.onnx.model")  # many rules, which few programs need
    return rules.model_of(onnx, traced, _input_names(net, inputs), type(net).__name__)


def _input_names(net, inputs):
    """A name for each Tensor of the inputs: its argument's in ``construct``, with a number in a tuple or list."""
    bound = inspect.signature(net.construct).bind(*inputs)
    names = []
    for name, value in bound.arguments.items():
        found = nest.select(Tensor, value)
        names += [name] if isinstance(value, Tensor) else [f"{name}_{i}" for i in range(len(found))]
    return names
