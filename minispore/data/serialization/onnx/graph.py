"""OnnxGraph: the nodes and constants of a graph while rules collect them."""

from typing import NamedTuple

import numpy as np

__all__ = []


class Operand(NamedTuple):
    """A value in the graph: its name, shape and dtype, and its array if it is a constant."""

    name: str
    shape: tuple
    dtype: np.dtype
    array: np.ndarray | None = None


class OnnxGraph:
    """Nodes in the order of computation, and constants by name.

    Args:
        onnx (module): The package ``onnx``.
    """

    def __init__(self, onnx):
        self.onnx, self.nodes, self.constants, self._count = onnx, [], {}, 0

    def add(self, operator, *inputs, results=1, **attributes):
        """Add a node; the name of its result, or a tuple of them for more ``results``.

        An input is a name, an Operand, an array (a constant then), or None for a missing input.
        """
        names = [self._name(x) for x in inputs]
        made = [self._new(operator) for _ in range(results)]
        self.nodes.append(self.onnx.helper.make_node(operator, names, made, name=made[0], **attributes))
        return made[0] if results == 1 else tuple(made)

    def constant(self, array, name=None):
        """The name of a new constant; ``name`` is used if it is free."""
        name = name if name and name not in self.constants else self._new(name or "constant")
        self.constants[name] = np.ascontiguousarray(array)
        return name

    def kind(self, dtype):
        """ONNX's number of a NumPy dtype."""
        return self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))

    def cast(self, x, dtype):
        """``x`` converted to a NumPy dtype."""
        return self.add("Cast", x, to=self.kind(dtype))

    def reshaped(self, x, shape):
        """``x`` in another shape; one with an empty axis stands as it is written."""
        return self.add("Reshape", x, np.array(shape, np.int64), allowzero=1)

    def _name(self, x):
        if x is None:
            return ""
        if isinstance(x, str):
            return x
        return x.name if isinstance(x, Operand) else self.constant(x)

    def _new(self, base):
        self._count += 1
        return f"{base}_{self._count}"
