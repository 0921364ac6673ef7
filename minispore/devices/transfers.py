"""Transfers of arrays between the host and a GPU's memory, and the numbers and constants kept there."""

import threading
from functools import cache

from minispore.core import backend
from minispore.core.errors import memory_error
from minispore.devices import device_numbers

__all__ = [
    "asked_numbers",
    "constant",
    "event",
    "from_host",
    "is_on_host",
    "numbers",
    "read_aside",
    "synchronize",
    "to_host",
]

# (dtype, bytes) of a 0-d host array, or (dtype, shape, bytes) of a constant -> its array on the current device; None
# until a number is asked for again
_numbers = {}
backend.forget_on_change(_numbers)
_MOST_NUMBERS = 256  # a block of the GPU's memory, 512 bytes, for each
_asked = threading.local()


class asked_numbers:  # noqa: N801 - it reads as a function, in `with asked_numbers() as taken`
    """A dict, id -> array, of the kept numbers and constants that the thread asks for in a ``with`` block.

    A captured graph knows their addresses only: so the code that captures it must hold them.
    """

    def __enter__(self):
        _asked.taken = {}
        return _asked.taken

    def __exit__(self, *error):
        _asked.taken = None


to_host = device_numbers.read


def from_host(xp, array):
    """The device array of a NumPy array.

    A number is kept from its second request on; the longest unused one goes first. Making one costs a launch, and
    sharing is safe: nothing writes into a Tensor's array. A count of steps, another number each time, takes no memory.
    """
    if array.ndim:
        try:
            made = xp.asarray(array)
        except MemoryError as error:
            raise memory_error("Tensor", error) from error
    else:
        key = array.dtype, array.tobytes()
        known = key in _numbers
        kept = _numbers.pop(key, None)
        made = _number(xp, array) if kept is None else kept
        _kept(key, made, made if known else None)
    if array.size == 1 and not device_numbers.is_known(made):
        device_numbers.remember(made, array.copy())
    return made


def constant(xp, array):
    """The device array of positions, weights or counts that an operation makes on the host: sent once, and kept.

    A capture can take nothing from the host, and any other launch saves the copy.
    """
    key = array.dtype, array.shape, array.tobytes()
    kept = _numbers.pop(key, None)
    made = xp.asarray(array) if kept is None else kept
    return _kept(key, made, made)


def _kept(key, made, remembered):
    """Give ``made`` back; its entry replaces the longest unused one."""
    if len(_numbers) >= _MOST_NUMBERS:
        _numbers.pop(next(iter(tuple(_numbers))), None)  # another thread may have done so
    _numbers[key] = remembered
    taken = getattr(_asked, "taken", None)
    if taken is not None:
        taken[id(made)] = made
    return made


def numbers():
    """The arrays of numbers and constants that are kept now."""
    return [kept for kept in _numbers.values() if kept is not None]


def _number(xp, array):
    """A 0-d device array: CuPy's asarray makes 0 of -0, by setting memory to zeros."""
    return xp.full((), array[()], array.dtype) if array.dtype.kind in "fV" else xp.asarray(array)


def is_on_host(xp, array):
    """True if reading the number of an array waits for nothing."""
    return not backend.has_kernels(xp) or device_numbers.is_known(array)


def event(xp):
    """A mark in the current stream: ``done`` is True once all that the device was given before is computed."""
    return xp.cuda.get_current_stream().record()


def read_aside(xp, array):
    """The number in an array that a GPU has computed, copied on a stream of its own: it waits for nothing else."""
    return array.get(stream=_stream_aside(xp, array.device.id)).reshape(())


@cache
def _stream_aside(xp, device):
    with xp.cuda.Device(device):
        return xp.cuda.Stream(non_blocking=True)


def synchronize(xp):
    """Wait until the device has computed all that it was given; a stand-in for CuPy always has."""
    if hasattr(xp, "cuda"):
        xp.cuda.Device().synchronize()
