"""Owner: setting and reading a Cell's attributes; a Cell owns its Parameters and child Cells by name."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from minispore.core.checks import check_switch, check_text
from minispore.core.context import changes
from minispore.core.errors import type_error, value_error
from minispore.core.layers import refuse
from minispore.core.parameter import Parameter, ParameterTuple
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.nn.cell_tree import CellTree
from minispore.nn.slips import no_attribute

__all__ = []

NOT_BEGUN = "the __init__ of a Cell must call super().__init__() before it assigns a Parameter or a Cell"


class Table(OrderedDict):
    """A cell's Parameters or child cells by name; changes are counted, since a recorded step depends on them."""

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        note_change(name)

    def __delitem__(self, name):
        super().__delitem__(name)
        note_change(name)

    def pop(self, name, *default):
        """Remove an entry, and return it."""
        if name in self:
            note_change(name)
        return super().pop(name, *default)


def note_change(name):
    """Invalidate recorded steps: their path may depend on a cell's contents."""
    changes.count += 1
    if running.refuse:
        refuse(f"the attribute '{name}' of a cell changes while it runs")


_TABLES = frozenset((Table, OrderedDict, dict))  # types of attributes that a copy of a cell copies too


class Owner(CellTree):
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
        raise no_attribute(f"The '{type(self).__name__}' object", name, self._slips, self.__dir__)

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

    def _set_parameter_value(self, name, value):
        if value is None:
            self._params[name] = None
        elif isinstance(value, Tensor) and self._params[name] is not None:
            self._params[name].set_data(value)
        else:
            raise type_error(type(self).__name__, f"the '{name}' must be a Parameter or a Tensor", type(value).__name__)

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
        if child_cell is not None and not isinstance(child_cell, Owner):
            raise type_error(
                "insert_child_to_cell", "the 'child_cell' must be a Cell or None", type(child_cell).__name__
            )
        self._cells[child_name] = child_cell

    def __copy__(self):
        """A cell with the same Parameters and child cells, and its own tables, compute dtype, flags and hooks."""
        other = object.__new__(type(self))
        for name, value in self.__dict__.items():
            object.__setattr__(other, name, value.copy() if type(value) in _TABLES else value)
        return other
