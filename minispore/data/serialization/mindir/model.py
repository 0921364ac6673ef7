"""Model: what a MINDIR file holds, as plain records, and as a message.

The format was learned from files that MindSpore 2.0.0 wrote. ``encoded`` and ``decoded`` are inverse to one another.

=========  =============================================================================================
model      version (field 1), producer (2), the producer's version (5), graph (7), further functions (8),
           primitives (12)
graph      nodes (field 1), name (2), Parameters (3), inputs (5), outputs (6)
node       inputs by name (field 1, one each), output (2), name (3), operation (4), values (5), place (7)
primitive  name (field 1), kind (2), attributes (3), the user's name for it (4)
=========  =============================================================================================

A node's operation is ``Constant``, with the value ``value``, or ``REF::`` and the name of a primitive or of another
node, whose result it then calls.
"""

from typing import Any, NamedTuple

import numpy as np

from minispore.data.serialization.mindir.values import (
    TENSOR_FIELDS,
    TENSOR_NAME,
    shape_message,
    shape_of,
    tensor_message,
    tensor_of,
    text_of,
    value_message,
    value_of,
)
from minispore.data.serialization.protobuf import BYTES, NUMBER, bytes_field, message, number_field

__all__ = []

_VERSION, _PRODUCER, _OF_VERSION = "0.1.1", "MindSpore", "2.0.0"
_MODEL = {1: BYTES, 2: BYTES, 3: BYTES, 4: BYTES, 5: BYTES, 6: BYTES, 7: BYTES, 8: BYTES, 9: BYTES, 10: NUMBER}
_MODEL |= {12: BYTES, 13: NUMBER}
_GRAPH = {1: BYTES, 2: BYTES, 3: BYTES, 5: BYTES, 6: BYTES, 7: BYTES, 8: BYTES, 9: BYTES}
_NODE = {1: BYTES, 2: BYTES, 3: BYTES, 4: BYTES, 5: BYTES, 7: BYTES, 8: BYTES}
_PRIMITIVE = {1: BYTES, 2: BYTES, 3: BYTES, 4: BYTES, 5: NUMBER}
_DESCRIBED = {1: BYTES, 2: BYTES, 4: BYTES, 5: BYTES}
REFERENCE, CONSTANT = "REF::", "Constant"


class Primitive(NamedTuple):
    """A primitive: its kind (MindSpore's name) and its attributes."""

    kind: str
    attributes: dict


class Node(NamedTuple):
    """A node: the names of its inputs and its output, and a primitive's or node's name; a constant has a value."""

    inputs: tuple
    output: str
    operation: str | None
    value: Any = None


class Described(NamedTuple):
    """An input or an output: its name, and its shape and type if it is a Tensor."""

    name: str
    shape: tuple = ()
    dtype: Any = None


class Graph(NamedTuple):
    """A function: its nodes in order, inputs and outputs (:class:`Described`); its Parameters by their names within it.

    A Parameter is a pair of its own name and its array.
    """

    name: str
    nodes: list
    parameters: dict
    inputs: list
    outputs: list


class Model(NamedTuple):
    """A whole file: the graph, further functions by name, the primitives by name."""

    graph: Graph
    functions: dict
    primitives: dict


def encoded(model):
    """The bytes of a model's message."""
    texts = {1: _VERSION, 2: _PRODUCER, 5: _OF_VERSION}
    head = b"".join(bytes_field(number, text.encode()) for number, text in texts.items())
    graphs = bytes_field(7, _graph_message(model.graph))
    graphs += b"".join(bytes_field(8, _graph_message(graph)) for graph in model.functions.values())
    primitives = [bytes_field(12, _primitive_message(name, p)) for name, p in model.primitives.items()]
    return head + graphs + number_field(10, 1) + b"".join(primitives) + number_field(13, 1)


