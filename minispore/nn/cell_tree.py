"""Walks over the tree of a cell: its cells and Parameters with their paths.

A cell owns its Parameters and child cells in two ordered dicts, ``_params`` and ``_cells``, so parameters come in the
order of assignment. The only traversal is ``cells_and_names``; the rest are one-liners over it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from typing import Any, Self

from minispore.core.checks import check_switch
from minispore.core.parameter import Parameter
from minispore.nn.parameter_lists import ParameterLists
from minispore.ops.object_checks import check_callable

__all__ = []


class CellTree(ParameterLists):
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
