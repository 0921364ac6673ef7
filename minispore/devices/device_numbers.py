"""Device numbers: the numbers in arrays of one element on a GPU that the host knows, so that none is waited for twice.

An array is a value, so its number stays what it is. Only a captured graph writes into arrays, those of homes
(``devices/cuda/homes.py``), which are left out.
"""

import weakref

__all__ = []

_MOST = 32
_known = {}  # id of an array -> (weak reference to it, its values on the host, whether the host has asked for them)
_left_out = {}  # id of an array that is written in place -> weak reference to it


def read(array):
    """The values of a device array on the host; those of one element are waited for once."""
    if array.size != 1:
        return array.get()
    known = _entry(array)
    host = array.get() if known is None else known[1]
    remember(array, host, asked=True)
    return host.copy()


def remember(array, host, asked=False):
    """Keep the values of a device array of one element."""
    key = id(array)
    if _left_out.get(key, _nobody)() is array:
        return
    _known.pop(key, None)
    if len(_known) >= _MOST:
        _known.pop(next(iter(tuple(_known))), None)  # which another thread may have done
    _known[key] = weakref.ref(array), host, asked


def copied(array):
    """A copy of a device array, of which the host knows what it knows of the array."""
    copy, known = array.copy(), _entry(array)
    if known is not None:
        remember(copy, *known[1:])
    return copy


def is_known(array):
    """True if reading the array's number waits for nothing."""
    return _entry(array) is not None


def is_asked(array):
    """True if the host has read the array's number."""
    known = _entry(array)
    return known is not None and known[2]


def leave_out(array):
    """Never keep the number of an array that is written in place."""
    key = id(array)
    _left_out[key] = weakref.ref(array, lambda _: _left_out.pop(key, None))
    _known.pop(key, None)


def _entry(array):
    known = _known.get(id(array))
    return known if known is not None and known[0]() is array else None


def _nobody():
    return None
