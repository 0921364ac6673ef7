"""The ledger of deliberate differences from MindSpore, as data: difference, release, and test.

``ledger.json`` holds it; ``docs/reference/quirks.md`` is written from it by ``docs/make/quirks.py``, which reads an
edited page back too. This file needs nothing but Python.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["Row", "blocks", "page", "parsed", "rows"]

FILE = Path(__file__).parent / "ledger.json"
_CELL = re.compile(r"(?<!\\)\|")


class Row(NamedTuple):
    """One difference.

    ``section`` is its headings, ``columns`` the names of its cells ("what", "2.0.0", "minispore", "held by", ...),
    ``cells`` the cells by column.
    """

    section: tuple
    columns: tuple
    cells: dict

    @property
    def what(self):
        """The difference: the first cell."""
        return self.cells[self.columns[0]]

    @property
    def held_by(self):
        """The tests that hold it, as they are named."""
        return re.findall(r"`(tests/[^`]+)`", self.cells[self.columns[-1]])


def blocks():
    """The ledger in order: headings with their level, lines of text, tables with their columns and rows."""
    return json.loads(FILE.read_text())


def rows(found=None):
    """Every :class:`Row` of the ledger.

    Examples:
        >>> from minispore.testing import ledger
        >>> len(ledger.rows()) > 100 and ledger.rows()[0].section
        ('Mixed precision', 'Which call sites are converted')
    """
    made, section = [], []
    for block in blocks() if found is None else found:
        if "heading" in block:
            section = [*section[: max(block["level"] - 2, 0)], block["heading"]]
        for cells in block.get("rows", ()):
            columns = tuple(block["columns"])
            made.append(Row(tuple(section), columns, dict(zip(columns, cells, strict=True))))
    return made


def parsed(text):
    """The blocks of a page: the inverse of :func:`page`."""
    found = []
    for line in text.splitlines():
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            found.append({"heading": heading[2], "level": len(heading[1])})
        elif line.startswith("|"):
            _add_row(found, [cell.strip() for cell in _CELL.split(line.strip())[1:-1]])
        elif found and "text" in found[-1]:
            found[-1]["text"].append(line)
        else:
            found.append({"text": [line]})
    return found


def _add_row(found, cells):
    """Add a line of a table; an empty line inside a table is dropped."""
    if len(found) > 1 and found[-1] == {"text": [""]} and "columns" in found[-2]:
        found.pop()
    if not (found and "columns" in found[-1]):
        found.append({"columns": cells, "rows": []})
    elif set("".join(cells)) != {"-"}:
        found[-1]["rows"].append(cells)


def page(found=None):
    """The page of the ledger, as Markdown."""
    lines = []
    for block in blocks() if found is None else found:
        if "heading" in block:
            lines.append(f"{'#' * block['level']} {block['heading']}")
        elif "text" in block:
            lines += block["text"]
        else:
            lines += [_row(block["columns"]), "|" + "---|" * len(block["columns"]), *map(_row, block["rows"])]
    return "\n".join(lines) + "\n"


def _row(cells):
    return f"| {' | '.join(cells)} |"
