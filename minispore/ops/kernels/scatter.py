"""Adding to, and combining with, the elements of an array at a key that may name an element several times.

The results are the same on NumPy and CuPy, in whatever order a device's threads run.
"""

import math

import numpy as np

from minispore.core.dtype import NARROW_FLOATS
from minispore.ops.kernels.division import truncated
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.scatter_rows import add_rows
from minispore.ops.kernels.select import select
from minispore.ops.kernels.take import nearest

__all__ = ["added_at", "along", "combined_at", "divided_at", "placed_at"]

_EACH, _ALL = 16, 8192  # numbers of a row, and of all rows, from which on they are sorted: fewer are added one by one


def along(xp, index, axis):
    """The key of the elements that ``index`` names along ``axis``, one for each of its own elements."""
    grids = [xp.arange(n).reshape((n,) + (1,) * (index.ndim - i - 1)) for i, n in enumerate(index.shape)]
    return (*grids[:axis], index, *grids[axis + 1 :])


def added_at(xp, out, key, x):
    """``out`` (the caller's own array) with ``x`` added at key as often as key names an element.

    float16 is added wider and rounded once.
    """
    if xp is np:
        wide = out.astype(np.float32) if out.dtype in NARROW_FLOATS else out
        rows = _rows_named(wide, key)
        if rows is None:
            np.add.at(wide, key, x)
        else:
            add_rows(wide, rows, np.broadcast_to(x, key[0].shape + wide.shape[1:]).reshape(-1, *wide.shape[1:]))
        return wide.astype(out.dtype, copy=False)
    return combined_at(xp, out, key, x, xp.add)


def _rows_named(out, key):
    """The rows that a key names, as (N,) of ints from 0 on; None if it names anything else, few rows, or short ones."""
    key, block = _without_whole_axes(key, out.shape)
    if len(key) != 1 or not isinstance(key[0], np.ndarray) or key[0].dtype.kind not in "iu":
        return None
    rows, length, each = key[0].ravel(), len(out), math.prod(block)
    if each < _EACH or rows.size * each < _ALL or not out.flags.c_contiguous:
        return None
    if rows.min() < -length or rows.max() >= length:  # for NumPy to refuse
        return None
    return np.where(rows < 0, rows + length, rows) if rows.dtype.kind == "i" else rows


def combined_at(xp, x, key, values, combine):
    """A copy of ``x`` in which ``values`` are combined into the elements at key, one after another.

    ``combine(old, new)`` must be associative. A stable sort gathers the values of one element; log2(n) passes combine
    them, if an element may be named n times. After the pass of step s, each place holds the last 2 s values of its
    element up to itself. So the order of a sum is always the same, whatever order a device's threads run in.
    """
    key, block = _without_whole_axes(nearest(xp, x.shape, key), x.shape)
    outer = x.shape[: x.ndim - len(block)]
    places = xp.arange(math.prod(outer)).reshape(outer)[key]
    values = xp.broadcast_to(widen(xp, values), places.shape + block)
    if not values.size:
        return x.copy()
    values = values.reshape(places.size, math.prod(block))
    order = xp.argsort(places.ravel(), kind="stable")
    places, values = places.ravel()[order], values[order]
    values = _last_of_each(xp, places, values, _most(key, len(values)), combine)
    rows = widen(xp, x).reshape(-1, values.shape[1])
    rows = xp.concatenate((rows, rows[:1]))  # one more, for the values that a later one for the same element replaces
    last = xp.concatenate((places[1:] != places[:-1], xp.ones(1, bool)))
    places = select(xp, last, places, len(rows) - 1)
    rows[places] = combine(rows[places], values).astype(rows.dtype)
    return narrow(xp, rows[:-1], x.dtype).reshape(x.shape)


def _without_whole_axes(key, shape):
    """The key without the last axes that it takes whole, and their lengths: the shape of its blocks."""
    if Ellipsis in [part for part in key[:-1] if not hasattr(part, "shape")]:
        return key, ()
    key = list(key)
    while key and (key[-1] is Ellipsis or (isinstance(key[-1], slice) and key[-1] == slice(None))):
        key.pop()
    named = sum(part.ndim if _is_mask(part) else part is not None for part in key)
    return tuple(key), shape[named:]


def _is_mask(part):
    return hasattr(part, "dtype") and part.dtype.kind == "b"


def _most(key, count):
    """The largest number of times that a key of ``count`` places may name one: the size of its arrays, broadcast."""
    arrays = [part for part in key if hasattr(part, "shape")]
    if any(map(_is_mask, arrays)):
        return count
    return math.prod(np.broadcast_shapes(*(part.shape for part in arrays)))


def _last_of_each(xp, places, values, most, combine):
    """Each row of values combined with those before it that have its place, up to ``most``."""
    step = 1
    while step < most:
        same = (places[step:] == places[:-step])[:, None]
        joined = select(xp, same, combine(values[:-step], values[step:]), values[step:])
        values = xp.concatenate((values[:step], joined))
        step *= 2
    return values


def divided_at(xp, x, key, divisors):
    """A copy of ``x`` whose elements at key are divided by ``divisors``, one after another, by their product.

    Integers are rounded toward zero, and 0 where a divisor is 0.
    """
    floats = x.dtype.kind not in "iu"
    product = combined_at(xp, xp.ones_like(widen(xp, x)), key, divisors, xp.multiply if floats else _bounded(xp))
    return narrow(xp, widen(xp, x) / product, x.dtype) if floats else truncated(xp, x, product)


def _bounded(xp):
    """The product of integers, or the largest number where it overflows: a quotient by either is 0."""

    def product(a, b):
        largest = np.iinfo(a.dtype).max
        size = xp.abs(a.astype(np.float64)) * xp.abs(b.astype(np.float64))
        return select(xp, size > largest, a.dtype.type(largest), a * b)

    return product


def placed_at(xp, x, key, values):
    """A copy of ``x`` with ``values`` at key; the last stays where several go to one element."""
    if xp is np:
        out = x.copy()
        key = tuple(part.copy() if isinstance(part, np.ndarray) else part for part in key)
        out[key] = values.copy()  # copies: NumPy goes through views in the order of their memory
        return out
    return combined_at(xp, x, key, values, lambda old, new: new)  # the threads of a GPU write in any order
