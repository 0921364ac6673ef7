"""The receipt of a conversion: every call site, its class, its compute type, and the reason.

Printed, it is a table: ``net.py:14  conv  Conv2d  float16  white list``. It is derived from the source. Some facts are
known only at run time, and have a remark: a call that may not happen, a type that follows the inputs, a cell without a
known call, an "unknown" callee.

It has a row for each call of a cell, of a primitive and of a function of ``ops``, and for ``@``. Methods of a Tensor
that stand for a listed class, such as ``x.mm(w)``, have one too. Other operators, indexing and methods of Tensors have
no row: the source does not show if ``a + b`` adds Tensors. They compute in the type of their inputs. In a cell that
``to_float`` marks (at O2 and O3 every cell but the black list's) they compute in the type of the mark.
"""

import difflib
import os
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from minispore.amp.policy.functional_forms import CELL_MARKED
from minispore.amp.policy.white_pass import MARKED
from minispore.core.errors import escaped, value_error

__all__ = ["Entry", "Receipt"]

LISTED, MISSED, BY_USER = "white list", "listed, but not converted: ", "to_float by the user"
FLOAT32, INPUTS, NOT_CALLED, UNKNOWN = "float32", "as its inputs", "not called", "unknown"
OPERATIONS = "by operation"
WHOLE_IS_LISTED = "the network is on the white list"
_WITHOUT_ROWS = "No row for operators other than @, nor for Tensor methods of unlisted classes: they compute "
_BY_MARKS = "as their inputs, or as their cell is marked."
_BY_LISTS = "as auto's lists say of them, or as their inputs."


class Entry(NamedTuple):
    """One call site: its place as ``file:line``, its path in the network, the class, the dtype, and the reason.

    The dtype holds for floating inputs, in a network that is called with float32. Four entries name no type. "as its
    inputs": no cast decides. "by operation": at "auto", in a cell or function with operations of different types. "not
    called": a cell of the network without a known call. "unknown": only a run shows the callee.
    """

    place: str
    path: str
    kind: str
    dtype: str
    reason: str

    @property
    def missed(self):
        """True if a listed class is not converted here."""
        return self.reason.startswith(MISSED)

    @property
    def called(self):
        """True if a call is found."""
        return self.dtype != NOT_CALLED


@dataclass(frozen=True, repr=False)
class Receipt:
    """The effect of a conversion on a network. Printed, it is a table.

    Attributes:
        level (str): The level, or "a custom white list" or "a custom black list", as in "O2 in bfloat16".
        entries (tuple[Entry]): The call sites.
        before (str): The source of the network's constructs.
        after (str): The source after an O1 conversion; the same as before at the other levels.
        by_operation (bool): True if each operation computes by auto's lists, whichever cell runs it.
        plain (Union[None, Receipt]): The level's own receipt, where a recipe of low bits has changed rows of it.
    """

    level: str
    entries: tuple
    before: str = ""
    after: str = ""
    by_operation: bool = False
    plain: "Receipt | None" = None

    @property
    def missed(self):
        """The entries of listed classes that were not converted."""
        return tuple(entry for entry in self.entries if entry.missed)

    @property
    def counts(self):
        """The number of call sites for each compute dtype, a dict; those known only at run time are "unknown"."""
        return dict(sorted(Counter(entry.dtype for entry in self.entries if entry.called).items()))

    def diff(self):
        """The unified diff of the source before and after, with a line on the type of each converted object."""
        level = self.plain or self
        converted = [entry for entry in level.entries if entry.reason.startswith(LISTED)]
        lines = [
            source.splitlines(keepends=True)
            + [f"# {entry.path} ({entry.kind}) computes in {dtype or entry.dtype}\n" for entry in converted]
            for source, dtype in ((self.before, FLOAT32), (self.after, None))
        ]
        return "".join(difflib.unified_diff(*lines, "before", f"after {self.level}"))

    def __str__(self):
        rows = [("place", "cell", "class", "computes in", "why")]
        rows += [[_in_a_line(text) for text in (_short(e.place), *e[1:])] for e in self.entries]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        totals = ", ".join(
            f"{count} {dtype}" if dtype in (INPUTS, OPERATIONS, UNKNOWN) else f"{count} in {dtype}"
            for dtype, count in self.counts.items()
        )
        missed = f"{len(self.missed)} listed but not converted"
        table.append(f"{self.level}: {sum(self.counts.values())} call sites, {totals or 'none'}; {missed}.")
        table.append(_WITHOUT_ROWS + (_BY_LISTS if self.by_operation else _BY_MARKS))
        return "\n".join(table)

    __repr__ = __str__


def _in_a_line(text):
    """A text in a table: names of files and cells may hold anything."""
    return escaped(text).replace("\n", "\\n")


def _short(place):
    """A place relative to the working folder; the full path if that folder is gone, or on another drive."""
    try:
        return os.path.relpath(place)
    except (OSError, ValueError):
        return place


def white_listed(receipt):
    """The types that a white list decides, by path; the results are cast back to float32."""
    level = receipt.plain or receipt
    listed = [entry for entry in level.entries if entry.reason.startswith((LISTED, WHOLE_IS_LISTED))]
    return {"" if entry.reason == WHOLE_IS_LISTED else entry.path: entry.dtype for entry in listed}


def require_all_converted(operation, receipt):
    """Raise if a conversion left a listed class in float32, other than by the user's own ``to_float``.

    Raises:
        ValueError: If there is one; the message names each with its place and reason.
    """
    refused = [
        entry for entry in receipt.missed if not entry.reason.startswith((MISSED + MARKED, MISSED + CELL_MARKED))
    ]
    if refused:
        lines = "; ".join(f"{e.path} ({e.kind}) at {_short(e.place)}: {e.reason}" for e in refused)
        raise value_error(operation, "with 'strict' every listed class must be converted", lines)
