"""Elements at indices; some indices may be out of range.

On the host such an index is an error. A GPU would have to be waited for, and reads it modulo the length: there the
nearest element is taken, and written to.
"""

import numpy as np

from minispore.core.errors import value_error

__all__ = ["first_axes", "nearest", "taken"]


def nearest(xp, shape, key):
    """``key``, an index into an array of ``shape``; on a GPU its arrays of integers are clipped to their axes."""
    if xp is np:
        return key
    parts = key if isinstance(key, tuple) else (key,)
    along = first_axes(shape, parts)
    return tuple([_clipped(xp, p, shape[i]) if _holds_integers(p) else p for p, i in zip(parts, along, strict=True)])


def first_axes(shape, parts):
    """For each part of a key the first axis of ``shape`` that it stands for."""
    taken = [_axes(part) for part in parts]
    rest = len(shape) - sum(taken)  # an Ellipsis stands for
    counts = [rest if part is Ellipsis else axes for part, axes in zip(parts, taken, strict=True)]
    return [sum(counts[:i]) for i in range(len(counts))]


def _holds_integers(part):
    return hasattr(part, "dtype") and part.dtype.kind in "iu"


def _axes(part):
    """The number of axes that a part of a key stands for; the axes of an Ellipsis are not counted."""
    if part is None or part is Ellipsis:
        return 0
    return len(part.shape) if hasattr(part, "dtype") and part.dtype.kind == "b" else 1


def _clipped(xp, indices, length):
    """The indices within ``[-length, length)``, as far as their dtype reaches."""
    limits = np.iinfo(indices.dtype)
    return xp.clip(indices, max(-length, limits.min), min(length - 1, limits.max))


def taken(xp, operation, x, indices, axis):
    """The elements of ``x`` along ``axis`` at ``indices``; a negative one counts from the end.

    Raises:
        ValueError: On the host, if an index is outside of the axis.
    """
    if xp is np:
        return _taken_on_the_host(operation, x, indices, axis)
    return xp.take(x, _clipped(xp, indices, x.shape[axis]), axis=axis)


def _taken_on_the_host(operation, x, indices, axis):
    try:
        return np.take(x, indices, axis=axis)
    except IndexError:
        length = x.shape[axis]
        expected = f"the 'input_indices' must be in [-{length}, {length}), the length of axis {axis}"
        outside = indices[(indices < -length) | (indices >= length)]
        raise value_error(operation, expected, outside.flat[0]) from None
