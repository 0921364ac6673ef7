"""Edits of what a Cell owns: names for a row of Parameters, new values, a child by its name, removal."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell_table import note_change

__all__ = []


class Owned:
    """Base of Cell: the edits that ``cell_attributes.py`` does not need for each attribute."""

    def _name_row(self, attribute, parameters):
        """Name unnamed Parameters in a tuple or list ``Parameter$1``, ``Parameter$2``, ...; names must differ."""
        parameters = list(dict.fromkeys(parameters))
        names = [p.name for p in parameters if p.name != "Parameter"]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise value_error(type(self).__name__, f"the names in '{attribute}' must differ", f"'{twice}' twice")
        taken = self.__dict__.get("_params", ())
        for parameter in (p for p in parameters if p.name == "Parameter"):
            while parameter.name == "Parameter" or parameter.name in names or parameter.name in taken:
                object.__setattr__(self, "_unnamed", self._unnamed + 1)
                parameter.name = f"Parameter${self._unnamed}"

    def __delattr__(self, name):
        for table in (self.__dict__.get("_params", {}), self.__dict__.get("_cells", {})):
            if name in table:
                del table[name]
                return
        object.__delattr__(self, name)
        note_change(name)

    def _set_parameter_value(self, name, value):
        if value is None:
            self._params[name] = None
        elif isinstance(value, Tensor) and self._params[name] is not None:
            self._params[name].set_data(value)
        else:
            raise type_error(type(self).__name__, f"the '{name}' must be a Parameter or a Tensor", type(value).__name__)

    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Own ``child_cell`` under ``child_name``; it replaces a cell of that name.

        Raises:
            KeyError: If the name contains a dot, or belongs to a Parameter or another attribute.
            TypeError: If ``child_cell`` is neither a Cell nor None.
        """
        check_text("insert_child_to_cell", "child_name", child_name)
        if not child_name or "." in child_name:
            raise KeyError(
                f"For 'insert_child_to_cell', the name must be without '.', and not empty, but got '{child_name}'."
            )
        if child_name not in self._cells and hasattr(self, child_name):
            raise KeyError(f"For 'insert_child_to_cell', the name '{child_name}' is taken.")
        if child_cell is not None and not isinstance(child_cell, Owned):
            raise type_error(
                "insert_child_to_cell", "the 'child_cell' must be a Cell or None", type(child_cell).__name__
            )
        self._cells[child_name] = child_cell
