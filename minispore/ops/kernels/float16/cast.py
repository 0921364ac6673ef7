"""Casts between float16 or bfloat16 and float32, rounded once; NumPy's float16 is cast by ``halves.py``."""

import numpy as np

from minispore.core.running import running
from minispore.ops.kernels.float16.halves import narrow_to_half, round_into, widen_half

SMALL = 256  # fewer elements: the fixed cost is more than the saving

_HALF = np.dtype(np.float16)
_ONE = np.float16(1).view(np.int16)

_REMEMBERED = 16 << 20  # bytes of casts that a step keeps


def widen(xp, x):
    """``float32(x)``, exactly, for a float16 or bfloat16 array; arrays of other dtypes are returned unchanged."""
    if xp is np and x.dtype == _HALF and x.size >= SMALL:
        return widen_half(x)
    return x if x.dtype.itemsize != 2 or x.dtype.kind in "iu" else x.astype(np.float32)


def narrow(xp, x, dtype):
    """``x`` rounded once to ``dtype``, to nearest even; a float array that has the dtype is returned unchanged.

    Numbers too large for ``dtype`` become infinities, silently, and NaN stays NaN.
    """
    return x if x.dtype == dtype else _narrowed(xp, x, np.dtype(dtype))


def _narrowed(xp, x, dtype):
    if xp is np and dtype == _HALF and x.dtype == np.float32 and x.size >= SMALL:
        return narrow_to_half(x)
    with np.errstate(all="ignore"):
        return _rounded_once(xp, x, dtype).astype(dtype)


def _rounded_once(xp, x, dtype):
    """``x``, prepared for a cast of float64 to bfloat16: ml_dtypes' own cast goes by float32 and rounds twice."""
    if xp is np and dtype.name == "bfloat16" and x.dtype == np.float64:
        return round_to_odd(x)
    return x


def cached_cast(xp, x, dtype=None):
    """``x`` rounded to the narrow ``dtype``, or widened without one; within a step done once for each array.

    So a weight used at every step of an unrolled network is converted once. The same holds for an output's gradient
    used by both gradients of a product. ``running.cast_cache`` holds the last casts; arrays are values, so that a cast
    stays right. Rounded arrays are cached only while operations are recorded on a tape: a gradient's sum and a replay
    may overwrite a float32 array's memory.
    """
    if x.dtype == dtype if dtype is not None else x.dtype.itemsize != 2:
        return x
    cast_cache = running.cast_cache
    if cast_cache is None or x.size < SMALL or (dtype is not None and running.tape is None):
        return _converted(xp, x, dtype)
    key = id(x), dtype  # and x is kept with its cast, so that no other array gets its id
    found = cast_cache.pop(key, None)
    if found is None:
        found = x, _converted(xp, x, dtype)
        _make_room(cast_cache, found[1].nbytes)
    cast_cache[key] = found  # the last one is the last to go
    return found[1]


def _converted(xp, x, dtype):
    return widen(xp, x) if dtype is None else narrow(xp, widen(xp, x), dtype)


def _make_room(cast_cache, size):
    """Drop the least recently used casts until one of ``size`` bytes fits beside the others."""
    size += sum([y.nbytes for _, y in cast_cache.values()])  # half the time of a generator
    while cast_cache and size > _REMEMBERED:
        size -= cast_cache.pop(next(iter(cast_cache)))[1].nbytes


def halves_of(xp, x):
    """A bool array as float16, 1 and 0."""
    if xp is np:
        return (x.astype(np.int16) * _ONE).view(np.float16)
    return x.astype(np.float16)


def narrow_into(xp, x, out):
    """Write ``x`` into ``out``, rounded once to its dtype."""
    if xp is np and x.dtype == np.float32 and out.dtype == np.float16 and out.flags.c_contiguous and x.size >= SMALL:
        round_into(x, out)
        return
    out[...] = narrow(xp, x, out.dtype)


def round_to_odd(x):
    """Float64 to float32 such that a second rounding, to any shorter format, gives the result of a single one."""
    with np.errstate(all="ignore"):
        floats = x.astype(np.float32)
    bits = floats.view(np.int32)
    bits -= np.abs(floats) > np.abs(x)  # now truncated toward zero
    bits |= floats != x
    return floats
