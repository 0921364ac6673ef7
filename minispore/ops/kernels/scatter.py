"""Adding to, and combining with, the elements of an array at a key that may name an element several times.

The results are the same on NumPy and CuPy, in whatever order a device's threads run.
"""

import numpy as np

from minispore.dtype import NARROW_FLOATS
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.integer_division import truncated

__all__ = ["added_at", "along", "combined_at", "divided_at", "placed_at"]


def along(xp, index, axis):
    """The key of the elements that ``index`` names along ``axis``, one for each of its own elements."""
    grids = [xp.arange(n).reshape((n,) + (1,) * (index.ndim - i - 1)) for i, n in enumerate(index.shape)]
    return (*grids[:axis], index, *grids[axis + 1 :])


def _places(xp, shape, key):
    """The flat positions of the elements at key."""
    return xp.arange(int(np.prod(shape))).reshape(shape)[key]


def added_at(xp, out, key, x):
    """``out`` (the caller's own array) with ``x`` added at key as often as key names an element.

    float16 is added wider and rounded once.
    """
    if xp is np:
        wide = out.astype(np.float32) if out.dtype in NARROW_FLOATS else out
        np.add.at(wide, key, x)
        return wide.astype(out.dtype, copy=False)
    places = _places(xp, out.shape, key)  # CuPy's add.at takes few dtypes
    x = xp.broadcast_to(x, places.shape).astype(np.float64)
    sums = xp.bincount(places.ravel(), x.ravel(), out.size)
    return (out + sums.reshape(out.shape)).astype(out.dtype)


def combined_at(xp, x, key, values, combine):
    """A copy of ``x`` in which ``values`` are combined into the elements at key, one after another.

    ``combine(old, new)`` must be associative. The values of one element are gathered by a stable sort, and combined in
    log2(n) passes: after the pass of step s, each holds the last 2 s values of its element up to itself.
    """
    places = _places(xp, x.shape, key)
    values = xp.broadcast_to(widen(xp, values), places.shape).ravel()
    if not values.size:
        return x.copy()
    order = xp.argsort(places.ravel(), kind="stable")
    places, values = places.ravel()[order], values[order]
    step = 1
    while step < values.size:
        joined = xp.where(places[step:] == places[:-step], combine(values[:-step], values[step:]), values[step:])
        values = xp.concatenate((values[:step], joined))
        step *= 2
    last = xp.concatenate((places[1:] != places[:-1], xp.ones(1, bool)))
    flat = widen(xp, x).ravel()
    flat = xp.concatenate((flat, flat[:1]))  # one more, into which go the values that are not the last of an element
    places = xp.where(last, places, x.size)
    flat[places] = combine(flat[places], values).astype(flat.dtype)
    return narrow(xp, flat[:-1], x.dtype).reshape(x.shape)


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
        return xp.where(size > largest, a.dtype.type(largest), a * b)

    return product


def placed_at(xp, x, key, values):
    """A copy of ``x`` with ``values`` at key; the last stays where several go to one element."""
    if xp is np:
        out = x.copy()
        key = tuple(part.copy() if isinstance(part, np.ndarray) else part for part in key)
        out[key] = values.copy()  # in the order of their elements: NumPy goes through views in that of their memory
        return out
    return combined_at(xp, x, key, values, lambda old, new: new)  # the threads of a GPU write in any order
