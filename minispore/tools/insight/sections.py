"""Sections of the report: the template's data on a network, a training, a precision or low-bit report, and a plan."""

from __future__ import annotations

import difflib
import math
import os
from dataclasses import dataclass
from typing import NamedTuple

from minispore.amp.policy.receipt import Receipt
from minispore.core.checks import check_text, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.number_checks import is_float_sized
from minispore.tools.insight.charts import bars_of, line_of
from minispore.tools.insight.low_bits import LowBitReport
from minispore.tools.insight.planner import Plan
from minispore.tools.insight.precision import PrecisionReport
from minispore.tools.insight.watching import paragraphs, watch

__all__ = ["Course"]

_CONTAINER = ""  # dtype of a cell that holds others
_BACKBONE = "_backbone"  # the name of the child in a cell that casts for it
_ROWS = 50  # rows of a table of steps
_OPERANDS = 4  # of low-bit products that a watched training draws
_BARS = (180, 28)  # the width and the height of a small histogram


@dataclass(frozen=True)
class Course:
    """The course of a training: the loss and the loss scale of each step, and the reasons for skipped steps.

    Args:
        name (str): The heading.
        losses (Union[tuple[float], list[float]]): The loss of each step.
        scales (Union[tuple[float], list[float]]): The loss scale of each step; empty without loss scaling.
        skipped (Union[tuple, list]): Pairs of a skipped step's number, counted from 1, and the reason: a text, perhaps
            empty.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there are scales, but not one for each loss.

    Examples:
        >>> import minispore as ms
        >>> course = ms.insight.Course(
        ...     "A training", losses=(2.0, 1.5, 1.5), scales=(16.0, 16.0, 8.0), skipped=((2, "the scale was too high"),)
        ... )
        >>> print(course.name, course.scales[-1])
        A training 8.0
    """

    name: str
    losses: tuple
    scales: tuple = ()
    skipped: tuple = ()

    def __post_init__(self) -> None:
        check_text("Course", "name", self.name)
        for argument, numbers in (("losses", self.losses), ("scales", self.scales)):
            _check_all(argument, numbers, "numbers", is_float_sized)
        _check_all("skipped", self.skipped, "pairs of an int and a text", _is_skipped)
        if len(self.scales) not in (0, len(self.losses)):
            raise value_error("Course", f"the 'scales' must be {len(self.losses)}, one for each loss", len(self.scales))


def _check_all(argument, values, what, is_right):
    wrong = [v for v in values if not is_right(v)] if isinstance(values, (tuple, list)) else [values]
    if wrong:
        raise type_error("Course", f"the '{argument}' must be a tuple or list of {what}", shown(wrong[0]))


def _is_skipped(value):
    return isinstance(value, (tuple, list)) and len(value) == 2 and is_int(value[0]) and isinstance(value[1], str)


def section_of(index, part):
    """The section of a part of the report, at the place ``index``.

    Raises:
        TypeError: If the part is of a kind that has no section.
    """
    if isinstance(part, Cell):
        return _of_network(index, part)
    for kind, section in _SECTIONS.items():
        if isinstance(part, kind):
            return {"id": f"part{index}", **section(part)}
    expected = (
        "each part must be a converted Cell, a Receipt, a watch, a Course, a PrecisionReport, a LowBitReport or a Plan"
    )
    raise type_error("Report", expected, shown(part))


# Networks


class Node(NamedTuple):
    """A cell in the tree of a network: its name in its parent, its class, its dtype, and its children."""

    name: str
    kind: str
    dtype: str
    children: tuple


def _of_network(index, network):
    receipt = getattr(network, "amp_report", None)
    if receipt is None:
        raise type_error("Report", "a network must be converted: it has an 'amp_report' then", type(network).__name__)
    tree = _tree(network, {entry.path: entry.dtype for entry in receipt.entries})
    return {"id": f"part{index}", **_of_receipt(receipt, tree)}


def _tree(cell, dtypes, name="network", path=()):
    """The tree of a cell; ``path`` is its path before the conversion added wrappers."""
    children = tuple(
        _tree(child, dtypes, key, path if key == _BACKBONE else (*path, key))
        for key, child in cell.name_cells().items()
    )
    dtype = _CONTAINER if children else dtypes.get(".".join(path), _marked(cell))
    return Node(name, type(cell).__name__, dtype, children)


def _marked(cell):
    return "as its inputs" if cell._compute_dtype is None else str(cell._compute_dtype).lower()


def _of_receipt(receipt, tree=None):
    rows = [(os.path.relpath(e.place), e.path, e.kind, e.dtype, e.reason, e.missed) for e in receipt.entries]
    changes = _side_by_side(receipt.before, receipt.after)
    return {
        "kind": "network",
        "heading": f"Network {'with' if receipt.level.startswith('a custom') else 'at'} {receipt.level}",
        "tree": tree,
        "counts": receipt.counts,
        "missed": len(receipt.missed),
        "rows": rows,
        "changes": changes if receipt.before != receipt.after else [],
    }


