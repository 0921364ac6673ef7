"""PatternNode, VarNode: the parts of a pattern: calls of classes that read one another, and values in between."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.object_text import of_arguments
from minispore.rewrite.api.symbol_tree import Node


class PatternNode:
    """One call of a pattern: it matches a node that calls an object of exactly the class ``match_type``.

    Args:
        pattern_node_name (str): The name under which ``Replacement.build`` finds the node that it matched.
        match_type (type): The class of the called Cell or Primitive. Default: NoneType, which matches nothing.
        inputs (list[PatternNode]): The producers of the values that the node reads, one for each; without any, the
            values it reads are not compared. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
    """

    __repr__ = of_arguments

    def __init__(
        self, pattern_node_name: str, match_type: type = NoneType, inputs: Sequence[PatternNode] | None = None
    ) -> None:
        for argument, given, kind in (("pattern_node_name", pattern_node_name, str), ("match_type", match_type, type)):
            if not isinstance(given, kind):
                raise type_error("PatternNode", f"the '{argument}' must be a {kind.__name__}", type(given).__name__)
        self._name, self._type = pattern_node_name, match_type
        self.set_inputs([] if inputs is None else inputs)

    @staticmethod
    def create_pattern_from_list(type_list) -> PatternNode:
        """A chain of calls of these classes, each of which reads the previous one; returns the last.

        Raises:
            TypeError: If ``type_list`` is not a list of classes.
            ValueError: If it is empty.
        """
        if not isinstance(type_list, (list, tuple)) or not all(isinstance(kind, type) for kind in type_list):
            raise type_error("PatternNode", "the 'type_list' must be a list of classes", shown(type_list))
        if not type_list:
            raise value_error("PatternNode", "the 'type_list' must have at least one class", type_list)
        last = None
        for i, kind in enumerate(type_list):
            last = PatternNode(f"{i}-{kind}", kind, [] if last is None else [last])
        return last

    @staticmethod
    def from_node(node) -> PatternNode:
        """The pattern of one node: its name and the class it calls, with any inputs."""
        if not isinstance(node, Node):
            raise type_error("PatternNode", "the 'node' must be a Node", type(node).__name__)
        return PatternNode(node.get_name(), node.get_instance_type())

    @staticmethod
    def create_pattern_from_node(node) -> PatternNode:
        """The pattern of a node and all its producers, with a VarNode for each that calls no cell or primitive."""
        made = {}

        def pattern_of(node):
            if node not in made:
                made[node] = PatternNode.from_node(node) if node.get_instance() is not None else VarNode()
                made[node].set_inputs([pattern_of(each) for each in node.get_inputs() if not made[node].is_variable])
            return made[node]

        PatternNode.from_node(node)  # raises unless it is a Node
        return pattern_of(node)

    is_variable = False

    def name(self) -> str:
        """The name."""
        return self._name

    def type(self) -> Any:
        """The class that it matches."""
        return self._type

    def get_inputs(self) -> list[PatternNode]:
        """The producers of the values that the node reads, as a list."""
        return self._inputs

    def set_inputs(self, inputs) -> None:
        """Replace the inputs; TypeError if they are not a list of PatternNodes."""
        if not isinstance(inputs, (list, tuple)):
            raise type_error("PatternNode", "the 'inputs' must be a list of PatternNodes", type(inputs).__name__)
        self._inputs = []
        for each in inputs:
            self.add_input(each)

    def add_input(self, node) -> None:
        """Append an input; TypeError if it is not a PatternNode."""
        if not isinstance(node, PatternNode):
            raise type_error("PatternNode", "each of the 'inputs' must be a PatternNode", type(node).__name__)
        self._inputs.append(node)

    def match(self, node) -> bool:
        """True if a node calls an object of the class; its inputs are not compared."""
        if not isinstance(node, Node):
            raise type_error("PatternNode", "the 'node' must be a Node", type(node).__name__)
        return node.get_instance() is not None and node.get_instance_type() is self._type


class VarNode(PatternNode):
    """A value of a pattern, with any producer. One VarNode in two places stands for one value."""

    is_variable = True

    def __init__(self) -> None:
        super().__init__("placeholder", Cell)

    def match(self, node) -> bool:
        """True."""
        return True


def inputs_first(pattern, ended=None, readers=()):
    """The parts of a pattern, each once, inputs before their readers; ValueError if one is an input of its inputs."""
    ended = {} if ended is None else ended
    if pattern in readers:
        raise value_error("PatternEngine", "no part of the 'pattern' may be an input of its inputs", pattern.name())
    if pattern not in ended:
        for part in pattern.get_inputs():
            inputs_first(part, ended, (*readers, pattern))
        ended[pattern] = True
    return list(ended)


def matches(pattern, value, node, found):
    """True if ``value``, made by ``node``, matches; enters in ``found`` the match of each part of the pattern."""
    if pattern in found:
        return found[pattern] == (value, node)
    found[pattern] = value, node
    if not pattern.match(Node(node)):
        return False
    made = [(each, producer) for each, producer in node.values_and_producers() if producer is not None]
    inputs = pattern.get_inputs()
    return not inputs or (
        len(inputs) == len(made) and all(matches(part, *each, found) for part, each in zip(inputs, made, strict=True))
    )
