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

from minispore.amp.policy.black_pass import listed_classes
from minispore.amp.policy.functional_forms import CELL_MARKED, classes_of, why_form_stays
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.white_pass import MARKED, text_of, white_tree_and_source
from minispore.core.dtype import FLOATS, float16, float32
from minispore.core.errors import escaped, value_error
from minispore.nn.cell import Cell
from minispore.rewrite.call_sites import NEVER, call_sites, unread

__all__ = ["Entry", "Receipt"]

_LISTED, _MISSED, BY_USER = "white list", "listed, but not converted: ", "to_float by the user"
_FLOAT32, INPUTS, _NOT_CALLED, _UNKNOWN = "float32", "as its inputs", "not called", "unknown"
OPERATIONS = "by operation"
_WHOLE_IS_LISTED = "the network is on the white list"
_UNREACHED = "to_float reaches only what the network holds as children"
_WITHOUT_ROWS = "No row for operators other than @, nor for Tensor methods of unlisted classes: they compute "
_BY_MARKS, _BY_LISTS = (
    "as their inputs, or as their cell is marked.",
    "as auto's lists say of them, or as their inputs.",
)
_NARROW = {"float16", "half", "bfloat16", "float64", "double"}  # names of types, in lower case


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
        return self.reason.startswith(_MISSED)

    @property
    def called(self):
        """True if a call is found."""
        return self.dtype != _NOT_CALLED


@dataclass(frozen=True)
class Receipt:
    """The effect of a conversion on a network. Printed, it is a table.

    Attributes:
        level (str): The level, or "a custom white list" or "a custom black list", as in "O2 in bfloat16".
        entries (tuple[Entry]): The call sites.
        before (str): The source of the network's constructs.
        after (str): The source after an O1 conversion; the same as before at the other levels.
        by_operation (bool): True if each operation computes by auto's lists, whichever cell runs it.
    """

    level: str
    entries: tuple
    before: str = ""
    after: str = ""
    by_operation: bool = False

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
        converted = [entry for entry in self.entries if entry.reason.startswith(_LISTED)]
        lines = [
            source.splitlines(keepends=True)
            + [f"# {entry.path} ({entry.kind}) computes in {dtype or entry.dtype}\n" for entry in converted]
            for source, dtype in ((self.before, _FLOAT32), (self.after, None))
        ]
        return "".join(difflib.unified_diff(*lines, "before", f"after {self.level}"))

    def __str__(self):
        rows = [("place", "cell", "class", "computes in", "why")]
        rows += [[_in_a_line(text) for text in (_short(e.place), *e[1:])] for e in self.entries]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        totals = ", ".join(
            f"{count} {dtype}" if dtype in (INPUTS, OPERATIONS, _UNKNOWN) else f"{count} in {dtype}"
            for dtype, count in self.counts.items()
        )
        missed = f"{len(self.missed)} listed but not converted"
        table.append(f"{self.level}: {sum(self.counts.values())} call sites, {totals or 'none'}; {missed}.")
        table.append(_WITHOUT_ROWS + (_BY_LISTS if self.by_operation else _BY_MARKS))
        return "\n".join(table)


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
    listed = [entry for entry in receipt.entries if entry.reason.startswith((_LISTED, _WHOLE_IS_LISTED))]
    return {"" if entry.reason == _WHOLE_IS_LISTED else entry.path: entry.dtype for entry in listed}


def require_all_converted(operation, receipt):
    """Raise if a conversion left a listed class in float32, other than by the user's own ``to_float``.

    Raises:
        ValueError: If there is one; the message names each with its place and reason.
    """
    refused = [
        entry for entry in receipt.missed if not entry.reason.startswith((_MISSED + MARKED, _MISSED + CELL_MARKED))
    ]
    if refused:
        lines = "; ".join(f"{e.path} ({e.kind}) at {_short(e.place)}: {e.reason}" for e in refused)
        raise value_error(operation, "with 'strict' every listed class must be converted", lines)


def white_receipt(network, level, white_list, functional=False, dtype=float16):
    """The receipt of the white pass, and the tree after the pass: the source of the converted network."""
    tree, before = white_tree_and_source(network, white_list, functional, dtype)
    sites = call_sites(network, types := set(), tree.get_handler().forest.sources)
    if type(network) in white_list and network._compute_dtype is None:
        type_at = _of_listed_network(network, dtype)
    else:
        type_at = _WhitePassType(tree, white_list, functional, dtype, _unmarked(network, sites, types))
    return Receipt(level, _entries(sites, white_list, white_list, type_at), before, text_of(tree)), tree


def receipt_by(level, sites, shown, type_at, by_operation=False):
    """The receipt of a conversion that changes no source; ``type_at(site)`` is a pair of the dtype and the reason."""
    return Receipt(level, _entries(sites, (), shown, type_at), by_operation=by_operation)


def _entries(sites, white_list, shown, type_at):
    """The entries of the call sites; methods of Tensors only if they stand for a class of the list ``shown``."""
    listed = [site for site in sites if not site.is_method or classes_of(site.called, shown)]
    return tuple(_readable_entry(site, white_list, type_at) for site in listed)


