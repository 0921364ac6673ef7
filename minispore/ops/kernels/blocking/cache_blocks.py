"""Elementwise rules of many steps, a cache-sized block at a time: each step finds the last result in the cache."""

import numpy as np

from minispore.ops.kernels import workers
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import share

_BLOCK = 1 << 18  # elements, 1 MiB of float32: with shorter blocks calls cost more than a nearer cache saves
_SHARED = 1 << 17  # for each worker, since a call that is too short has it wait for Python's lock
_LONGEST = 1 << 19  # elements that a worker takes at a time
_MANY = 2 * _SHARED  # with so many elements two workers save more than handing over costs
LONG = 1 << 20  # the same for a single step


def in_blocks(rule, xp, outs, *arrays):
    """Have ``rule(xp, outs, *arrays)`` write its results into ``outs``, a tuple of arrays, which is returned.

    The rule is elementwise in arrays of one shape, the shape of the first of ``outs``, and in 0-d ones. 0-d outputs
    depend on 0-d inputs alone. On NumPy large arrays are cut into blocks, which the workers share; the results are the
    same bit for bit. CuPy launches each step of the rule over the whole arrays.
    """
    if xp is np and outs[0].size >= _MANY:
        return _cut_into_blocks(rule, outs, arrays)
    rule(xp, outs, *arrays)
    return outs


def _cut_into_blocks(rule, outs, arrays):
    size = outs[0].size
    flat = [np.ascontiguousarray(x).reshape(-1) if x.ndim else x for x in arrays]
    flat_outs = [y.reshape(-1) if y.ndim else y for y in outs]

    def work(block):
        rule(np, [_part(y, block) for y in flat_outs], *[_part(x, block) for x in flat])

    share(np, work, _blocks(size))
    return outs


def _part(x, block):
    return x[block] if x.ndim else x


def _blocks(size):
    """Slices of ``size`` elements, about equally long; the same number for each worker where workers share them."""
    count = workers.useful(size, _SHARED)
    number = count * -(-size // (count * _LONGEST)) if count > 1 else -(-size // _BLOCK)
    length = -(-size // number)
    return [slice(start, start + length) for start in range(0, size, length)]


def in_one(function, xp, *arrays, out=None):
    """``function(*arrays, out=out)``, one step on arrays of one shape, with a result of the first one's dtype.

    On NumPy the workers share large arrays of floats; the result is the same bit for bit.
    """
    first = arrays[0]
    if first.size < LONG or not _can_be_shared(xp, first, *arrays, *([] if out is None else [out])):
        return function(*arrays) if out is None else function(*arrays, out=out)
    out = aligned.empty(np, first.shape, first.dtype) if out is None else out
    flat_out, *flat = (x.reshape(-1) for x in (out, *arrays))
    share(np, lambda block: function(*(x[block] for x in flat), out=flat_out[block]), _blocks(first.size))
    return out


def _can_be_shared(xp, first, *arrays):
    """True if the arrays are floats in one order in memory, and there are workers to share them."""
    if xp is np and first.dtype.kind == "f" and workers.useful(first.size, _SHARED) > 1:
        return all(x.shape == first.shape and x.dtype == first.dtype and x.flags.c_contiguous for x in arrays)
    return False


def by_rows(xp, work, rows, length):
    """``[work(block) for block in slices of the rows]``, of ``rows`` rows of a length; one block where xp is CuPy.

    The cuts depend on the shape alone: so sums over a block do not depend on the number of workers. Long blocks need
    few calls, after each of which workers wait for Python's lock.
    """
    if xp is np:
        blocks = _blocks_of_rows(rows, length)
        return share(np, work, blocks, len(blocks) > 1)
    return [work(slice(0, max(1, rows)))]


def _blocks_of_rows(rows, length):
    """Slices of the rows: one, or an even number of about equal ones."""
    size = rows * length
    number = 2 * -(-size // (2 * _LONGEST)) if size >= _LONGEST else 1
    step = max(1, -(-rows // number))
    return [slice(start, start + step) for start in range(0, max(1, rows), step)]
