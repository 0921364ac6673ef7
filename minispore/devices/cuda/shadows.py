"""Parameters' values in float16 or bfloat16, which the optimizer's launch writes beside the new values in float32.

An array that an optimizer wrote is known here. The first cast of it is kept, so that a step casts each weight once.
When the optimizer next replaces the array, it writes the new one's cast as well, and the next step casts nothing.
Arrays are values: nothing writes into one that a Parameter holds.
"""

import weakref

__all__ = []


class _Known:
    """An array's entry: a weak reference to it, and its narrow cast, or None."""

    def __init__(self, array, narrow):
        key = id(array)
        self.array, self.narrow = weakref.ref(array, lambda _: _known.pop(key, None)), narrow


_known = {}  # id of an array -> _Known


def _of(array):
    found = _known.get(id(array))
    return found if found is not None and found.array() is array else None


def remember(array, narrow):
    """Know ``array``, which a Parameter will hold, and its cast, or None if it has none."""
    _known[id(array)] = _Known(array, narrow)


def forget(array):
    """Know nothing of ``array`` any more."""
    _known.pop(id(array), None)


def narrow_of(array):
    """The kept cast of an array; None if there is none."""
    found = _of(array)
    return None if found is None else found.narrow


def cast(array, dtype):
    """A Parameter's array in ``dtype``, cast once; None for arrays that are not known."""
    found = _of(array)
    if found is None:
        return None
    if found.narrow is None or found.narrow.dtype != dtype:
        found.narrow = array.astype(dtype)
    return found.narrow