def _readable_entry(site, white_list, type_at):
    """The entry of a call site; if a user's object raises when it is read, the entry says so."""
    try:
        return _entry(site, white_list, *type_at(site))
    except Exception as error:  # a receipt only describes: a user's broken __getattr__ must not stop a conversion
        return Entry(site.place, site.path, _UNKNOWN, _UNKNOWN, unread(error))


def _entry(site, white_list, dtype, reason):
    """The entry of a site, with a remark if a call is uncertain."""
    if site.called is None:
        why = site.doubt or "the callee is known only at run time"
        return Entry(site.place, site.path, _UNKNOWN, _UNKNOWN, why)
    if site.doubt == NEVER:
        dtype, reason = _NOT_CALLED, NEVER
    elif site.doubt:
        reason = f"{reason}; {site.doubt}"
    listed = _classes(site, white_list) if isinstance(site.called, str) else ()
    kind = listed[0].__name__ if listed else site.called if isinstance(site.called, str) else _class(site).__name__
    return Entry(site.place, site.path, kind, dtype, reason)


def _class(site):
    """The class of the called Cell or Primitive."""
    return site.called if isinstance(site.called, type) else type(site.called)


def _classes(site, white_list):
    """The listed classes called at a site."""
    if isinstance(site.called, str):
        return classes_of(site.called, white_list)
    return [_class(site)] if _class(site) in white_list else []


def mark_of(site):
    """The mark that decides the type of a call: a called cell's own mark, otherwise the calling cell's."""
    if isinstance(site.called, Cell):
        return site.called._compute_dtype
    made = isinstance(site.called, type) and issubclass(site.called, Cell)
    return None if made else site.cell._compute_dtype


def _unmarked(network, sites, types):
    """The type of an unmarked call for float32 inputs: float32, or "as its inputs" if another type may occur."""
    cells = {site.called for site in sites if isinstance(site.called, Cell)} | {site.cell for site in sites}
    marked = {cell._compute_dtype for cell in cells} - {None, float32.np}
    stored = {weight.array.dtype for weight in network.get_parameters()} & (FLOATS - {float32.np})
    return INPUTS if marked or stored or _NARROW & {name.lower() for name in types} else _FLOAT32


class _WhitePassType:
    """The type in which a site computes after the white pass, and why."""

    def __init__(self, tree, white_list, functional, dtype, unmarked):
        self.handler, self.white_list, self.functional = tree.get_handler(), white_list, functional
        self.narrow, self.unmarked = dtype.np.name, unmarked

    def __call__(self, site):
        """The dtype of a site, and why."""
        mark, listed = mark_of(site), _classes(site, self.white_list)
        if not listed:
            return (self.unmarked, "not listed") if mark is None else (mark.name, BY_USER)
        if mark is not None:
            marked = CELL_MARKED if isinstance(site.called, str) else MARKED
            return mark.name, BY_USER if mark != float32.np else _MISSED + marked
        reason = site.reason or self._why_not(site)
        return (self.unmarked, _MISSED + reason) if reason else (self.narrow, _LISTED)

    def _why_not(self, site):
        """The reason why the pass left an editable, listed site unchanged; "" if it did not."""
        if isinstance(site.called, str):
            return (
                why_form_stays(self.handler, site.cell, site.place) if self.functional else "it is called as a function"
            )
        left = isinstance(site.called, Cell) and self.handler.forest.substitute(site.called)._compute_dtype is None
        return MARKED if left else ""


def _of_listed_network(network, dtype):
    """The types in a network that is listed itself: every cell is marked; the user's own marks stay."""
    own = set(_within([network]))  # the pass marks copies; the call sites name these, the originals

    def type_at(site):
        mark, subject = mark_of(site), site.called if isinstance(site.called, Cell) else site.cell
        if mark is not None:
            return mark.name, BY_USER
        made = isinstance(site.called, type) and issubclass(site.called, Cell)
        return (INPUTS, _UNREACHED) if made or subject not in own else (dtype.np.name, _WHOLE_IS_LISTED)

    return type_at


def marks_receipt(network, level, sites, black_list, types=None):
    """The receipt of O0, O2 and O3, from the marks of the network's cells; ``sites`` are those before the conversion.

    ``types`` are the types named in the code, for O0; None for a converted network.
    """
    owners = dict(network.cells_and_names())
    by_user = _within(cell for cell in owners.values() if cell._user_dtype is not None)
    by_list = _within(cell for cell in owners.values() if isinstance(cell, listed_classes(black_list)))
    unmarked = (INPUTS, _UNREACHED) if types is None else (_unmarked(network, sites, types), "O0 converts nothing")
    otherwise = "not on the black list" if black_list else "everything"

    def type_at(site):
        mark, subject = mark_of(site), site.called if isinstance(site.called, Cell) else site.cell
        if mark is None:
            return unmarked
        own = subject._user_dtype is not None or (subject in by_user and subject not in by_list)
        return mark.name, BY_USER if own else "black list" if subject in by_list else otherwise

    return receipt_by(level, sites, AMP_WHITE_LIST, type_at)


def _within(cells):
    """The cells and all their descendants."""
    return {part for cell in cells for _, part in cell.cells_and_names()}
