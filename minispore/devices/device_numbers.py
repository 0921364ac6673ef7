"""Device numbers: one-element arrays on a GPU with values that the host knows already: so it waits for none twice.

An array is a value, so its number never changes. Only captured graphs write into arrays: the persistent buffers
(``devices/cuda/persistent_buffers.py``). These are left out.
"""

import weakref

__all__ = []

_MOST = 32
_known = {}  # id of an array -> (weak reference to it, its values on the host, True if the host has read them)
_left_out = {}  # id of an array that is written in place -> weak reference to it


def read(array):
    """The values of a device array on the host; for one element the host waits once."""
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
        _known.pop(next(iter(tuple(_known))), None)  # another thread may have done so
    _known[key] = weakref.ref(array), host, asked


def copied(array):
    """A copy of a device array; a number known to the host stays known."""
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
