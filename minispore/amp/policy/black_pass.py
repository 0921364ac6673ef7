"""O2's pass: the whole network in float16, except for the cells of the black list.

Each listed cell is marked float32 and wrapped, so that its output is float16 again; its descendants are not visited.
A mark that the user has set with ``to_float`` on a cell is respected; a listed cell without a mark of its own inside a
cell that the user marked float16 keeps float32, as in MindSpore.
"""

from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.amp.policy.lists import AMP_BLACK_LIST, BATCH_NORMS
from minispore.dtype import float16, float32
from minispore.nn.layer.container import SequentialCell

__all__ = []


def lower_all(network):
    """Let the whole network compute in float16, except for the cells that the user has marked."""
    marked = [(cell, cell._user_dtype) for _, cell in network.cells_and_names() if cell._user_dtype is not None]
    network._set_compute_dtype(float16)
    for cell, dtype in marked:
        cell._set_compute_dtype(dtype)


def listed_classes(black_list):
    """The classes that a black list covers: SyncBatchNorm counts as BatchNorm."""
    return (*black_list, *(BATCH_NORMS if set(black_list) & set(AMP_BLACK_LIST[:3]) else ()))


def black_pass(network, black_list):
    """Compute the network in float16 and the listed cells in float32."""
    listed = listed_classes(black_list)
    if isinstance(network, listed):
        network._set_compute_dtype(network._user_dtype or float32)
        return
    lower_all(network)
    _wrap_listed(network, listed, {}, set())


def _wrap_listed(network, listed, wrapped, seen):
    """Mark every listed cell of a float16 network float32, and wrap it under each of its names."""
    if network in seen:
        return
    seen.add(network)
    changed, lowered = False, network._compute_dtype == float16.np
    for name, cell in list(network._cells.items()):
        if lowered and (cell in wrapped or (isinstance(cell, listed) and cell._user_dtype is None)):
            if cell not in wrapped:
                wrapped[cell] = _OutputTo16(cell._set_compute_dtype(float32))
            network._cells[name] = wrapped[cell]
            changed = True
        elif cell is not None and cell not in wrapped.values():
            _wrap_listed(cell, listed, wrapped, seen)
    if changed and isinstance(network, SequentialCell):
        network.cell_list = list(network._cells.values())
