"""Holding: which cells a cell holds (as children, in lists and in dicts), and how others are put in their place."""

from minispore.nn.cell import Cell

_TABLES = ("_cells", "_params")


def parts_of(value):
    """What a cell, list, tuple or dict holds that may be a cell or hold one."""
    if isinstance(value, Cell):
        held = [*value._cells.values(), *(part for name, part in value.__dict__.items() if name not in _TABLES)]
    else:
        held = value.values() if isinstance(value, dict) else value
    return [part for part in held if isinstance(part, (Cell, list, tuple, dict))]


def cells_in(value, seen=None):
    """Every cell that ``value`` is or holds, at any depth, each once, as an ordered dict's keys."""
    seen = {} if seen is None else seen
    if isinstance(value, Cell):
        if value in seen:
            return seen
        seen[value] = True
    if isinstance(value, (Cell, list, tuple, dict)):
        for part in parts_of(value):
            cells_in(part, seen)
    return seen


def refill(cell, other):
    """Put ``other(child)`` in the place of each child of the cell; lists and dicts are made anew where that matters."""
    for name, child in cell._cells.items():
        cell._cells[name] = child and other(child)
    for name, value in cell.__dict__.items():
        if name not in _TABLES:
            cell.__dict__[name] = _exchanged(value, other)


def _exchanged(value, other):
    """The value with ``other`` cells in it; itself if that changes nothing."""
    if isinstance(value, Cell):
        return other(value)
    if type(value) in (list, tuple):
        new = type(value)([_exchanged(part, other) for part in value])
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    if type(value) is dict:
        new = {key: _exchanged(part, other) for key, part in value.items()}
        return new if any(new[key] is not value[key] for key in new) else value
    return value
