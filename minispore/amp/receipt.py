"""The receipt of a conversion: every call site, its class, the type that it computes in, and why.

Printed, it is a table: ``net.py:14  conv  Conv2d  float16  white list``.
"""

import difflib
import inspect
import os
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from minispore.amp.black_pass import listed_classes
from minispore.amp.functional_forms import classes_of, why_form_stays
from minispore.amp.white_pass import call_sites, white_tree_and_source
from minispore.errors import value_error
from minispore.nn.cell import Cell
from minispore.ops.primitive import Primitive

__all__ = ["Entry", "Receipt"]

_LISTED, _MISSED = "white list", "listed, but not converted: "


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


def white_receipt(network, level, white_list, functional=False):
    """The receipt of the white pass, and the tree after it, from which the converted network can be made."""
    sites = call_sites(network)
    tree, before = white_tree_and_source(network, white_list, functional)
    teller = _Teller(network, tree, white_list, functional)
    return Receipt(level, tuple(filter(None, map(teller.entry, sites))), before, tree.get_code()), tree


class _Teller:
    """Tells what the white pass did at a site."""

    def __init__(self, network, tree, white_list, functional):
        self.tree, self.white_list, self.functional = tree, white_list, functional
        self.reasons = {(note.path, note.type): note.reason for note in tree.notes}
        self.inside_listed = type(network) in white_list and network._cast is None

    def entry(self, site):
        """The entry of a site; None for a function that stands for no listed class."""
        if self.inside_listed:
            kind = site.called if isinstance(site.called, str) else type(site.called).__name__
            return Entry(site.place, _path(site), kind, "float16", "the network is on the white list")
        if isinstance(site.called, str):
            return self._of_function(site)
        kind = type(site.called)
        listed = kind in self.white_list
        dtype, reason = self._of_listed(site) if listed else (_dtype(site.called), _unlisted(site.called))
        return Entry(site.place, _path(site), kind.__name__, dtype, reason)

    def _of_listed(self, site):
        reason = site.reason or self.reasons.get((_path(site), type(site.called)), "")
        converted = self.tree.get_handler().forest.substitute(site.called)
        lowered = not site.reason and _dtype(converted) == "float16" if isinstance(site.called, Cell) else not reason
        return ("float16", _LISTED) if lowered else ("float32", _MISSED + (reason or "unseen"))

    def _of_function(self, site):
        made = [kind for kind in self.white_list if site.reason and kind.__name__ == site.called]
        listed = made or classes_of(site.called, self.white_list)
        if not listed:
            return None
        reason = site.reason or "it is called as a function"
        if self.functional and not site.reason:
            reason = why_form_stays(self.tree.get_handler(), site.cell, site.place)
        dtype, reason = ("float32", _MISSED + reason) if reason else ("float16", _LISTED)
        return Entry(site.place, site.text, listed[0].__name__, dtype, reason)


def _unlisted(called):
    return "not listed" if not isinstance(called, Cell) or called._marked is None else "to_float by the user"


def marks_receipt(network, level, sites, black_list):
    """The receipt of O0, O2 and O3, read from the marks of the network's cells; ``sites`` are those before."""
    owners = dict(network.cells_and_names())
    by_user = _within(cell for cell in owners.values() if cell._marked is not None)
    by_list = _within(cell for cell in owners.values() if isinstance(cell, listed_classes(black_list)))

    def entry(site):
        called = site.called
        if isinstance(called, Cell):
            own = called._marked is not None or (called in by_user and called not in by_list)
            reason = "to_float by the user" if own else "black list" if called in by_list else ""
            return Entry(site.place, _path(site), type(called).__name__, _dtype(called), reason)
        kind = called if isinstance(called, str) else type(called).__name__
        return Entry(site.place, _path(site), kind, _dtype(owners.get(site.owner, network)), "")

    return Receipt(level, tuple(map(entry, sites)))


def _within(cells):
    """The cells, and all that stand in them."""
    return {part for cell in cells for _, part in cell.cells_and_names()}


def _path(site):
    holder, _, name = site.text.partition(".")
    own = inspect.unwrap(type(site.cell).construct).__code__.co_varnames[:1]  # "self", as a rule
    if isinstance(site.called, (Cell, Primitive)) and name and holder in ("self", *own):
        return f"{site.owner}.{name}" if site.owner else name
    return site.text


def _dtype(cell):
    mark = getattr(cell, "_cast", None)
    return "float32" if mark is None else mark.name
