"""Cells and optimizers: the tree of a network with its Parameters and types, and the groups of an optimizer."""

from minispore.nn.cell import Cell
from minispore.tools.notebook.markup import Raw, code, folded, heading, indented, note, table, text, whole

__all__ = []

_MOST, _LONGEST = 200, 120  # cells that a tree shows, and characters of the arguments of each


def of_cell(cell):
    """The form of a network: each cell with its class, the type it computes in and its Parameters."""
    parameters = list(cell.get_parameters())
    count = sum(p.size for p in parameters)
    kinds = sorted({str(p.dtype).lower() for p in parameters})
    facts = [_counted(count, "number") + " in Parameters", *kinds] if parameters else ["no Parameters"]
    left, receipt = [_MOST], cell.__dict__.get("amp_report")
    remark = [note(f"Converted at {receipt.level}; its amp_report has each call.")] if receipt else []
    own = [] if cell.name_cells() else [note(cell.extend_repr())] * bool(cell.extend_repr())
    return whole(heading(type(cell).__name__, *facts), *remark, *own, _children(cell, left, (cell,)))


def _counted(count, name):
    return f"{count:,} {name}{'s' * (count != 1)}"


def _children(cell, left, around):
    """The cells in a cell, below one another; ``left`` holds the number of cells that may still be shown."""
    lines = []
    for name, child in cell.name_cells().items():
        if left[0] <= 0:
            return indented("".join(lines) + note("and more cells"))
        left[0] -= 1
        lines.append(_line(name, child, left, around))
    return indented("".join(lines)) if lines else ""


def _line(name, cell, left, around):
    """A cell's line, which opens where it has cells in it; a cell may hold its parent."""
    of_cell = f"{code(name)} {text(_said(cell))}"
    inside = _children(cell, left, (*around, cell)) if cell not in around else ""
    return folded(of_cell, inside, is_open=len(around) < 3) if inside else f"<div>{of_cell}</div>"


def _said(cell):
    """The class of a cell, with its arguments, mark and Parameters."""
    arguments = cell.extend_repr()
    parts = [arguments if len(arguments) <= _LONGEST else f"{arguments[:_LONGEST]}...", _mark(cell)]
    own = cell.parameters_dict(recurse=False).values()
    parts += [f"{p.name.rpartition('.')[2]} {p.shape}" for p in own]
    return f"{type(cell).__name__}: {'; '.join(filter(None, parts))}" if any(parts) else type(cell).__name__


def _mark(cell):
    """The type that a cell is marked to compute in, in words; empty without a mark."""
    mark = cell._compute_dtype
    return "" if mark is None else f"computes in {getattr(mark, 'name', mark)}"


def of_optimizer(optimizer):
    """The form of an optimizer: its Parameters in groups of one learning rate and weight decay."""
    groups = {}
    for p, rate, decay in zip(optimizer.parameters, optimizer._rates, optimizer._decays, strict=True):
        groups.setdefault((_rate(rate), _decay(decay)), []).append(p)
    rows = [
        (rate, decay, len(members), Raw(", ".join(code(p.name) for p in members[:6]) + ", ..." * (len(members) > 6)))
        for (rate, decay), members in groups.items()
    ]
    done = int(optimizer.global_step.asnumpy().reshape(-1)[0])
    facts = [f"{len(optimizer.parameters)} Parameters", *([f"step {done}"] if optimizer.counts_steps else [])]
    if optimizer.loss_scale != 1:
        facts.append(f"divides gradients by {optimizer.loss_scale:g}")
    head = ("learning rate", "weight decay", "Parameters", "names")
    return whole(heading(type(optimizer).__name__, *facts), table(head, rows))


def _rate(rate):
    return type(rate).__name__ if isinstance(rate, Cell) else f"{float(rate.asnumpy().reshape(-1)[0]):g}"


def _decay(decay):
    return type(decay).__name__ if isinstance(decay, Cell) else f"{decay:g}"
