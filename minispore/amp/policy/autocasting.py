"""The level "auto": a mark that lets each operation compute by auto's lists, and its receipt.

Only the network has the mark. It holds for everything that runs inside a call of the network: cells without their own
mark, functions, methods and operators. A cell called by itself, outside the network, computes as before.
"""

from minispore import ops
from minispore.amp.policy.functional_forms import classes_of
from minispore.amp.policy.lists import AMP_AUTO_BLACK_LIST, AMP_AUTO_WHITE_LIST, AUTO_BLACK_HERE, AUTO_PROMOTE_LIST
from minispore.amp.policy.receipt import BY_USER, INPUTS, OPERATIONS
from minispore.amp.policy.site_types import mark_of, receipt_by
from minispore.core.dtype import bfloat16, float16
from minispore.nn.cell import Cell
from minispore.ops.autocast import Autocast
from minispore.rewrite.call_sites import call_sites
from minispore.rewrite.resolve.cell_contents import is_leaf

__all__ = []

_BLACK = [*AMP_AUTO_BLACK_LIST, *AUTO_BLACK_HERE]
AUTOCASTS = {dtype: Autocast(dtype, AMP_AUTO_WHITE_LIST, _BLACK, AUTO_PROMOTE_LIST) for dtype in (float16, bfloat16)}
_LISTED = [*AMP_AUTO_WHITE_LIST, *_BLACK, *AUTO_PROMOTE_LIST]
_PRIMITIVES = {name.lower() for name, kind in vars(ops).items() if isinstance(kind, type)}


def mark(network, dtype):
    """Let the network compute by auto's lists, unless ``to_float`` has marked it."""
    if network._compute_dtype is None:
        network._compute_dtype = AUTOCASTS[dtype]


def autocast_receipt(network, level, dtype):
    """The receipt of "auto": a cell of the framework computes in the types of its listed operations."""
    narrow, own = dtype.np.name, network._compute_dtype

    def type_at(site):
        marked = own if mark_of(site) is None else mark_of(site)
        return _summary(_listed_in(site), narrow) if marked is None else (marked.name, BY_USER)

    return receipt_by(level, call_sites(network), _LISTED, type_at, by_operation=True)


def _summary(found, narrow):
    """The type of a call site, and why, from the listed classes that it calls; None stands for an unknown class."""
    white = [kind.__name__ for kind in found if kind in AMP_AUTO_WHITE_LIST]
    black = [kind.__name__ for kind in found if kind in _BLACK]
    # Both lists in one call, as in a cell with a product and a softmax: no single type is true for the row.
    if white and black:
        return OPERATIONS, f"{', '.join(white)} in {narrow}, {', '.join(black)} in float32"
    if white:
        return narrow, f"auto's white list: {', '.join(white)}"
    if black:
        return "float32", f"auto's black list: {', '.join(black)}"
    if None in found:
        return OPERATIONS, "its operations are looked up in auto's lists"
    if found:
        return INPUTS, f"the widest of its inputs: {', '.join(kind.__name__ for kind in found)}"
    return INPUTS, "not on auto's lists"


def _listed_in(site):
    """The listed primitives that a call site calls, in order, each once; None for a function that may call others."""
    called = site.called
    if isinstance(called, Cell) and is_leaf(called):
        inside = [kind for part in call_sites(called) if part.called is not called for kind in _listed_in(part)]
        return list(dict.fromkeys(inside))
    if isinstance(called, str):
        plain = called.replace("_", "").lower() in _PRIMITIVES
        return classes_of(called, _LISTED) or ([] if plain else [None])
    kind = called if isinstance(called, type) else type(called)
    return [kind] if kind in _LISTED else [None] if issubclass(kind, Cell) else []
