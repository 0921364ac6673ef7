"""The facts of a Node: its name and kind, the object that it calls, its values and its attributes."""

from __future__ import annotations

from typing import Any

from minispore.rewrite.edit import node_attributes
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue

__all__ = []


class NodeFacts:
    """Base of Node: what its ``get_`` methods return that is no other node."""

    def get_name(self) -> str:
        """The node's name."""
        return self._handler.name

    def get_node_type(self) -> NodeType:
        """The NodeType."""
        return self._handler.kind

    def get_instance(self) -> Any:
        """The called Cell or Primitive; None for other nodes."""
        return self._handler.instance

    def get_instance_type(self) -> type[Any]:
        """The class of the called object; NoneType for other nodes."""
        return self._handler.called_type

    def get_targets(self) -> list[ScopedValue] | None:
        """The values it defines, as a list; None for the output, which defines none."""
        return None if self.get_node_type() is NodeType.Output else list(self._handler.targets)

    def get_args(self) -> list[ScopedValue]:
        """The values it reads, as a list."""
        return list(self._handler.args)

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """The values it reads by keyword, as a dict."""
        return self._handler.kwargs

    def get_attributes(self) -> dict[str, Any]:
        """The attributes of the called object and those set on the node, as one dict for the node's life.

        A framework cell or a primitive contributes its public attributes, and its class as "cls"; other objects
        contribute nothing.
        """
        return node_attributes.of(self._handler)

    def get_attribute(self, key: str) -> Any:
        """The attribute ``key``, a str; None if there is none."""
        return node_attributes.of(self._handler).get(node_attributes.checked(key))

    def set_attribute(self, key: str, value: object) -> None:
        """Set the attribute ``key``, a str, of the node to ``value``; the called object does not change."""
        node_attributes.of(self._handler)[node_attributes.checked(key)] = value
