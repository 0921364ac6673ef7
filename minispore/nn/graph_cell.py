"""GraphCell: a cell around the graph of a MINDIR file, which ``load`` returns."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell

__all__ = ["GraphCell"]


class FuncGraph:
    """The base of what ``load`` returns: a function of inputs and Parameters, with the Parameters' values by name."""

    parameters: dict[str, Any]

    def __call__(self, inputs: tuple[Any, ...], parameters: dict[str, Any]) -> Any:
        """The outputs for ``inputs``, with ``parameters`` by name; a subclass defines it."""
        raise NotImplementedError


class GraphCell(Cell):
    """A cell that runs the graph of a MINDIR file; its Parameters are those of the file.

    Inputs have the shapes and dtypes that the file names.

    Args:
        graph (FuncGraph): What ``load`` returns.
        params_init (dict): Other initial values, Tensors or Parameters by name. Names that the graph has not are left
            out. Default: None.
        obf_random_seed (int): The seed of an obfuscated graph, which is refused. Default: None.

    Raises:
        TypeError: If the ``graph`` is none, or ``params_init`` is not a dict of Tensors by name.
        ValueError: If a value has another shape or dtype than the Parameter.
        NotImplementedError: If ``obf_random_seed`` is given.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> from minispore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.mindir")
        >>> ms.export(nn.ReLU(), ms.Tensor([1.0, -1.0]), file_name=path, file_format="MINDIR")
        >>> print(nn.GraphCell(ms.load(path))(ms.Tensor([-2.0, 3.0])))
        [0. 3.]
    """

    def __init__(
        self, graph: object, params_init: dict[str, Any] | None = None, obf_random_seed: int | None = None
    ) -> None:
        super().__init__(auto_prefix=True)
        if not isinstance(graph, FuncGraph):
            raise type_error(self.cls_name, "the 'graph' must be one that 'load' returned", shown(graph))
        if obf_random_seed is not None:
            raise NotImplementedError("For 'GraphCell', the graph must not be obfuscated, but got a seed.")
        self.graph = graph
        given = _checked({} if params_init is None else params_init)
        for name, array in graph.parameters.items():
            self._params[name] = Parameter(_initial(name, Tensor(array), given.get(name)), name=name)

    def construct(self, *inputs):
        return self.graph(inputs, self._params)


def _checked(given):
    """``params_init``, which must be a dict of Tensors by name."""
    if not isinstance(given, dict):
        raise type_error("GraphCell", "the 'params_init' must be a dict", shown(given))
    for name, value in given.items():
        if not isinstance(name, str) or not isinstance(value, Tensor):
            raise type_error(
                "GraphCell", "the 'params_init' must hold Tensors by name", f"{shown(name)}: {shown(value)}"
            )
    return given


def _initial(name, value, given):
    """The initial value of a Parameter: ``given``, where it is of the shape and dtype of the graph's."""
    if given is None:
        return value
    if given.shape != value.shape or given.dtype != value.dtype:
        expected = f"the value of '{name}' must have shape {value.shape} and dtype {value.dtype}"
        raise value_error("GraphCell", expected, f"{given.shape} and {given.dtype}")
    return given