def _graph_message(graph):
    parts = [bytes_field(1, _node_message(node)) for node in graph.nodes]
    parts.append(bytes_field(2, graph.name.encode()))
    parts += [bytes_field(3, tensor_message(array, local, name)) for local, (name, array) in graph.parameters.items()]
    parts += [bytes_field(5, _described_message(x)) for x in graph.inputs]
    parts += [bytes_field(6, _described_message(x)) for x in graph.outputs]
    return b"".join(parts)


def _described_message(described):
    name = bytes_field(1, described.name.encode())
    if described.dtype is None:
        return name
    return name + bytes_field(2, shape_message(described.shape, described.dtype))


def _node_message(node):
    parts = [bytes_field(1, name.encode()) for name in node.inputs]
    parts += [bytes_field(number, node.output.encode()) for number in (2, 3)]
    if node.operation is None:
        return b"".join([*parts, bytes_field(4, CONSTANT.encode()), bytes_field(5, value_message(node.value, "value"))])
    parts.append(bytes_field(4, (REFERENCE + node.operation).encode()))
    return b"".join([*parts, bytes_field(7, f"Default/{node.operation}".encode())])


def _primitive_message(name, primitive):
    parts = [bytes_field(1, name.encode()), bytes_field(2, primitive.kind.encode())]
    return b"".join(parts + [bytes_field(3, value_message(v, n)) for n, v in primitive.attributes.items()])


def decoded(data):
    """The :class:`Model` of a message.

    Raises:
        ValueError: If it is none; the message continues "the file must".
    """
    found = message(data, _MODEL)
    if len(found[7]) != 1 or not found[1]:
        raise ValueError(f"hold a version and one graph, but got {len(found[1])} and {len(found[7])}")
    functions = [_graph_of(graph) for graph in found[8]]
    primitives = dict(_primitive_of(primitive) for primitive in found[12])
    return Model(_graph_of(found[7][0]), {graph.name: graph for graph in functions}, primitives)


def _one(texts, of):
    if len(texts) != 1:
        raise ValueError(f"hold one name of each {of}, but got {len(texts)}")
    return text_of(texts[0])


def _graph_of(data):
    found = message(data, _GRAPH)
    inputs, outputs = [[_described_of(described) for described in found[n]] for n in (5, 6)]
    return Graph(
        _one(found[2], "graph"),
        [_node_of(n) for n in found[1]],
        dict(_parameter_of(data) for data in found[3]),
        inputs,
        outputs,
    )


def _described_of(data):
    found = message(data, _DESCRIBED)
    name = _one(found[1], "input and output")
    return Described(name, *shape_of(found[2][0])) if found[2] else Described(name)


def _parameter_of(data):
    """The name of a Parameter within its graph; its own name and its array."""
    array, name = tensor_of(data)
    if not isinstance(array, np.ndarray):
        raise ValueError(f"hold the content of each Parameter, but got none of '{name:.40}'")
    return _one(message(data, TENSOR_FIELDS)[TENSOR_NAME], "Parameter"), (name, array)


def _node_of(data):
    found = message(data, _NODE)
    inputs, output = tuple(text_of(name) for name in found[1]), _one(found[2], "node's output")
    operation = _one(found[4], "node's operation")
    if operation == CONSTANT:
        values = dict(value_of(value) for value in found[5])
        if "value" not in values:
            raise ValueError(f"hold a value in each constant, but got none in '{output:.40}'")
        return Node(inputs, output, None, values["value"])
    if not operation.startswith(REFERENCE):
        raise ValueError(f"hold operations by reference, but got '{operation:.40}'")
    return Node(inputs, output, operation.removeprefix(REFERENCE))


def _primitive_of(data):
    found = message(data, _PRIMITIVE)
    if found[5] and found[5][-1] != 1:
        raise ValueError("be one of MindSpore 2.0: the attributes of its primitives must have names, as up to there")
    name, kind = _one(found[1], "primitive"), _one(found[2], "primitive's kind")
    return name, Primitive(kind, dict(value_of(attribute) for attribute in found[3]))
