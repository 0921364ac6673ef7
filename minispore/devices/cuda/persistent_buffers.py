"""Persistent buffers in a GPU's memory, in which captured graphs read and write the Tensors of later steps.

A graph knows addresses, not Tensors. So a Tensor that a graph uses gets a persistent buffer, one for all graphs. The
Tensor holds the buffer's array, and a graph's launch writes the new values into it. For all other code arrays are
values: nothing but the Tensor may see the buffer change. If reference counts show another holder of the array, the
graph waits.
"""

import weakref
from sys import getrefcount

from minispore.core import backend
from minispore.core.writes import settle
from minispore.devices import cuda, device_numbers

__all__ = []

_buffers = {}  # id of a Tensor -> its PersistentBuffer
moves = 0  # number of buffers that were replaced: graphs captured before know the old address


class PersistentBuffer:
    """The persistent buffer of a Tensor: ``array``, and ``narrow``, its float16 or bfloat16 copy, or None."""

    __slots__ = ("array", "narrow", "tensor")

    def __init__(self, tensor):
        key = id(tensor)
        self.tensor = weakref.ref(tensor, lambda _: _buffers.pop(key, None))
        self._settle(tensor.array, cuda.narrow_copies.narrow_of(tensor.array))

    def _settle(self, array, narrow):
        """Take memory for arrays like these, without their values."""
        self.array = backend.xp.empty(array.shape, array.dtype)
        device_numbers.leave_out(self.array)
        self.narrow = None if narrow is None else backend.xp.empty(narrow.shape, narrow.dtype)
        if narrow is not None:
            cuda.narrow_copies.remember(self.array, self.narrow)

    def move(self):
        """Take other memory."""
        global moves
        self._settle(self.array, self.narrow)
        moves += 1


def buffer_of(tensor):
    """The persistent buffer of a Tensor, made at the first request."""
    found = _buffers.get(id(tensor))
    if found is None or found.tensor() is not tensor:
        found = _buffers[id(tensor)] = PersistentBuffer(tensor)
    return found


def references(buffer):
    """The number of references to a buffer's arrays, with those of the table of narrow copies and of this call."""
    return getrefcount(buffer.array), getrefcount(buffer.narrow)


def _references_of_itself():
    """The result of :func:`references` for a buffer that nothing holds, not even a Tensor."""
    buffer = object.__new__(PersistentBuffer)
    buffer.array, buffer.narrow = object(), object()
    return references(buffer)


_ALONE = _references_of_itself()


def is_shared(buffer, held_by_tensor):
    """True if anything else holds an array of the buffer; with ``held_by_tensor`` its Tensor may."""
    if getrefcount(buffer.array) > _ALONE[0] + held_by_tensor:
        return True
    return (
        buffer.narrow is not None and getrefcount(buffer.narrow) > _ALONE[1] + 1
    )  # in the table of narrow copies, too


def fill(xp, to_fill):
    """Copy Tensors into their persistent buffers (given as pairs); then the Tensors hold the buffers' arrays."""
    cuda.copies.copy_all(xp, [(buffer.array, t.array) for t, buffer in to_fill])
    for t, buffer in to_fill:
        settle(t, buffer.array)
    cast = [(buffer.narrow, buffer.array) for _, buffer in to_fill if buffer.narrow is not None]
    if cast:
        cuda.copies.cast_all(xp, cast)
