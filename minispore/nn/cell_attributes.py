"""Owner: setting and reading a Cell's attributes; a Cell owns its Parameters and child Cells by name."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from minispore.core.checks import check_switch, check_text
from minispore.core.errors import type_error
from minispore.core.parameter import Parameter
from minispore.nn.cell_edits import Owned
from minispore.nn.cell_table import Table, note_change
from minispore.nn.cell_tree import CellTree
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.nn.slips import no_attribute

__all__ = []

NOT_BEGUN = "the __init__ of a Cell must call super().__init__() before it assigns a Parameter or a Cell"


_TABLES = frozenset((Table, OrderedDict, dict))  # types of attributes that a copy of a cell copies too


class Owner(Owned, CellTree):
    """Base of Cell: attributes that are Parameters or Cells are owned, and listed in order."""

    _unnamed = 0  # number of Parameters in tuples and lists with a numbered name
    _slips = ("Cell",)  # tables of other frameworks' names, for the advice in errors

    def __init__(self) -> None:
        object.__setattr__(self, "_params", Table())
        object.__setattr__(self, "_cells", Table())

    def __getattr__(self, name: str) -> Any:
        """Look the name up among Parameters and child cells, which normal lookup does not find."""
        owned = self.__dict__
        for table in ("_params", "_cells"):
            if table in owned and name in owned[table]:
                return owned[table][name]
        if name == "_compute_dtype":  # a call reads it first: without it, __init__ of the base has not run
            raise AttributeError(f"For '{type(self).__name__}', {NOT_BEGUN}, but it never was.")
        raise no_attribute(f"The '{type(self).__name__}' object", name, self._slips, self.__dir__, self)

    def __dir__(self):
        """The attributes, Parameters and child cells included."""
        owned = self.__dict__
        return sorted({*super().__dir__(), *owned.get("_params", ()), *owned.get("_cells", ())})

    def __setattr__(self, name, value):
        if isinstance(value, (Parameter, ParameterTuple, Owner)):
            if "_params" not in self.__dict__:
                raise AttributeError(f"For '{type(self).__name__}', {NOT_BEGUN}, but '{name}' was assigned first.")
            if isinstance(value, Owner):
                self._set_child(name, value)
            elif isinstance(value, Parameter):
                self.__dict__.pop(name, None)
                self.insert_param_to_cell(name, value)
            else:
                self._name_row(name, value)
                object.__setattr__(self, name, value)
                for parameter in value:
                    self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
                note_change(name)
        elif name in self.__dict__.get("_params", ()):
            self._set_parameter_value(name, value)
        elif name in self.__dict__.get("_cells", ()) and value is not None:
            raise type_error(type(self).__name__, f"the '{name}' must be a Cell", type(value).__name__)
        elif name in self.__dict__.get("_cells", ()):
            self._cells[name] = None
        else:
            if isinstance(value, (tuple, list)) and value and all(isinstance(p, Parameter) for p in value):
                self._name_row(name, value)
            object.__setattr__(self, name, value)
            note_change(name)

    def _set_child(self, name, cell):
        if name in self._params:
            raise type_error(type(self).__name__, f"the '{name}' must be a Parameter", type(cell).__name__)
        self.__dict__.pop(name, None)
        self._cells[name] = cell
        # A checkpoint finds a Parameter by its name. So the name gets the path's parts, from the innermost owner
        # outwards.
        if self._auto_prefix:
            cell.update_parameters_name(name + ".")

    def _replace_child(self, name, cell):
        """Replace the child ``name`` by ``cell``; the names of its Parameters stay."""
        self._cells[name] = cell

    def insert_param_to_cell(
        self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True
    ) -> None:
        """Own ``param`` under ``param_name``; a Parameter without a name takes that name.

        Raises:
            KeyError: If the name contains a dot or is an attribute already.
            TypeError: If ``param`` is neither a Parameter nor None.
        """
        check_text("insert_param_to_cell", "param_name", param_name)
        check_switch("insert_param_to_cell", "check_name_contain_dot", check_name_contain_dot)
        if not param_name or (check_name_contain_dot and "." in param_name):
            raise KeyError(
                f"For 'insert_param_to_cell', the name must be without '.', and not empty, but got '{param_name}'."
            )
        taken = hasattr(type(self), param_name) or param_name in self.__dict__
        if taken and param_name not in self._params:
            raise KeyError(f"For 'insert_param_to_cell', the name '{param_name}' is an attribute already.")
        if param is not None and not isinstance(param, Parameter):
            raise type_error("insert_param_to_cell", "the 'param' must be a Parameter or None", type(param).__name__)
        self._cells.pop(param_name, None)
        if param is not None and param.name == "Parameter":
            param.name = param_name
        self._params[param_name] = param

    def __copy__(self):
        """A cell with the same Parameters and child cells, and its own tables, compute dtype, flags and hooks."""
        other = object.__new__(type(self))
        for name, value in self.__dict__.items():
            object.__setattr__(other, name, value.copy() if type(value) in _TABLES else value)
        return other
