"""Walks over the tree of a cell: its cells and Parameters with their paths, and the lists of them.

A cell owns its Parameters and child cells in two ordered dicts, ``_params`` and ``_cells``, so parameters come in the
order of assignment. The only traversal is ``cells_and_names``; the rest are one-liners over it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from typing import Any, Self
from weakref import WeakSet

from minispore.core import nest
from minispore.core.checks import check_switch, check_text
from minispore.core.errors import value_error
from minispore.core.parameter import Parameter
from minispore.ops.object_checks import check_callable

__all__ = []

_log = logging.getLogger("minispore")
_warned = WeakSet()  # cells already named in a warning of unowned cells


def _is_trainable(value):
    return isinstance(value, CellTree) and any(p.requires_grad for p in value.get_parameters())


class CellTree:
    """Base of Cell: walks over the tree that cells form."""

    def cells_and_names(self, cells: set[Any] | None = None, name_prefix: str = "") -> Iterator[tuple[str, Any]]:
        """Every cell of the tree with its path, this one first (its path is ``name_prefix``), each cell once."""
        # A cell may be held twice, or hold an ancestor: `seen` makes the traversal visit each one once, and end.
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Every Parameter with its path, each once; with ``expand=False`` only this cell's own."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]:
            for name, parameter in cell._params.items():
                if parameter is not None and parameter not in seen:
                    seen.add(parameter)
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """Every Parameter, each once."""
        check_switch("get_parameters", "expand", expand)
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters with ``requires_grad``, as a list.

        As in MindSpore, a cell does not own cells in a tuple, list or dict: a warning names them once.
        """
        check_switch("trainable_params", "recurse", recurse)
        if recurse:
            self._warn_of_unowned()
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def _warn_of_unowned(self):
        """Warn once of each tuple, list and dict of cells whose Parameters no cell owns."""
        owned = dict.fromkeys(cell for _, cell in self.cells_and_names())
        for cell in [cell for cell in owned if cell not in _warned]:
            for name, value in cell.__dict__.items():
                if nest.is_nest(value) and any(
                    _is_trainable(part) and part not in owned for part in nest.leaves(value)
                ):
                    _warned.add(cell)
                    kind, holder = type(cell).__name__, type(value).__name__
                    _log.warning(
                        "For '%s', the cells in the %s '%s' are not owned, so nothing trains their Parameters: "
                        "make it a CellList or a SequentialCell.",
                        kind,
                        holder,
                        name,
                    )

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters without ``requires_grad``, as a list."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """The Parameters by name, in order."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def parameters_broadcast_dict(self, recurse: bool = True) -> dict[str, Parameter] | None:
        """The Parameters by name, in order; None if there are none."""
        return self.parameters_dict(recurse) or None

    def cells(self) -> Collection[Any]:
        """The child cells."""
        return self.name_cells().values()

    def name_cells(self) -> dict[str, Any]:
        """The child cells by attribute name, each cell once."""
        names = {}
        for name, cell in self._cells.items():
            if cell is not None and cell not in names.values():
                names[name] = cell
        return OrderedDict(names)

    def apply(self, fn: Callable[[Any], object]) -> Self:
        """Call ``fn`` with every cell of the tree, children first; returns the cell."""
        check_callable("apply", "fn", fn)
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name each Parameter ``prefix`` and its path."""
        check_switch("update_parameters_name", "recurse", recurse)
        check_text("update_parameters_name", "prefix", prefix)
        for path, parameter in list(self.parameters_and_names(expand=recurse)):
            parameter.name = prefix + path

    def check_names(self) -> None:
        """Check that no two Parameters have the same name.

        Raises:
            ValueError: If two have; the message gives the name.
        """
        names = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise value_error(
                    type(self).__name__, f"the name of '{path}' must be unique", f"'{parameter.name}' twice"
                )
            names.add(parameter.name)
