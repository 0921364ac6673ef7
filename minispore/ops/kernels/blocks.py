"""Elementwise rules of many steps, a cache-sized block at a time: what one step makes, the next finds in the cache."""

import numpy as np

_BLOCK = 1 << 15  # elements: a float32 block is 128 KiB, and ten of them still fit into the L2 cache


def in_blocks(rule, xp, *arrays):
    """``rule(xp, *arrays)``, a tuple of arrays, where the rule is elementwise in arrays of one shape and 0-d ones.

    On NumPy large arrays are cut into blocks; the results are the same bit for bit. CuPy launches each step of the rule
    over the whole arrays.
    """
    shape, size = arrays[0].shape, arrays[0].size
    if xp is not np or size <= 2 * _BLOCK:
        return rule(xp, *arrays)
    flat = [np.ascontiguousarray(x).reshape(-1) if x.ndim else x for x in arrays]
    outs = None
    for start in range(0, size, _BLOCK):
        block = slice(start, start + _BLOCK)
        results = rule(np, *(x[block] if x.ndim else x for x in flat))
        if outs is None:
            outs = [np.empty(size, y.dtype) if y.ndim else y for y in results]
        for out, y in zip(outs, results, strict=True):
            if out.ndim:
                out[block] = y
    return tuple(out.reshape(shape) if out.ndim else out for out in outs)
