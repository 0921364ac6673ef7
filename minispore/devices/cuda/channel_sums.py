"""Sums to one axis, as for the gradients of biases: many arrays by one launch, in float32 and rounded once.

How a sum is shared among blocks depends on its own sizes alone. So it has the same bits in any company.
"""

import math

import numpy as np

from minispore.devices.cuda.launch import THREADS, TYPES, ceil_div, counters_for, kernel, takes

__all__ = []

_ROWS, _COLUMNS, _MOST = 8, 32, 64  # of a block's threads, where channels are side by side in memory; slices at most
_PLACES, _SIZES = ("x", "y"), ("outer", "channels", "inner", "slices", "tile", "part", "counter", "kind")
_SUM = np.dtype([(name, np.int64) for name in _PLACES] + [(name, np.int32) for name in _SIZES])
_COUNT = 3584 // _SUM.itemsize  # arrays of a launch


def channel_sums(xp, pairs):
    """The sums of arrays over all axes but one, for pairs (array, axis), in their dtypes; None for others' arrays."""
    if not takes(*[x for x, _ in pairs]) or any(x.size >= 1 << 31 for x, _ in pairs):
        return None
    outs = []
    for at in range(0, len(pairs), _COUNT):
        outs += _launched(xp, pairs[at : at + _COUNT])
    return outs


def _launched(xp, pairs):
    outs = [xp.empty(x.shape[axis], x.dtype) for x, axis in pairs]
    table, rows, blocks, parts, counters = np.zeros(_COUNT, _SUM), [], 0, 0, 0
    for (x, axis), y in zip(pairs, outs, strict=True):
        outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
        tiles, slices = _share(outer, y.size, inner)
        kind = tuple(TYPES).index(x.dtype.name)
        rows.append((x.data.ptr, y.data.ptr, outer, y.size, inner, slices, blocks, parts, counters, kind))
        blocks += tiles * slices
        if slices > 1:
            parts, counters = parts + slices * y.size, counters + tiles
    table[: len(rows)] = rows
    shared = (xp.empty(parts, np.float32), counters_for(xp, counters)) if counters else (np.uintp(0), np.uintp(0))
    arguments = table.view(np.dtype((np.void, table.nbytes)))[0], np.int32(len(rows)), *shared
    kernel(xp, "channel_sums", "channel_sums", str(_COUNT))((blocks,), (THREADS,), arguments)
    return outs


def _share(outer, channels, inner):
    """The number of tiles of channels, and of slices that share each sum."""
    if inner > 1:
        return channels, max(1, min(_MOST, outer * inner // (32 * THREADS)))
    return ceil_div(channels, _COLUMNS), max(1, min(_MOST, outer // (16 * _ROWS)))
