"""The whole model: a network's trace as an ONNX ModelProto, each operation by its rule."""

import numpy as np

from minispore.core.errors import runtime_error, shown
from minispore.data.serialization.onnx import arrays, elementwise, layers  # noqa: F401 - they fill the table of rules
from minispore.data.serialization.onnx.graph import OnnxGraph, Operand
from minispore.data.serialization.onnx.rules import NoRuleError, rule_of
from minispore.graph.recorder import Value

__all__ = []

_OPERATORS, _FORMAT = 18, 8  # the versions of ONNX's operators and of its file format, of 2022


def model_of(onnx, traced, input_names, name):
    """The ModelProto of a :class:`~.trace.Trace`.

    Raises:
        RuntimeError: If an operation has no rule; the message names all such.
    """
    _check_rules(traced.steps)
    graph = OnnxGraph(onnx)
    operands = {i: _operand(n, traced.infos[i]) for i, n in enumerate(input_names)}
    for step in traced.steps:
        _apply(graph, step, traced, operands)
    outputs = [_output(graph, k, number, traced, operands) for k, number in enumerate(traced.outputs)]
    inputs = [_described(onnx, operands[i]) for i in range(traced.inputs)]
    used = {x for node in graph.nodes for x in node.input}
    weights = [onnx.numpy_helper.from_array(array, n) for n, array in graph.constants.items() if n in used]
    made = onnx.helper.make_graph(graph.nodes, name, inputs, outputs, weights)
    opset = [onnx.helper.make_opsetid("", _OPERATORS)]
    return onnx.helper.make_model(made, opset_imports=opset, ir_version=_FORMAT, producer_name="minispore")


def _check_rules(steps):
    missing = sorted({step.primitive.name for step in steps if rule_of(step.primitive) is None})
    if missing:
        expected = "every operation of the network must be one that ONNX's operators can say"
        raise runtime_error("export", expected, shown(", ".join(missing), str))


def _operand(name, info, array=None):
    return Operand(name, tuple(info.shape), np.dtype(info.dtype), array)


def _apply(graph, step, traced, operands):
    """Add a step's nodes."""
    arguments = [_argument(graph, a, traced, operands) for a in step.arguments]
    outputs = [traced.infos[y.number] for y in step.results]
    try:
        made = rule_of(step.primitive)(graph, step.primitive, arguments, outputs)
    except NoRuleError as reason:
        expected = "every operation of the network must be one that ONNX's operators can say"
        raise runtime_error("export", expected, f"'{step.primitive.name}': {reason}") from None
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
            expected = "every value must be one that ONNX's operators return"
            raise runtime_error("export", expected, "the statistics of BatchNorm or the positions of AdaptiveMaxPool2D")
        array, name = traced.constants[number]
        operands[number] = _operand(graph.constant(array, name), array, array)
    return operands[number]


def _output(graph, k, number, traced, operands):
    """The description of an output, which a node of its own names."""
    found = _argument(graph, Value(number), traced, operands)
    name = "output" if not k else f"output_{k}"
    graph.nodes.append(graph.onnx.helper.make_node("Identity", [found.name], [name], name=f"Identity_{name}"))
    return _described(graph.onnx, found._replace(name=name))


def _described(onnx, operand):
    kind = onnx.helper.np_dtype_to_tensor_dtype(operand.dtype)
    return onnx.helper.make_tensor_value_info(operand.name, kind, operand.shape)
