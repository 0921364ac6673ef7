"""MindirGraph: the nodes, constants, Parameters and primitives of a graph while rules collect them."""

from typing import NamedTuple

import numpy as np

from minispore.data.serialization.mindir.model import Node, Primitive
from minispore.data.serialization.mindir.signatures import names_of

__all__ = []


class Operand(NamedTuple):
    """A value in the graph: its name, shape and dtype, and its array if it is a constant."""

    name: str
    shape: tuple
    dtype: np.dtype
    array: np.ndarray | None = None


class MindirGraph:
    """Nodes in the order of computation, Parameters and primitives by name.

    Args:
        taken (list): Names that no value may have: those of the inputs.
    """

    def __init__(self, taken):
        self.nodes, self.parameters, self.primitives = [], {}, {}
        self._taken, self._constants, self._count = set(taken), {}, 0

    def add(self, kind, *inputs, results=None, **attributes):
        """Add a node of MindSpore's primitive ``kind``; the name of its result, or a tuple of names for ``results``.

        An input is a name, an Operand, a list of such (a tuple in the graph then), or a constant of Python's.
        """
        made = self._new(kind)
        self.nodes.append(Node(tuple(self.name(x) for x in inputs), made, self._primitive(kind, attributes)))
        if results is None:
            return made
        return tuple(self.add("TupleGetItem", Operand(made, (), None), i) for i in range(results))

    def constant(self, value):
        """The name of a constant's node; equal numbers and texts share one."""
        key = (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else repr(value)
        if key not in self._constants:
            self._constants[key] = self._new("constant")
            self.nodes.append(Node((), self._constants[key], None, value))
        return self._constants[key]

    def parameter(self, name, array):
        """The name of a Parameter in the graph."""
        local = self.free(name)
        self.parameters[local] = name, array
        return local

    def name(self, x):
        """The name of a value; a constant enters the graph."""
        if isinstance(x, list):
            return self.add("MakeTuple", *x)
        return x.name if isinstance(x, Operand) else self.constant(x)

    def _primitive(self, kind, attributes):
        attributes = {**names_of(kind), **attributes}
        found = next((name for name, p in self.primitives.items() if _same(p, kind, attributes)), None)
        if found is None:
            found = self._new(f"{kind}:")
            self.primitives[found] = Primitive(kind, attributes)
        return found

    def free(self, name):
        """``name`` if nothing has it yet, else a longer one; from now on it is taken."""
        free = self._new(name) if name in self._taken else name
        self._taken.add(free)
        return free

    def _new(self, base):
        """A name that nothing has yet."""
        while True:
            self._count += 1
            name = f"{base}_{self._count}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def _same(primitive, kind, attributes):
    return primitive.kind == kind and repr(primitive.attributes) == repr(attributes)