def _side_by_side(before, after):
    """Rows of two texts: (number, line, number, line, True if they differ); a missing line is None, ""."""
    left, right, rows = before.splitlines(), after.splitlines(), []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for i in range(max(b - a, d - c)):
            first = (a + i + 1, left[a + i]) if a + i < b else (None, "")
            second = (c + i + 1, right[c + i]) if c + i < d else (None, "")
            rows.append((*first, *second, tag != "equal"))
    return rows


# Trainings


def _of_watch(seen):
    """The section of a watched training: equal steps share a paragraph."""
    skipped = [(number, text) for numbers, text in paragraphs(seen.skipped) for number in numbers]
    course = Course(f"Training, {seen.steps} steps", tuple(seen.losses), tuple(seen.scales), tuple(sorted(skipped)))
    others = [text for _, text in paragraphs([step for step in seen.not_finite if not step.skipped])]
    section = {**_of_course(course), "not_finite": others}
    return {**section, "charts": section["charts"] + _operand_charts(seen, [number for number, _ in skipped])}


def _operand_charts(seen, skipped):
    """The scale and the clipped share of the operands that are clipped most; a value holds until the next is noted."""
    most = {}
    for step in seen.low_bits:
        for place, (_, clipped) in step.operands.items():
            most[place] = max(clipped, most.get(place, 0.0))
    chosen = sorted(most, key=lambda place: -most[place])[:_OPERANDS]
    charts = []
    for path, operand in chosen:
        values, name = [(math.nan, math.nan)] * seen.steps, f"{operand} of {path.replace(f'{_BACKBONE}.', '')}"
        for step in seen.low_bits:
            values[step.number - 1 :] = [step.operands.get((path, operand), values[-1])] * (
                seen.steps + 1 - step.number
            )
        scales, clipped = zip(*values, strict=True)
        charts.append(line_of(f"Scale of {name}", scales, skipped, as_powers=True))
        charts.append(line_of(f"Clipped share of {name}", clipped, skipped))
    return [chart for chart in charts if chart is not None]


def _of_course(course):
    numbers = [number for number, _ in course.skipped]
    losses, scales = ([float(v) for v in values] for values in (course.losses, course.scales))
    charts = [line_of("Loss", losses, numbers), line_of("Loss scale", scales, numbers, as_powers=True)]
    return {
        "kind": "course",
        "heading": course.name,
        "charts": [chart for chart in charts if chart is not None],
        "remark": "No loss is finite." if losses and charts[0] is None else "",
        "skipped": list(dict.fromkeys(why for _, why in course.skipped if why)),
        "unexplained": [number for number, why in course.skipped if not why],
        "not_finite": [],
        "table": _sampled(losses, scales),
    }


def _sampled(losses, scales):
    """Rows (step, loss, scale) of at most so many steps, the first and the last among them."""
    last = len(losses) - 1
    chosen = sorted({round(i * last / (_ROWS - 1)) for i in range(_ROWS)}) if last >= _ROWS else range(last + 1)
    return [(i + 1, _text(losses[i]), _text(scales[i]) if i < len(scales) else "") for i in chosen]


def _text(value):
    return f"{value:.6g}" if math.isfinite(value) else str(value)


# Precision


def _of_precision(report):
    return {
        "kind": "precision",
        "heading": f"What float16 keeps at {report.level}",
        "sentence": report.sentence,
        "rows": [(record, bars_of(record.histogram, *_BARS)) for record in report],
        "bars": _BARS,
    }


def _of_plan(plan):
    return {
        "kind": "plan",
        "heading": f"How exact each form is; the target is {plan.target:g}",
        "sentence": plan.sentence,
        "rows": [(row, *row.worst_layer, row.error <= plan.target) for row in plan.rows],
        "steps": list(map(str, plan.steps)),
    }


def _of_low_bits(report):
    *_, last = str(report).splitlines()
    return {
        "kind": "low_bits",
        "heading": f"What {report.recipe} does to each operand",
        "sentence": last,
        "rows": [(operand, _number_line(operand.counts)) for operand in report.operands],
        "gradients": report.gradients,
        "bars": _BARS,
    }


def _number_line(counts):
    """The bars ``(x, y, width, height, number, count)`` of a format's magnitudes, the least first."""
    width, height = _BARS
    each, most = width / len(counts), max(counts) or 1
    high = [height * count / most for count in counts]
    return [(i * each, height - h, max(0.5, each - 0.5), h, i, counts[i]) for i, h in enumerate(high) if h]


_SECTIONS = {
    LowBitReport: _of_low_bits,
    Receipt: _of_receipt,
    watch: _of_watch,
    Course: _of_course,
    PrecisionReport: _of_precision,
    Plan: _of_plan,
}
