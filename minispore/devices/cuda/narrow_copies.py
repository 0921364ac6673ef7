"""Narrow copies: Parameters in float16 or bfloat16, written by the optimizer's launch beside the new float32 values.

An array that an optimizer wrote has an entry here. Its first cast is kept, so a step casts each weight once. At its
next step the optimizer writes the new array's narrow copy, too: the next step casts nothing. Arrays are values: nothing
writes into one that a Parameter holds.
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
    """Note ``array``, a Parameter's next one, and its narrow copy, or None."""
    _known[id(array)] = _Known(array, narrow)


def forget(array):
    """Remove the entry of ``array``."""
    _known.pop(id(array), None)


def narrow_of(array):
    """The narrow copy of an array, or None."""
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
