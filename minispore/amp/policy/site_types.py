"""The type in which each call site computes after a conversion, and why: the entries of its receipt."""

from minispore.amp.policy import receipt
from minispore.amp.policy.black_pass import listed_classes
from minispore.amp.policy.functional_forms import CELL_MARKED, classes_of, why_form_stays
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.receipt import Entry, Receipt
from minispore.amp.policy.white_pass import MARKED, text_of, white_tree_and_source
from minispore.core.dtype import FLOATS, float16, float32
from minispore.nn.cell import Cell
from minispore.rewrite.call_sites import NEVER, call_sites, unread

__all__ = []

_UNREACHED = "to_float reaches only what the network holds as children"
_NARROW = {"float16", "half", "bfloat16", "float64", "double"}  # names of types, in lower case


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
        return Entry(site.place, site.path, receipt.UNKNOWN, receipt.UNKNOWN, unread(error))


def _entry(site, white_list, dtype, reason):
    """The entry of a site, with a remark if a call is uncertain."""
    if site.called is None:
        why = site.doubt or "the callee is known only at run time"
        return Entry(site.place, site.path, receipt.UNKNOWN, receipt.UNKNOWN, why)
    if site.doubt == NEVER:
        dtype, reason = receipt.NOT_CALLED, NEVER
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
    return receipt.INPUTS if marked or stored or _NARROW & {name.lower() for name in types} else receipt.FLOAT32


class _WhitePassType:
    """The type in which a site computes after the white pass, and why."""

    def __init__(self, tree, white_list, functional, dtype, unmarked):
        self.handler, self.white_list, self.functional = tree.get_handler(), white_list, functional
        self.narrow, self.unmarked = dtype.np.name, unmarked

    def __call__(self, site):
        """The dtype of a site, and why."""
        mark, listed = mark_of(site), _classes(site, self.white_list)
        if not listed:
            return (self.unmarked, "not listed") if mark is None else (mark.name, receipt.BY_USER)
        if mark is not None:
            marked = CELL_MARKED if isinstance(site.called, str) else MARKED
            return mark.name, receipt.BY_USER if mark != float32.np else receipt.MISSED + marked
        reason = site.reason or self._why_not(site)
        return (self.unmarked, receipt.MISSED + reason) if reason else (self.narrow, receipt.LISTED)

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
            return mark.name, receipt.BY_USER
        made = isinstance(site.called, type) and issubclass(site.called, Cell)
        return (receipt.INPUTS, _UNREACHED) if made or subject not in own else (dtype.np.name, receipt.WHOLE_IS_LISTED)

    return type_at


def marks_receipt(network, level, sites, black_list, types=None):
    """The receipt of O0, O2 and O3, from the marks of the network's cells; ``sites`` are those before the conversion.

    ``types`` are the types named in the code, for O0; None for a converted network.
    """
    owners = dict(network.cells_and_names())
    by_user = _within(cell for cell in owners.values() if cell._user_dtype is not None)
    by_list = _within(cell for cell in owners.values() if isinstance(cell, listed_classes(black_list)))
    unmarked = (
        (receipt.INPUTS, _UNREACHED) if types is None else (_unmarked(network, sites, types), "O0 converts nothing")
    )
    otherwise = "not on the black list" if black_list else "everything"

    def type_at(site):
        mark, subject = mark_of(site), site.called if isinstance(site.called, Cell) else site.cell
        if mark is None:
            return unmarked
        own = subject._user_dtype is not None or (subject in by_user and subject not in by_list)
        return mark.name, receipt.BY_USER if own else "black list" if subject in by_list else otherwise

    return receipt_by(level, sites, AMP_WHITE_LIST, type_at)


def _within(cells):
    """The cells and all their descendants."""
    return {part for cell in cells for _, part in cell.cells_and_names()}
