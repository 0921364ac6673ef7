"""Containers: SequentialCell runs its cells one after another, CellList holds cells as a list does."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from minispore.core.checks import check_int, is_int
from minispore.core.errors import type_error
from minispore.nn.cell import Cell
from minispore.ops.mapping import ENSEMBLES

__all__ = ["CellList", "SequentialCell"]


class _Listed(Cell):
    """Base of containers whose cells are named by their positions."""

    def _checked(self, cell):
        if not isinstance(cell, Cell):
            raise type_error(type(self).__name__, "each cell must be a Cell", type(cell).__name__)
        return cell

    def _position(self, index):
        if not is_int(index):
            raise type_error(type(self).__name__, "the 'index' must be an int or a slice", type(index).__name__)
        if not -len(self) <= index < len(self):
            raise IndexError(
                f"For '{type(self).__name__}', the 'index' must be in [-{len(self)}, {len(self)}), but got {index}."
            )
        return index % len(self)

    def _prefix(self):
        """The prefix of the held cells' keys in Parameter names: the container's own place in the network.

        As in MindSpore, it is found in the name of the first cell's first Parameter: the text before the cell's key. If
        the key is there several times, the last place counts. A second cell with Parameters may decide for an earlier
        place: there its name must have its own key.
        """
        firsts = ((key, next(cell.get_parameters(), None)) for key, cell in self._cells.items() if cell is not None)
        rows = [(key, parameter.name.split(".")) for key, parameter in firsts if parameter is not None][:2]
        if not rows:
            return ""
        places = [i for i, part in enumerate(rows[0][1]) if part == rows[0][0]]
        agreed = [i for i in places if all(parts[i : i + 1] == [key] for key, parts in rows[1:])]
        if len(rows) == 1 or not agreed:
            agreed = places[-1:]
        return "".join(f"{part}." for part in rows[0][1][: agreed[0]]) if agreed else ""

    def _hold(self, name, cell, prefix=None):
        """Own ``cell`` under ``name``; its Parameters' names follow."""
        prefix = self._prefix() if prefix is None else prefix
        self._cells[name] = cell
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix}{name}.")

    def _renumber(self, cells):
        """Hold ``cells`` under the names 0, 1, ..., and put the new numbers into the names of their Parameters."""
        prefix, before = self._prefix(), {cell: key for key, cell in self._cells.items()}
        # All entries anew: a dict keeps the order of insertion, and the run follows that order.
        self._cells.clear()
        for i, cell in enumerate(cells):
            if cell not in before:
                self._hold(str(i), cell, prefix)
                continue
            self._cells[str(i)] = cell
            if self._auto_prefix and before[cell] != str(i):
                _move_names(cell, prefix.count("."), str(i))
        self._changed()

    def _changed(self):
        """Bring the container up to date after a change of its cells."""

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return len(self._cells) != 0

    def __iter__(self) -> Any:
        return iter(self._cells.values())

    def __getitem__(self, index) -> Any:
        cells = list(self._cells.values())
        if isinstance(index, slice):
            return self._sliced(cells[index], list(self._cells)[index])
        return cells[self._position(index)]

    def __setitem__(self, index, cell) -> None:
        name = list(self._cells)[self._position(index)]
        self._hold(name, self._checked(cell))
        self._changed()

    def __delitem__(self, index) -> None:
        cells = list(self._cells.values())
        if isinstance(index, int):
            del cells[self._position(index)]
        else:
            del cells[index]
        self._renumber(cells)

    def append(self, cell) -> Any:
        """Add a cell at the end; returns the container."""
        number = len(self)
        while str(number) in self._cells:  # a slice keeps its cells' names
            number += 1
        self._hold(str(number), self._checked(cell))
        self._changed()
        return self

    def insert(self, index, cell) -> None:
        """Put a cell before ``index``; the numbers in the names of the following cells grow by one."""
        cells = list(self._cells.values())
        check_int(type(self).__name__, "index", index)
        if not -len(cells) <= index <= len(cells):
            raise IndexError(
                f"For '{type(self).__name__}', the 'index' must be in [-{len(cells)}, {len(cells)}], but got {index}."
            )
        cells.insert(index, self._checked(cell))
        self._renumber(cells)


def _move_names(cell, place, key):
    """Set the part at ``place`` in the names of the cell's Parameters to ``key``."""
    for parameter in cell.get_parameters():
        parts = parameter.name.split(".")
        if place < len(parts) - 1:
            parameter.name = ".".join([*parts[:place], key, *parts[place + 1 :]])


class SequentialCell(_Listed):
    """Cells run one after another: ``out = last(...(first(x)))``.

    Shapes and dtypes are those that the cells take and give.

    Args:
        args: Cells, or one list or OrderedDict of Cells.

    Raises:
        TypeError: If an argument is neither.
        ValueError: If a cell of it refuses what the cell before gives.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.Flatten())
        >>> print(net(ms.Tensor([[[-1.0, 2.0]]])))
        [[0. 2.]]
    """

    def __init__(self, *args) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, cell in args[0].items():
                self.insert_child_to_cell(name, self._checked(cell))
                cell.update_parameters_name(name + ".")
        else:
            cells = args[0] if len(args) == 1 and isinstance(args[0], list) else args
            for i, cell in enumerate(cells):
                if not isinstance(cell, Cell):
                    got = type(cell).__name__
                    raise type_error(type(self).__name__, f"the cell {i} must be a Cell, a list or an OrderedDict", got)
                self._cells[str(i)] = cell
                cell.update_parameters_name(f"{i}.")
        self._changed()

    def _changed(self):
        self.cell_list = list(self._cells.values())

    def _replace_child(self, name, cell):
        super()._replace_child(name, cell)
        self._changed()

    def _sliced(self, cells, names):
        part = type(self).__new__(type(self))
        SequentialCell.__init__(part)
        part._cells.update(zip(names, cells, strict=False))
        part._changed()
        return part

    def set_grad(self, flag: bool = True) -> Any:
        """Set ``requires_grad`` in the whole tree; returns the cell."""
        return super().set_grad(flag)

    def construct(self, input_data) -> Any:
        """Run the cells one after another."""
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data


class CellList(_Listed):
    """Cells held as a list holds them; a CellList cannot be called, but mapped: ``vmap`` gives each cell a sample.

    Args:
        args: Cells, or one list of Cells.
        auto_prefix (bool): If True, Parameters' names begin with the cell's position. Default: True.

    Raises:
        TypeError: If an element is not a Cell.

    Examples:
        >>> import minispore as ms
        >>> len(ms.nn.CellList([ms.nn.ReLU(), ms.nn.Tanh()]))
        2
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise type_error("CellList", "the only keyword is 'auto_prefix'", sorted(kwargs))
        self.extend(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)

    def extend(self, cells) -> Any:
        """Add cells at the end; returns the list."""
        if not isinstance(cells, (list, tuple, CellList)):
            raise type_error("CellList", "the 'cells' must be a list of Cells", type(cells).__name__)
        for cell in [self._checked(cell) for cell in cells]:
            self.append(cell)
        return self

    def __iadd__(self, cells) -> Any:
        return self.extend(cells)

    def _sliced(self, cells, names):
        part = CellList()
        part._cells.update((str(i), cell) for i, cell in enumerate(cells))
        return part

    def construct(self, *inputs) -> Any:
        """A CellList computes nothing."""
        raise NotImplementedError("For 'CellList', 'construct' is not defined: call its cells.")


ENSEMBLES.append(CellList)
