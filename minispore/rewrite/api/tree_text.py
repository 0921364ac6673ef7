"""A tree as text: its source in a file, a table, a dump and a picture."""

from __future__ import annotations

from minispore.core.checks import check_bool
from minispore.core.errors import type_error, value_error
from minispore.rewrite import graphviz, show

__all__ = []


def replace_file(path, write, operation):
    """Let ``write(file)`` fill a file. The room ``data`` puts a way here that replaces it entirely or not at all."""
    with open(path, "wb") as file:
        write(file)


class TreeText:
    """Base of SymbolTree: what is written to a file, printed or drawn of it."""

    def set_saved_file_name(self, file_name: str) -> None:
        """Set the file of :meth:`save_network_to_file`; ``.py`` is appended to a name without it.

        Raises:
            TypeError: If ``file_name`` is not a str.
            ValueError: If it is empty.
        """
        if not isinstance(file_name, str):
            raise type_error("set_saved_file_name", "the 'file_name' must be a str", type(file_name).__name__)
        if not file_name:
            raise value_error("set_saved_file_name", "the 'file_name' must not be empty", repr(file_name))
        self._handler.forest.file_name = file_name if file_name.endswith(".py") else file_name + ".py"

    def get_saved_file_name(self) -> str:
        """The file of :meth:`save_network_to_file`: ``./network_define.py`` unless another name was set."""
        return vars(self._handler.forest).get("file_name", "./network_define.py")

    def save_network_to_file(self) -> None:
        """Write the source, as :meth:`get_code` returns it, to a file that can be imported.

        Raises:
            ValueError: If an argument of a node is not defined; the message names both.
            OSError: If the file cannot be written; an existing one is then unchanged.
        """
        text = self.get_code().encode("utf-8")
        replace_file(self.get_saved_file_name(), lambda file: file.write(text), "save_network_to_file")

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print the nodes as a table, with ``all_nodes`` also those of inner trees."""
        check_bool("print_node_tabulate", "all_nodes", all_nodes)
        print(show.table(self._handler))
        for tree in self._handler.forest.trees.values() if all_nodes else ():
            if tree is not self._handler:
                print(f"\n{type(tree.network).__name__}\n{show.table(tree)}")

    def dump(self) -> None:
        """Print each node with the values it reads, the object it calls and its attributes, for debugging."""
        print(show.dump(self._handler))

    def to_graphviz(self, color_by: str = "type") -> str:
        """The tree, with inner trees as frames, as text for Graphviz's ``dot``.

        Args:
            color_by (str): "type" colours nodes by their NodeType, "dtype" by the dtype that they run in: float16 and
                float32 for marked cells and casts, no colour for the others. Default: "type".

        Raises:
            ValueError: If ``color_by`` is unknown.
        """
        return graphviz.graphviz(self._handler, color_by)
