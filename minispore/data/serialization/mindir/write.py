"""The whole file: a network's trace as a :class:`~.model.Model`, each operation by its rule."""

import numpy as np

from minispore.core import nest
from minispore.core.errors import runtime_error, shown
from minispore.core.tensor import Tensor
from minispore.data.serialization.mindir import arrays, direct, layers, recurrence  # noqa: F401 - they fill the table
from minispore.data.serialization.mindir.graph import MindirGraph, Operand
from minispore.data.serialization.mindir.model import Described, Graph, Model, encoded
from minispore.data.serialization.mindir.rules import rule_of
from minispore.data.serialization.mindir.values import NotSaidError
from minispore.graph.recorder import Value

__all__ = []

_SAYABLE = "every operation of the network must be one that MindSpore's primitives can say"


def content_of(traced, input_names, name):
    """The bytes of the file of a :class:`~..trace.Trace`; RuntimeError as of :func:`model_of`."""
    try:
        return encoded(model_of(traced, input_names, name))
    except NotSaidError as reason:
        raise runtime_error("export", "every value must be one that MINDIR can hold", f"the reason: {reason}") from None


def model_of(traced, input_names, name):
    """The :class:`~.model.Model` of a :class:`~..trace.Trace`.

    Raises:
        RuntimeError: If an operation has no rule; the message names all such.
    """
    _check_rules(traced.steps)
    graph = MindirGraph(input_names)
    name = graph.free(name)
    operands = {i: _operand(n, traced.infos[i]) for i, n in enumerate(input_names)}
    inputs = [Described(n, traced.infos[i].shape, traced.infos[i].dtype) for i, n in enumerate(input_names)]
    for step in traced.steps:
        _apply(graph, step, traced, operands)
    found = [_argument(graph, Value(number), traced, operands) for number in traced.outputs]
    output = _returned(graph, nest.replace_leaves(Tensor, traced.nest, found))
    return Model(Graph(name, graph.nodes, graph.parameters, inputs, [output]), {}, graph.primitives)


def _check_rules(steps):
    missing = sorted({step.primitive.name for step in steps if rule_of(step.primitive) is None})
    if missing:
        raise runtime_error("export", _SAYABLE, shown(", ".join(missing), str))


def _operand(name, info, array=None):
    return Operand(name, tuple(info.shape), np.dtype(info.dtype), array)


def _apply(graph, step, traced, operands):
    """Add a step's nodes."""
    arguments = [_argument(graph, a, traced, operands) for a in step.arguments]
    outputs = [traced.infos[y.number] for y in step.results]
    try:
        made = rule_of(step.primitive)(graph, step, arguments, outputs)
    except NotSaidError as reason:
        raise runtime_error("export", _SAYABLE, f"'{step.primitive.name}': {reason}") from None
    for value, name in zip(step.results, (made,) if isinstance(made, str) else made, strict=True):
        if name is not None:
            operands[value.number] = _operand(name, traced.infos[value.number])


def _argument(graph, argument, traced, operands):
    """An argument of a step as a rule takes it; a Parameter or another constant enters the graph by its first use."""
    if not isinstance(argument, Value):
        return argument
    number = argument.number
    if number not in operands:
        if number not in traced.constants:
            raise runtime_error(
                "export", "every value must be one that MindSpore's primitives return", f"number {number}"
            )
        array, name = traced.constants[number]
        local = graph.constant(array) if name is None else graph.parameter(name, array)
        operands[number] = _operand(local, array, array)
    return operands[number]


def _returned(graph, out):
    """The description of the output: a Tensor, or a tuple of outputs."""
    if isinstance(out, Operand):
        return Described(out.name, out.shape, out.dtype)
    return Described(_named(graph, out))


def _named(graph, out):
    if type(out) in (tuple, list):
        return graph.add("MakeTuple", *[Operand(_named(graph, part), (), None) for part in out])
    if not isinstance(out, Operand):
        raise runtime_error("export", "the network must return Tensors, or tuples of them", shown(out))
    return out.name
