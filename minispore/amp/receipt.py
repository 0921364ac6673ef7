"""The receipt of a conversion: every call site, its class, the type that it computes in, and why.

Printed, it is a table: ``net.py:14  conv  Conv2d  float16  white list``.
"""

import difflib
import os
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from minispore.amp.white_pass import call_sites, source_of, white_tree
from minispore.errors import value_error
from minispore.nn.cell import Cell
from minispore.ops.primitive import Primitive

__all__ = ["Entry", "Receipt"]

_MISSED = "listed, but not converted: "
# Functions and operators that stand for a listed primitive, by the primitive's name.
_FUNCTIONS = {
    "matmul": "MatMul",
    "batch_matmul": "BatchMatMul",
    "dense": "MatMul",
    "conv2d": "Conv2D",
    "ReLU": "ReLU",
    "PReLU": "PReLU",
    "Ger": "Ger",
}


class Entry(NamedTuple):
    """One call site: its place as ``file:line``, its path in the network, the class, the dtype, and the reason."""

    place: str
    path: str
    kind: str
    dtype: str
    reason: str

    @property
    def missed(self):
        """Whether a listed class computes in float32 here."""
        return self.reason.startswith(_MISSED)


@dataclass(frozen=True)
class Receipt:
    """What a conversion did to a network. Printed, it is a table.

    Attributes:
        level (str): The level, or "a custom white list" or "a custom black list".
        entries (tuple[Entry]): The call sites.
        before (str): The source of the network's constructs.
        after (str): The source after an O1 conversion; the same as before at the other levels.
    """

    level: str
    entries: tuple
    before: str = ""
    after: str = ""

    @property
    def missed(self):
        """The entries of listed classes that were not converted."""
        return tuple(entry for entry in self.entries if entry.missed)

    @property
    def counts(self):
        """How many call sites compute in each dtype: a dict."""
        return dict(sorted(Counter(entry.dtype for entry in self.entries).items()))

    def diff(self):
        """The difference between the source before and after, in unified form."""
        lines = (text.splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(*lines, "before", f"after {self.level}"))

    def __str__(self):
        rows = [("place", "cell", "class", "computes in", "why")]
        rows += [(os.path.relpath(e.place), e.path, e.kind, e.dtype, e.reason) for e in self.entries]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        totals = ", ".join(f"{count} in {dtype}" for dtype, count in self.counts.items()) or "none"
        missed = f"{len(self.missed)} listed but not converted"
        table.append(f"{self.level}: {len(self.entries)} call sites, {totals}; {missed}.")
        return "\n".join(table)


def require_all_converted(operation, receipt):
    """Refuse a conversion that left a listed class in float32.

    Raises:
        ValueError: If there is one; the message names each with its place and reason.
    """
    if receipt.missed:
        lines = "; ".join(f"{e.path} ({e.kind}) at {os.path.relpath(e.place)}: {e.reason}" for e in receipt.missed)
        raise value_error(operation, "with 'strict' every listed class must be converted", lines)


def white_receipt(network, level, white_list):
    """The receipt of the white pass, and the tree after it, from which the converted network can be made."""
    sites, before = call_sites(network), source_of(network)
    tree = white_tree(network, white_list)
    entries = tuple(filter(None, _white_entries(sites, white_list, tree)))
    return Receipt(level, entries, before, tree.get_code()), tree


def _white_entries(sites, white_list, tree):
    """The entry of each site after the white pass; None for functions that stand for no listed class."""
    forest = tree.get_handler().forest
    reasons = {(note.path, note.type): note.reason for note in tree.notes}
    names = {kind.__name__ for kind in white_list}

    def entry(site):
        path, called = _path(site), site.called
        if isinstance(called, str):
            listed = _FUNCTIONS.get(called) in names
            reason = _MISSED + "it is called as a function"
            return Entry(site.place, site.text, _FUNCTIONS[called], "float32", reason) if listed else None
        kind = type(called)
        if kind not in white_list:
            return Entry(site.place, path, kind.__name__, _dtype(called), _unlisted(called))
        converted = forest.substitute(called)
        reason = reasons.get((path, kind), "")
        lowered = _dtype(converted) == "float16" if isinstance(called, Cell) else not reason
        dtype = "float16" if lowered else "float32"
        return Entry(
            site.place, path, kind.__name__, dtype, "white list" if lowered else _MISSED + (reason or "unseen")
        )

    return map(entry, sites)


def _unlisted(called):
    return "not listed" if not isinstance(called, Cell) or called._marked is None else "to_float by the user"


def marks_receipt(network, level, sites, black_list):
    """The receipt of O0, O2 and O3, read from the marks of the network's cells; ``sites`` are those before."""
    owners = dict(network.cells_and_names())

    def entry(site):
        called = site.called
        if isinstance(called, Cell):
            listed = isinstance(called, tuple(black_list))
            reason = "black list" if listed else ""
            return Entry(site.place, _path(site), type(called).__name__, _dtype(called), reason)
        kind = called if isinstance(called, str) else type(called).__name__
        return Entry(site.place, _path(site), kind, _dtype(owners.get(site.owner, network)), "")

    return Receipt(level, tuple(map(entry, sites)))


def _path(site):
    if isinstance(site.called, (Cell, Primitive)) and site.text.startswith("self."):
        name = site.text.removeprefix("self.")
        return f"{site.owner}.{name}" if site.owner else name
    return site.text


def _dtype(cell):
    mark = getattr(cell, "_cast", None)
    return "float32" if mark is None else mark.name
