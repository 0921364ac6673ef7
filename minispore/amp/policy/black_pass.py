"""O2's pass: the whole network in float16 or bfloat16, except for the cells of the black list.

Each listed cell is marked float32 and wrapped, so that its output is narrow again; its descendants are not visited. A
mark that the user has set with ``to_float`` on a cell is respected. A listed cell without a mark of its own keeps
float32 even inside a cell that the user marked float16, as in MindSpore.
"""

from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.amp.policy.lists import AMP_BLACK_LIST, BATCH_NORMS
from minispore.core.dtype import float16, float32
from minispore.nn.cell import Cell

__all__ = []


def lower_all(network, dtype=float16, mark=Cell._set_compute_dtype):
    """Let the network compute in the narrow float, except for the cells that the user has marked; returns it."""
    # A mark on a cell reaches its descendants too. So the user's marks are noted first and set again, parents first.
    own = [(cell, cell._user_dtype) for _, cell in network.cells_and_names() if cell._user_dtype is not None]
    mark(network, dtype)
    for cell, kind in own:
        mark(cell, kind)
    return network


def listed_classes(black_list):
    """The classes that a black list covers: SyncBatchNorm counts as BatchNorm."""
    return (*black_list, *(BATCH_NORMS if set(black_list) & set(AMP_BLACK_LIST[:3]) else ()))


def black_pass(network, black_list, dtype=float16):
    """Compute the network in the narrow float and the listed cells in float32."""
    listed = listed_classes(black_list)
    if isinstance(network, listed):  # nothing else is left to be narrow, and it needs no wrapper
        network._set_compute_dtype(network._user_dtype or float32)
        return
    lower_all(network, dtype)
    _wrap_listed(network, listed, dtype, {}, set())


def _wrap_listed(network, listed, dtype, wrapped, seen):
    """Mark every listed cell of a narrow network float32, and wrap it under each of its names."""
    if network in seen:
        return
    seen.add(network)
    # Below a parent that the user keeps in float32 no wrapper is needed: its other operations are float32 as well.
    lowered = network._compute_dtype == dtype.np
    for name, cell in list(network._cells.items()):
        if lowered and (cell in wrapped or (isinstance(cell, listed) and cell._user_dtype is None)):
            if cell not in wrapped:
                wrapped[cell] = _OutputTo16(cell._set_compute_dtype(float32), dtype)
            network._replace_child(name, wrapped[cell])
        elif cell is not None and cell not in wrapped.values():
            _wrap_listed(cell, listed, dtype, wrapped, seen)
