"""CellDict, of MindSpore 2.1: holds cells as a dict does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell

__all__ = ["CellDict"]


class CellDict(Cell):
    """Cells held by names, as a dict holds them; a CellDict cannot be called.

    Args:
        args: One dict of Cells, or an iterable of pairs of a name and a Cell.

    Raises:
        TypeError: If a name is not a str, or a value not a Cell.
        ValueError: If a name is empty or has a dot.

    Examples:
        >>> import minispore as ms
        >>> cells = ms.nn.CellDict({"act": ms.nn.ReLU()})
        >>> print(list(cells.keys()), "act" in cells)
        ['act'] True
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise type_error("CellDict", "the only keyword is 'auto_prefix'", sorted(kwargs))
        if len(args) > 1:
            raise type_error("CellDict", "there must be one dict or iterable of pairs", len(args))
        if args:
            self.update(args[0])

    def _checked(self, name, cell):
        if not isinstance(name, str):
            raise type_error("CellDict", "each name must be a str", shown(name))
        if not name or "." in name:
            raise value_error("CellDict", "each name must be a word without dots", shown(name))
        if not isinstance(cell, Cell):
            raise type_error("CellDict", "each value must be a Cell", type(cell).__name__)
        return name, cell

    def update(self, cells) -> None:
        """Take the cells of a dict, of another CellDict, or of pairs: all of them or none."""
        if not isinstance(cells, (Mapping, CellDict, list, tuple)):
            raise type_error("CellDict", "the 'cells' must be a dict or a list of pairs", type(cells).__name__)
        pairs = cells.items() if isinstance(cells, (Mapping, CellDict)) else cells
        for pair in pairs:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise type_error("CellDict", "each of the 'cells' must be a pair of a name and a Cell", shown(pair))
        for name, cell in [self._checked(*pair) for pair in pairs]:
            self._cells[name] = cell
            if self._auto_prefix:
                cell.update_parameters_name(f"{name}.")

    def __getitem__(self, name) -> Any:
        return self._cells[name]

    def __setitem__(self, name, cell) -> None:
        self.update([(name, cell)])

    def __delitem__(self, name) -> None:
        del self._cells[name]

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return len(self._cells) != 0

    def __iter__(self) -> Any:
        return iter(self._cells)

    def __contains__(self, name) -> bool:
        return name in self._cells

    def keys(self) -> Any:
        """The names."""
        return self._cells.keys()

    def values(self) -> Any:
        """The cells."""
        return self._cells.values()

    def items(self) -> Any:
        """Pairs of a name and a cell."""
        return self._cells.items()

    def pop(self, key) -> Any:
        """Take a cell out."""
        return self._cells.pop(key)

    def clear(self) -> None:
        """Take all cells out."""
        self._cells.clear()

    def construct(self, *inputs) -> Tensor:
        """A CellDict computes nothing."""
        raise NotImplementedError("For 'CellDict', 'construct' is not defined: call its cells.")
