"""The report: what mixed precision did to a network and its training, as one HTML file that needs nothing else.

Jinja2 fills the template ``report.html``, which escapes every text: names are text, whatever characters they have.
"""

import difflib
import importlib
import math
import os
from pathlib import Path
from typing import NamedTuple

from minispore.amp.policy.receipt import Receipt
from minispore.atomic_file import replace_file
from minispore.checks import check_path, check_text
from minispore.errors import shown, type_error
from minispore.insight.charts import line_of
from minispore.insight.watching import watch
from minispore.nn.cell import Cell

__all__ = ["Course", "Report"]

INSTALL = 'pip install "jinja2>=3.1"'
_TEMPLATE = Path(__file__).with_name("report.html")
_CONTAINER = ""  # the dtype of a cell that holds others
_BACKBONE = "_backbone"  # the name of the child in a cell that casts for it


class Course(NamedTuple):
    """The course of a training: a loss and a loss scale of each step, and why steps were skipped.

    ``skipped`` holds pairs of a step's number, counted from 1, and why it was skipped, a text that may be empty;
    ``scales`` is empty without loss scaling.
    """

    name: str
    losses: tuple
    scales: tuple = ()
    skipped: tuple = ()


class Report:
    """Networks, trainings and measurements of precision as one HTML file, which asks for nothing from anywhere.

    Args:
        *parts: In the order in which they are to stand: a converted network or its receipt (``network.amp_report``),
            what :class:`watch` saw of a training, or a :class:`Course`.
        title (str): The title. Default: "Mixed precision".

    Raises:
        TypeError: If a part is none of these.
        ValueError: If a network has not been converted.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.SequentialCell(ms.nn.Dense(2, 2), ms.nn.ReLU()), "O2")
        >>> report = ms.insight.Report(net, title="A small network")
        >>> "A small network" in report.html()
        True
        >>> report.save("report.html")  # doctest: +SKIP
    """

    def __init__(self, *parts, title="Mixed precision"):
        self._title = check_text("Report", "title", title)
        self._sections = [_section(i, part) for i, part in enumerate(parts)]

    def html(self):
        """The whole page as a text.

        Raises:
            ImportError: If Jinja2 is not installed (the extra ``report``).
        """
        try:
            jinja2 = importlib.import_module("jinja2")
        except ImportError as error:
            raise ImportError(f"For 'Report', the page needs Jinja2: {INSTALL} (the extra report).") from error
        environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
        template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
        return template.render(title=self._title, sections=self._sections)

    def save(self, path):
        """Write the page into a file, which is whole or as it was.

        Raises:
            ImportError: If Jinja2 is not installed (the extra ``report``).
            OSError: If the file cannot be written.
        """
        check_path("Report.save", "path", path)
        page = self.html()
        replace_file(Path(path), lambda file: file.write(page.encode()))


def _section(index, part):
    if isinstance(part, Cell):
        return _of_network(index, part)
    if isinstance(part, Receipt):
        return _of_receipt(index, part, None)
    if isinstance(part, watch):
        return _of_course(index, _course_of(part))
    if isinstance(part, Course):
        return _of_course(index, part)
    expected = "each part must be a converted Cell, a Receipt, a watch or a Course"
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
    return _of_receipt(index, receipt, _tree(network, {entry.path: entry.dtype for entry in receipt.entries}))


def _tree(cell, dtypes, name="network", path=()):
    """The tree of a cell; ``path`` is where it was before the conversion put cells that cast around others."""
    children = tuple(
        _tree(child, dtypes, key, path if key == _BACKBONE else (*path, key))
        for key, child in cell.name_cells().items()
    )
    dtype = _CONTAINER if children else dtypes.get(".".join(path), _marked(cell))
    return Node(name, type(cell).__name__, dtype, children)


def _marked(cell):
    return "as its inputs" if cell._compute_dtype is None else str(cell._compute_dtype).lower()


def _of_receipt(index, receipt, tree):
    rows = [(os.path.relpath(e.place), e.path, e.kind, e.dtype, e.reason, e.missed) for e in receipt.entries]
    changes = _side_by_side(receipt.before, receipt.after)
    return {
        "kind": "network",
        "id": f"part{index}",
        "heading": f"Network at {receipt.level}" if receipt.level.startswith("O") else f"Network with {receipt.level}",
        "tree": tree,
        "counts": receipt.counts,
        "missed": len(receipt.missed),
        "rows": rows,
        "changes": changes if receipt.before != receipt.after else [],
    }


def _side_by_side(before, after):
    """Rows of a text beside another: (number, line, number, line, whether they differ), "" and None where none is."""
    left, right, rows = before.splitlines(), after.splitlines(), []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for i in range(max(b - a, d - c)):
            first = (a + i + 1, left[a + i]) if a + i < b else (None, "")
            second = (c + i + 1, right[c + i]) if c + i < d else (None, "")
            rows.append((*first, *second, tag != "equal"))
    return rows


# Trainings


def _course_of(seen):
    skipped = tuple((s.number, str(s)) for s in seen.skipped)
    return Course(f"Training, {seen.steps} steps", tuple(seen.losses), tuple(seen.scales), skipped)


def _of_course(index, course):
    numbers = [number for number, _ in course.skipped]
    losses, scales = ([float(v) for v in values] for values in (course.losses, course.scales))
    charts = [line_of("Loss", losses, numbers), line_of("Loss scale", scales, numbers, as_powers=True)]
    return {
        "kind": "course",
        "id": f"part{index}",
        "heading": course.name,
        "charts": [chart for chart in charts if chart is not None],
        "skipped": [why for _, why in course.skipped if why],
        "unexplained": [number for number, why in course.skipped if not why],
        "table": _sampled(losses, scales),
    }


_ROWS = 50


def _sampled(losses, scales):
    """Rows (step, loss, scale) of at most so many steps, the first and the last among them."""
    last = len(losses) - 1
    chosen = sorted({round(i * last / (_ROWS - 1)) for i in range(_ROWS)}) if last >= _ROWS else range(last + 1)
    return [(i + 1, _text(losses[i]), _text(scales[i]) if i < len(scales) else "") for i in chosen]


def _text(value):
    return f"{value:.6g}" if math.isfinite(value) else str(value)
